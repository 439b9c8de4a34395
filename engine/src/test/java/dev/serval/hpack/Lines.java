package dev.serval.hpack;

import dev.serval.http.FieldName;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes down the fields that it takes, one a line, and checks that known names are right.
final class Lines implements FieldSink {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void name(@Nullable FieldName known, byte[] from, int at, int end) {
        String name = text(from, at, end);
        if (!Objects.equals(FieldName.of(name), known)) {
            throw new AssertionError(known + " is not " + name);
        }
        text.append(name).append(": ");
    }

    @Override
    public void value(byte[] from, int at, int end) {
        text.append(text(from, at, end)).append('\n');
    }

    /// Passes a field to a sink.
    static void put(FieldSink into, String name, String value) {
        byte[] bytes = ("<" + name + value + ">").getBytes(StandardCharsets.ISO_8859_1);
        int valueAt = 1 + name.length();
        into.name(FieldName.of(name), bytes, 1, valueAt);
        into.value(bytes, valueAt, bytes.length - 1);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private static String text(byte[] from, int at, int end) {
        return new String(from, at, end - at, StandardCharsets.ISO_8859_1);
    }
}
