package dev.serval.examples.osp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The content of a request of type `multipart/signed` (RFC 1847 §2.1): a message and its signature.
/// Immutable.
///
/// The OSP toolkit signs the message alone, S/MIME (RFC 8551 §3.5) the whole first part with its
/// fields. The toolkit writes the signature in binary, so the parts' own Content-Length counts.
final class SignedBody {
    private static final String TYPE = "multipart/signed";
    private static final int BOUNDARY_MAX_CHARS = 70; // RFC 2046 §5.1.1

    private final byte[] message;
    private final byte[] part;
    private final byte[] signature;

    private SignedBody(byte[] message, byte[] part, byte[] signature) {
        this.message = message;
        this.part = part;
        this.signature = signature;
    }

    /// Returns whether content of this type is a signed message.
    static boolean isSigned(String contentType) {
        int semicolon = contentType.indexOf(';');
        String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        return type.strip().toLowerCase(Locale.ROOT).equals(TYPE);
    }

    /// Reads a signed message.
    ///
    /// @param contentType with the parameter `boundary`
    /// @return null if there are not exactly two parts as RFC 1847 requires
    static @Nullable SignedBody read(String contentType, byte[] body) {
        String boundary = parameter(contentType, "boundary");
        if (boundary.isEmpty() || boundary.length() > BOUNDARY_MAX_CHARS) {
            return null;
        }
        byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        Part first = Part.after(body, find(body, 0, delimiter), delimiter);
        Part second = first == null ? null : Part.after(body, first.next, delimiter);
        if (first == null || second == null || !isLast(body, second.next, delimiter)) {
            return null;
        }
        byte[] signature = second.decoded(body);
        return signature == null
                ? null
                : new SignedBody(
                        Arrays.copyOfRange(body, first.content, first.contentEnd),
                        Arrays.copyOfRange(body, first.start, first.contentEnd),
                        signature);
    }

    /// Returns the message.
    byte[] message() {
        return message;
    }

    /// Returns the first part with its fields.
    byte[] part() {
        return part;
    }

    /// Returns the signature, CMS in DER if it is one.
    byte[] signature() {
        return signature;
    }

    private static boolean isLast(byte[] body, int at, byte[] delimiter) {
        int end = at + delimiter.length;
        return end + 1 < body.length && body[end] == '-' && body[end + 1] == '-';
    }

    /// Returns where the next delimiter begins a line; -1 if none does.
    private static int find(byte[] body, int from, byte[] delimiter) {
        for (int i = from; i + delimiter.length <= body.length; i++) {
            boolean atLine = i == 0 || body[i - 1] == '\n';
            if (atLine
                    && Arrays.equals(
                            body, i, i + delimiter.length, delimiter, 0, delimiter.length)) {
                return i;
            }
        }
        return -1;
    }

    /// Returns the value of a parameter; empty if there is none.
    private static String parameter(String field, String name) {
        int at = field.indexOf(';');
        while (at >= 0) {
            int equals = field.indexOf('=', at);
            if (equals < 0) {
                return "";
            }
            String found = field.substring(at + 1, equals).strip();
            int start = equals + 1;
            boolean quoted = start < field.length() && field.charAt(start) == '"';
            int end = field.indexOf(quoted ? '"' : ';', quoted ? start + 1 : start);
            end = end < 0 ? field.length() : end;
            if (found.equalsIgnoreCase(name)) {
                return field.substring(quoted ? start + 1 : start, end).strip();
            }
            at = field.indexOf(';', end);
        }
        return "";
    }

    /// One part.
    ///
    /// @param start of its fields
    /// @param content where its content begins
    /// @param contentEnd where its content ends
    /// @param next where the next delimiter begins
    /// @param fields its fields, in lower case
    private record Part(int start, int content, int contentEnd, int next, String fields) {
        /// Reads the part after the delimiter at `at`.
        static @Nullable Part after(byte[] body, int at, byte[] delimiter) {
            if (at < 0 || isLast(body, at, delimiter)) {
                return null;
            }
            int start = line(body, at);
            int content = start;
            boolean blank = false;
            while (!blank && content < body.length) {
                int end = line(body, content);
                blank = isBlank(body, content, end);
                content = end;
            }
            String fields =
                    new String(body, start, content - start, StandardCharsets.ISO_8859_1)
                            .toLowerCase(Locale.ROOT);
            int length = length(fields);
            // The length is used only if a delimiter follows.
            int next = find(body, content + Math.max(0, length), delimiter);
            if (next < 0) {
                return null;
            }
            int end = length < 0 ? beforeLineEnd(body, content, next) : content + length;
            boolean exact = isBlank(body, end, next);
            return exact ? new Part(start, content, end, next, fields) : null;
        }

        private static int beforeLineEnd(byte[] body, int from, int at) {
            int end = at;
            if (end > from && body[end - 1] == '\n') {
                end--;
            }
            return end > from && body[end - 1] == '\r' ? end - 1 : end;
        }

        /// Returns the beginning of the next line.
        private static int line(byte[] body, int from) {
            int at = from;
            while (at < body.length && body[at] != '\n') {
                at++;
            }
            return Math.min(at + 1, body.length);
        }

        private static boolean isBlank(byte[] body, int from, int to) {
            for (int i = from; i < to; i++) {
                if (body[i] != '\r' && body[i] != '\n') {
                    return false;
                }
            }
            return true;
        }

        private static int length(String fields) {
            String text = value(fields, "content-length:");
            return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
        }

        private static String value(String fields, String name) {
            return fields.lines()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip())
                    .findFirst()
                    .orElse("");
        }

        byte @Nullable [] decoded(byte[] body) {
            byte[] bytes = Arrays.copyOfRange(body, content, contentEnd);
            if (!value(fields, "content-transfer-encoding:").equals("base64")) {
                return bytes;
            }
            try {
                return Base64.getMimeDecoder().decode(bytes);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }
}
