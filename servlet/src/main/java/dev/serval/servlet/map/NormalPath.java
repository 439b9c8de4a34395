package dev.serval.servlet.map;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Brings a path that an application or a client wrote into the form that is compared with patterns
/// (Servlet 6.1 §3.5.2): without parameters, decoded, without empty and dot segments.
public final class NormalPath {
    private NormalPath() {}

    /// Returns the path in normal form.
    ///
    /// @param raw begins with a slash; without query
    /// @return null if the path climbs above the root, is not UTF-8 after decoding, or has an
    ///     encoded slash, a backslash, a control character, or dots with parameters
    public static @Nullable String normal(String raw) {
        Deque<String> segments = new ArrayDeque<>();
        int at = 1;
        boolean folder = false; // the last segment is empty or was removed
        while (at <= raw.length()) {
            int slash = raw.indexOf('/', at);
            int end = slash < 0 ? raw.length() : slash;
            @Nullable String segment = segment(raw, at, end);
            if (segment == null) {
                return null;
            }
            folder = segment.isEmpty() || segment.equals(".") || segment.equals("..");
            if (!folder) {
                segments.addLast(segment);
            } else if (segment.equals("..") && segments.pollLast() == null) {
                return null;
            }
            at = end + 1;
        }
        return joined(segments, folder);
    }

    private static String joined(Deque<String> segments, boolean folder) {
        StringBuilder path = new StringBuilder();
        for (Iterator<String> i = segments.iterator(); i.hasNext(); ) {
            path.append('/').append(i.next());
        }
        return folder || path.isEmpty() ? path.append('/').toString() : path.toString();
    }

    private static @Nullable String segment(String raw, int from, int to) {
        int semicolon = raw.indexOf(';', from);
        boolean parameters = semicolon >= 0 && semicolon < to;
        int end = parameters ? semicolon : to;
        @Nullable String text = decoded(raw, from, end);
        if (text == null) {
            return null;
        }
        boolean dots = text.equals(".") || text.equals("..");
        return dots && parameters ? null : text;
    }

    private static @Nullable String decoded(String raw, int from, int to) {
        int percent = raw.indexOf('%', from);
        if (percent < 0 || percent >= to) {
            String text = raw.substring(from, to);
            return isPlain(text) ? text : null;
        }
        byte[] source = raw.substring(from, to).getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(source.length);
        for (int i = 0; i < source.length; i++) {
            byte b = source[i];
            if (b == '%') {
                int value = i + 2 < source.length ? hex(source[i + 1], source[i + 2]) : -1;
                if (value < 0 || value == '/') {
                    return null;
                }
                b = (byte) value;
                i += 2;
            }
            bytes.put(b);
        }
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
            return isPlain(text) ? text : null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == 0x7f || c == '\\') {
                return false;
            }
        }
        return true;
    }

    private static int hex(byte high, byte low) {
        int h = Character.digit(high, 16);
        int l = Character.digit(low, 16);
        return (h | l) < 0 ? -1 : h << 4 | l;
    }
}
