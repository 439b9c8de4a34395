package dev.serval.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A configuration as text, with the defaults that apply and without secrets. Stateless.
public final class Effective {
    private Effective() {}

    /// Returns the text of all tables, as TOML. Keys that a file gives come without a comment;
    /// defaults have one. Mounts and hosts are shown as the file has them. The text is right as a file, too,
    /// if it has no secrets.
    public static String text(Values root) {
        StringBuilder text = new StringBuilder();
        tables(text, root, "");
        return text.toString();
    }

    private static void tables(StringBuilder text, Values values, String path) {
        for (Section section : values.section().sections()) {
            String inner = path.isEmpty() ? section.name() : path + "." + section.name();
            List<Values> all = values.tables(section.name());
            // Tables within one of several are shown only if they are given: most are empty.
            boolean idle = section.equals(AcmeKeys.ACME); // a mistake where no host asks for it
            if (all.isEmpty()
                    && !section.many()
                    && !idle
                    && path.isEmpty()
                    && hasDefaults(section)) {
                all = List.of(Values.empty(section));
            }
            for (Values one : all) {
                text.append(text.isEmpty() ? "" : "\n").append(section.header(inner)).append('\n');
                keys(text, one, !inner.startsWith("mount") && !inner.startsWith("host"));
                tables(text, one, inner);
            }
        }
    }

    private static boolean hasDefaults(Section section) {
        return section.keys().stream().anyMatch(key -> !key.usual().isEmpty())
                && section.keys().stream().noneMatch(key -> key.traits().required());
    }

    /// @param usual whether defaults are shown, too
    private static void keys(StringBuilder text, Values values, boolean usual) {
        for (Key key : values.section().keys()) {
            Values.@Nullable Value own = values.own().get(key.name());
            boolean shows = usual && !isUseless(key, values);
            if (own != null) {
                text.append(key.name())
                        .append(" = ")
                        .append(shown(key, key.traits().secrecy().masked(own.value())))
                        .append('\n');
            } else if (shows && key.hasUsualValue()) {
                text.append(key.name()).append(" = ").append(key.usual()).append("  # default\n");
            } else if (shows && key.usual().startsWith("(")) {
                text.append("# ").append(key.name()).append(": ").append(key.usual()).append('\n');
            }
        }
    }

    /// Returns whether a key of an access log would be a mistake beside those that are given, or without
    /// others.
    private static boolean isUseless(Key key, Values values) {
        Set<String> own = values.own().keySet();
        return values.section().equals(LogKeys.LOG)
                && switch (key.name()) {
                    case "format" -> own.contains("pattern");
                    case "keep", "compress" ->
                            !own.contains("rotate-size") && !own.contains("rotate-daily");
                    default -> false;
                };
    }

    /// Returns a value of a key as TOML; a size with the unit that people write.
    static String shown(Key key, Object value) {
        boolean size = key.type() instanceof KeyType.Scalar scalar && scalar.name().equals("size");
        String text = size ? KeyType.sizeText((Long) value) : "";
        return text.matches("\\d+[kmg]") ? quoted(text) : shown(value);
    }

    /// Returns a value as TOML.
    static String shown(Object value) {
        if (value instanceof Duration time) {
            return quoted(KeyType.timeText(time));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Effective::shown).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry ->
                            quoted(String.valueOf(entry.getKey()))
                                    + " = "
                                    + shown(entry.getValue()))
                    .collect(Collectors.joining(", ", "{ ", " }"));
        }
        return value instanceof String text ? quoted(text) : String.valueOf(value);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '$' && text.startsWith("${", i)) {
                quoted.append("$$"); // no variable
            } else if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
