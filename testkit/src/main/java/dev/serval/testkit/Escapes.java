package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Converts bytes to text that people can read and write, and back. The escapes are `\r`, `\n`,
/// `\t`, `\0`, `\\` and `\xNN`. `<repeat 8192 a>` repeats the text after the number, which may have
/// escapes. Every other character is its own UTF-8. Stateless.
public final class Escapes {
    private static final int SHOWN_MAX = 4096;
    private static final int BYTES_MAX = 64 << 20;
    private static final Pattern REPEAT = Pattern.compile("<repeat (\\d{1,9}) ([^>]+)>");

    private Escapes() {}

    /// Returns the bytes that `text` describes.
    ///
    /// @throws IllegalArgumentException if an escape is unknown, or the result exceeds 64 MiB
    public static byte[] parse(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        Matcher repeat = REPEAT.matcher(text);
        int at = 0;
        while (repeat.find()) {
            plain(text.substring(at, repeat.start()), bytes);
            byte[] piece = piece(repeat.group(2));
            long times = Long.parseLong(repeat.group(1));
            if (bytes.size() + times * piece.length > BYTES_MAX) {
                throw new IllegalArgumentException(repeat.group() + " exceeds 64 MiB");
            }
            for (long i = 0; i < times; i++) {
                bytes.writeBytes(piece);
            }
            at = repeat.end();
        }
        plain(text.substring(at), bytes);
        return bytes.toByteArray();
    }

    /// Returns the bytes of [#parse], each as one character (ISO-8859-1).
    public static String text(String text) {
        return new String(parse(text), StandardCharsets.ISO_8859_1);
    }

    /// Returns the bytes as text for people. Bytes that do not print are escaped; a line feed also
    /// breaks the line. If there are more than 4 KiB, only the beginning and the end are shown.
    public static String show(byte[] bytes) {
        StringBuilder shown = new StringBuilder();
        int half = SHOWN_MAX / 2;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes.length > SHOWN_MAX && i == half) {
                shown.append("\n… ").append(bytes.length - SHOWN_MAX).append(" bytes …\n");
                i = bytes.length - half;
            }
            show(bytes[i] & 0xff, shown);
        }
        return shown.toString();
    }

    private static void show(int b, StringBuilder shown) {
        switch (b) {
            case '\r' -> shown.append("\\r");
            case '\n' -> shown.append("\\n\n");
            case '\t' -> shown.append("\\t");
            case '\\' -> shown.append("\\\\");
            default -> {
                if (b >= ' ' && b < 0x7f) {
                    shown.append((char) b);
                } else {
                    shown.append("\\x%02x".formatted(b));
                }
            }
        }
    }

    private static byte[] piece(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        plain(text, bytes);
        return bytes.toByteArray();
    }

    private static void plain(String text, ByteArrayOutputStream bytes) {
        int at = 0;
        while (at < text.length()) {
            int escape = text.indexOf('\\', at);
            int end = escape < 0 ? text.length() : escape;
            bytes.writeBytes(text.substring(at, end).getBytes(StandardCharsets.UTF_8));
            at = escape < 0 ? end : escape(text, escape, bytes);
        }
    }

    private static int escape(String text, int at, ByteArrayOutputStream bytes) {
        char kind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        switch (kind) {
            case 'r' -> bytes.write('\r');
            case 'n' -> bytes.write('\n');
            case 't' -> bytes.write('\t');
            case '0' -> bytes.write(0);
            case '\\' -> bytes.write('\\');
            case 'x' -> {
                bytes.write(Integer.parseInt(text.substring(at + 2, at + 4), 16));
                return at + 4;
            }
            default ->
                    throw new IllegalArgumentException(
                            "An escape must be \\r \\n \\t \\0 \\\\ or \\xNN, not \\"
                                    + kind
                                    + " in "
                                    + text);
        }
        return at + 2;
    }
}
