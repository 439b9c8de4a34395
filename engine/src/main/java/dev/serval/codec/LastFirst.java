package dev.serval.codec;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// Walks the elements of a list field from the last to the first (RFC 9110 §5.6.1). A comma within a
/// quoted string divides nothing. What stands before an element has no influence on it, because a
/// client may have written that and the next proxy only appended. Used once, by one thread.
public final class LastFirst {
    private final byte[] text;
    private int end; // of what was not walked yet
    private int from;
    private int to;

    private LastFirst(byte[] text) {
        this.text = text;
        this.end = text.length;
    }

    /// Returns a walk through the values of a field, which belong to one list (RFC 9110 §5.3).
    public static LastFirst of(List<String> values) {
        return new LastFirst(String.join(",", values).getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Goes to the next element towards the beginning. Empty elements are skipped.
    ///
    /// @return whether there is one
    public boolean next() {
        while (end > 0) {
            int comma = end - 1;
            boolean quoted = false;
            while (comma >= 0 && (quoted || text[comma] != ',')) {
                if (text[comma] == '"' && !(quoted && isEscaped(comma))) {
                    quoted = !quoted;
                }
                comma--;
            }
            from = comma + 1;
            to = end;
            end = Math.max(0, comma);
            trim();
            if (from < to) {
                return true;
            }
        }
        return false;
    }

    /// Returns the bytes that contain the element.
    public byte[] text() {
        return text;
    }

    /// Returns the start of the element.
    public int from() {
        return from;
    }

    /// Returns the end of the element, exclusive.
    public int to() {
        return to;
    }

    private boolean isEscaped(int at) {
        int slash = at - 1;
        while (slash >= 0 && text[slash] == '\\') {
            slash--;
        }
        return (at - 1 - slash) % 2 == 1;
    }

    private void trim() {
        while (from < to && isBlank(text[from])) {
            from++;
        }
        while (from < to && isBlank(text[to - 1])) {
            to--;
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }
}
