package dev.serval.config;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The defaults of keys as values. A key's default is written as a file would say it, and is read in
/// the same way. Any thread.
final class Defaults {
    private static final Map<Key, Object> READ = new ConcurrentHashMap<>();

    private Defaults() {}

    /// Returns the default; null if the key has none that is a value.
    static @Nullable Object of(Key key) {
        return key.hasUsualValue() ? READ.computeIfAbsent(key, Defaults::read) : null;
    }

    /// Reads a default: a text in quotes, a number, a truth value, or a list of texts.
    private static Object read(Key key) {
        Mistakes mistakes = new Mistakes();
        @Nullable Object value = SchemaReader.value(key, node(key.usual()), mistakes);
        if (value == null || !mistakes.none()) {
            throw new IllegalStateException(
                    "The default of " + key.name() + " is wrong: " + mistakes.lines());
        }
        return value;
    }

    static Node node(String text) {
        if (text.startsWith("[")) {
            String inner = text.substring(1, text.length() - 1).trim();
            return new Node.Items(
                    "",
                    inner.isEmpty()
                            ? List.of()
                            : Arrays.stream(inner.split(", ")).map(Defaults::node).toList());
        }
        Object scalar =
                text.startsWith("\"")
                        ? text.substring(1, text.length() - 1)
                        : text.matches("-?\\d+")
                                ? (Object) Long.valueOf(text)
                                : Boolean.valueOf(text);
        return new Node.Scalar("", scalar, scalar);
    }
}
