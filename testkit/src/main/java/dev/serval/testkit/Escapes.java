package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Octets as text that people can read and write: `\r`, `\n`, `\t`, `\0`, `\\`, `\xNN`, and for long
/// things `<repeat 8192 a>` (the text behind the number so many times; an escape may stand in it).
/// Everything else stands for itself as UTF-8. Stateless.
public final class Escapes {
    private static final int SHOWN_MAX = 4096;
    private static final int OCTETS_MAX = 64 << 20;
    private static final Pattern REPEAT = Pattern.compile("<repeat (\\d{1,9}) ([^>]+)>");

    private Escapes() {}

    /// The octets that `text` stands for.
    ///
    /// @throws IllegalArgumentException for an escape that is none, or more than 64 MiB
    public static byte[] parse(String text) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(text.length());
        Matcher repeat = REPEAT.matcher(text);
        int at = 0;
        while (repeat.find()) {
            plain(text.substring(at, repeat.start()), octets);
            byte[] piece = piece(repeat.group(2));
            long times = Long.parseLong(repeat.group(1));
            if (octets.size() + times * piece.length > OCTETS_MAX) {
                throw new IllegalArgumentException(repeat.group() + " makes more than 64 MiB");
            }
            for (long i = 0; i < times; i++) {
                octets.writeBytes(piece);
            }
            at = repeat.end();
        }
        plain(text.substring(at), octets);
        return octets.toByteArray();
    }

    /// As [#parse], each octet as one character (ISO-8859-1).
    public static String text(String text) {
        return new String(parse(text), StandardCharsets.ISO_8859_1);
    }

    /// The octets for people: what does not print is escaped, line feeds also break the line, and
    /// past 4 KiB only the beginning and the end are shown.
    public static String show(byte[] octets) {
        StringBuilder shown = new StringBuilder();
        int half = SHOWN_MAX / 2;
        for (int i = 0; i < octets.length; i++) {
            if (octets.length > SHOWN_MAX && i == half) {
                shown.append("\n… ").append(octets.length - SHOWN_MAX).append(" octets …\n");
                i = octets.length - half;
            }
            show(octets[i] & 0xff, shown);
        }
        return shown.toString();
    }

    private static void show(int octet, StringBuilder shown) {
        switch (octet) {
            case '\r' -> shown.append("\\r");
            case '\n' -> shown.append("\\n\n");
            case '\t' -> shown.append("\\t");
            case '\\' -> shown.append("\\\\");
            default -> {
                if (octet >= ' ' && octet < 0x7f) {
                    shown.append((char) octet);
                } else {
                    shown.append("\\x%02x".formatted(octet));
                }
            }
        }
    }

    private static byte[] piece(String text) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        plain(text, octets);
        return octets.toByteArray();
    }

    private static void plain(String text, ByteArrayOutputStream octets) {
        int at = 0;
        while (at < text.length()) {
            int escape = text.indexOf('\\', at);
            int end = escape < 0 ? text.length() : escape;
            octets.writeBytes(text.substring(at, end).getBytes(StandardCharsets.UTF_8));
            at = escape < 0 ? end : escape(text, escape, octets);
        }
    }

    private static int escape(String text, int at, ByteArrayOutputStream octets) {
        char kind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        switch (kind) {
            case 'r' -> octets.write('\r');
            case 'n' -> octets.write('\n');
            case 't' -> octets.write('\t');
            case '0' -> octets.write(0);
            case '\\' -> octets.write('\\');
            case 'x' -> {
                octets.write(Integer.parseInt(text.substring(at + 2, at + 4), 16));
                return at + 4;
            }
            default ->
                    throw new IllegalArgumentException(
                            "Escapes are \\r \\n \\t \\0 \\\\ \\xNN, not \\"
                                    + kind
                                    + " in "
                                    + text);
        }
        return at + 2;
    }
}
