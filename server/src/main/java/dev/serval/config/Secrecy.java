package dev.serval.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Which part of a key's value nothing prints. What is left out is shown as `***`. Immutable.
public enum Secrecy {
    /// No part.
    NONE,
    /// The whole value.
    WHOLE,
    /// The passwords in a URL of JDBC, such as `jdbc:postgresql://h/db?user=a&password=***`.
    URL,
    /// The values of fields and variables by which a server logs in elsewhere, such as Authorization.
    FIELDS;

    /// What stands for a secret.
    public static final String SHOWN = "***";

    private static final Pattern PARAMETER =
            Pattern.compile(
                    "(?i)(?<before>[?;&,(][\\w.-]*(?:passw|pwd|secret|token|passphrase|credential)"
                            + "[\\w.-]*\\s*=\\s*)(?<value>\\{(?:[^}]|}})*}|[^;&,)]*)");
    private static final Pattern USER =
            Pattern.compile("(?<before>//[^/?#;@:]*:)(?<value>[^/?#;@]*)(?=@)");
    private static final Pattern ORACLE =
            Pattern.compile("(?<before>^jdbc:oracle:\\w+:[^/@]*/)(?<value>[^@]*)(?=@)");
    private static final Pattern MASKED = Pattern.compile("[=:/]\\*\\*\\*(?=[;&,)@]|$)");
    private static final Pattern FIELD =
            Pattern.compile(
                    "(?i).*(authorization|cookie|token|secret|passw|_pass|pwd|api[-_]?key|credential).*");

    /// Returns a text as it may be shown.
    ///
    /// @param name of the field, for [#FIELDS]
    public String masked(String name, String text) {
        return switch (this) {
            case NONE -> text;
            case WHOLE -> SHOWN;
            case URL -> maskedUrl(text);
            case FIELDS -> FIELD.matcher(name).matches() && !text.isEmpty() ? SHOWN : text;
        };
    }

    /// Returns a URL without its passwords.
    private static String maskedUrl(String text) {
        String shown = text;
        for (Pattern each : new Pattern[] {PARAMETER, USER, ORACLE}) {
            shown = each.matcher(shown).replaceAll("${before}***");
        }
        return shown;
    }

    /// Returns a checked value as it may be shown.
    Object masked(Object value) {
        if (this == WHOLE) {
            return SHOWN;
        }
        if (value instanceof String text) {
            return masked("", text);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> shown = new LinkedHashMap<>();
            map.forEach((name, each) -> {
                String key = String.valueOf(name);
                shown.put(key, each instanceof String text ? masked(key, text) : each);
            });
            return shown;
        }
        return value;
    }

    /// Returns whether a text has `***` in place of a secret.
    public static boolean isMasked(String text) {
        return text.equals(SHOWN) || MASKED.matcher(text).find();
    }
}
