package dev.serval.gateway.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Collects what an application prints for the log during one request, up to a limit. Control
/// characters are escaped, so that no text can forge a line of the log. Owned by one loop.
final class ErrorText {
    /// The most bytes of one request that are logged.
    static final int MAX_BYTES = 4096;

    private byte[] bytes = {};
    private int length;

    void clear() {
        length = 0;
    }

    /// Keeps bytes up to the limit.
    void add(byte[] source, int from, int to) {
        int more = Math.min(to - from, MAX_BYTES - length);
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, MAX_BYTES);
        }
        System.arraycopy(source, from, bytes, length, more);
        length += more;
    }

    boolean isEmpty() {
        return length == 0;
    }

    /// Returns the escaped text.
    String escaped() {
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8).stripTrailing();
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                escaped.append("\\n");
            } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                escaped.append("\\u%04x".formatted((int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
