package dev.serval.http;

import java.nio.charset.StandardCharsets;

/// Encodes text for the path and the query of a URL (RFC 3986 §2.1). Stateless.
public final class PercentEncoding {
    private static final String HEX = "0123456789ABCDEF";
    private static final String OF_PATH = "-._~!$&'()*+,=:@/"; // pchar (RFC 3986 §3.3) without ";"
    private static final String SENT =
            OF_PATH + ";%"; // what may have a meaning stays as it was sent
    private static final String UNRESERVED = "-._~"; // §2.3

    private PercentEncoding() {}

    /// Returns the path `bytes[from, to)`, with every character encoded that could have another
    /// meaning. Slashes stay.
    public static StringBuilder path(byte[] bytes, int from, int to) {
        return encoded(bytes, from, to, OF_PATH);
    }

    /// Returns the path, encoded as [#path(byte[], int, int)] does.
    public static String path(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        return path(bytes, 0, bytes.length).toString();
    }

    /// Returns a path as a client has sent it, in which only characters are encoded that no URL may have.
    public static String sentPath(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        return encoded(bytes, 0, bytes.length, SENT).toString();
    }

    /// Returns a value for a query, in which only letters, digits and `-._~` stay as they are.
    public static String value(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return encoded(bytes, 0, bytes.length, UNRESERVED).toString();
    }

    private static StringBuilder encoded(byte[] bytes, int from, int to, String plain) {
        StringBuilder text = new StringBuilder(to - from + 16);
        for (int i = from; i < to; i++) {
            int b = bytes[i] & 0xff;
            boolean letter = (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
            if (letter || (b >= '0' && b <= '9') || plain.indexOf(b) >= 0) {
                text.append((char) b);
            } else {
                text.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 15));
            }
        }
        return text;
    }
}
