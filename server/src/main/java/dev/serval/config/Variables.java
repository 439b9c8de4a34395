package dev.serval.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Replaces `${NAME}` and `${NAME:-DEFAULT}` in texts by variables of the environment. `$${` stands
/// for `${`. An empty variable counts as missing, as in a shell with `:-`. Immutable.
///
/// @param environment the variables
record Variables(Map<String, String> environment) {
    private static final Pattern VARIABLE =
            Pattern.compile(
                    "\\$?\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)?(:-(?<usual>[^}]*))?(?<end>})?");

    Variables {
        environment = Map.copyOf(environment);
    }

    /// Returns the text with its variables replaced.
    ///
    /// @param where the place of the text
    String replace(String text, String where, Mistakes mistakes) {
        if (!text.contains("${")) {
            return text;
        }
        Matcher matcher = VARIABLE.matcher(text);
        StringBuilder replaced = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(
                    replaced, Matcher.quoteReplacement(value(matcher, where, mistakes)));
        }
        return matcher.appendTail(replaced).toString();
    }

    private String value(Matcher matcher, String where, Mistakes mistakes) {
        String whole = matcher.group();
        if (whole.startsWith("$$")) {
            return whole.substring(1);
        }
        @Nullable String name = matcher.group("name");
        if (name == null || matcher.group("end") == null) {
            mistakes.add(
                    where,
                    "\""
                            + whole
                            + "\" is no variable: write ${NAME} or ${NAME:-DEFAULT}, or $${ for the"
                            + " characters ${ themselves.");
            return "";
        }
        String value = environment.getOrDefault(name, "");
        if (!value.isEmpty()) {
            return value;
        }
        @Nullable String usual = matcher.group("usual");
        if (usual == null) {
            mistakes.add(
                    where,
                    "The environment has no variable "
                            + name
                            + ": set it, or write ${"
                            + name
                            + ":-DEFAULT}.");
            return "";
        }
        return usual;
    }
}
