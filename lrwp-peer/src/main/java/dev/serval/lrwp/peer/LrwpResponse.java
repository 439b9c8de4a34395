package dev.serval.lrwp.peer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An answer: status, header fields and a body of a known size. Immutable, except that the caller
/// must not change the array of a body.
///
/// The agent computes Content-Length and decides about the connection, so this class refuses the
/// fields that would contradict it.
public final class LrwpResponse {
    /// The largest body. With the head, an answer has at most the nine digits of LRWP.
    static final int BODY_MAX_BYTES = 999_000_000;

    /// The most fields. The agent takes 100 with the status.
    static final int FIELDS_MAX = 99;

    /// The most characters of all fields. The agent takes 32 KiB with the status and the empty line.
    static final int FIELDS_MAX_CHARS = (32 << 10) - 64;

    private static final byte[] NOTHING = new byte[0];
    private static final String REFUSED =
            "|content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|status|";
    private static final Pattern LOCATION =
            Pattern.compile("^location:", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
    private static final Map<Integer, String> REASONS =
            Map.ofEntries(
                    Map.entry(200, "OK"),
                    Map.entry(201, "Created"),
                    Map.entry(202, "Accepted"),
                    Map.entry(204, "No Content"),
                    Map.entry(301, "Moved Permanently"),
                    Map.entry(302, "Found"),
                    Map.entry(303, "See Other"),
                    Map.entry(304, "Not Modified"),
                    Map.entry(307, "Temporary Redirect"),
                    Map.entry(400, "Bad Request"),
                    Map.entry(401, "Unauthorized"),
                    Map.entry(403, "Forbidden"),
                    Map.entry(404, "Not Found"),
                    Map.entry(405, "Method Not Allowed"),
                    Map.entry(409, "Conflict"),
                    Map.entry(413, "Content Too Large"),
                    Map.entry(415, "Unsupported Media Type"),
                    Map.entry(429, "Too Many Requests"),
                    Map.entry(431, "Request Header Fields Too Large"),
                    Map.entry(500, "Internal Server Error"),
                    Map.entry(501, "Not Implemented"),
                    Map.entry(503, "Service Unavailable"));

    /// Writes the body of an answer.
    @FunctionalInterface
    public interface BodyWriter {
        /// Writes exactly the promised number of bytes. It need not flush or close `out`.
        void write(OutputStream out) throws IOException;
    }

    private final int status;
    private final String fields;
    private final int bodyBytes;
    private final byte @Nullable [] content;
    private final @Nullable BodyWriter writer;

    private LrwpResponse(
            int status,
            String fields,
            int bodyBytes,
            byte @Nullable [] content,
            @Nullable BodyWriter writer) {
        if (bodyBytes < 0 || bodyBytes > BODY_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a body of " + bodyBytes + " bytes: it must be from 0 to " + BODY_MAX_BYTES);
        }
        checkFields(fields);
        this.status = status;
        this.fields = fields;
        this.bodyBytes = bodyBytes;
        this.content = content;
        this.writer = writer;
    }

    private static void checkFields(String fields) {
        if (fields.length() > FIELDS_MAX_CHARS) {
            throw new IllegalArgumentException(
                    "the fields have "
                            + fields.length()
                            + " characters: at most "
                            + FIELDS_MAX_CHARS
                            + " are allowed");
        }
        long count = fields.lines().count();
        if (count > FIELDS_MAX) {
            throw new IllegalArgumentException(
                    "an answer with " + count + " fields: at most " + FIELDS_MAX + " are allowed");
        }
    }

    /// Returns an answer with a body in memory.
    ///
    /// @param status from 200 to 599
    /// @param contentType the media type, such as `text/html; charset=utf-8`
    /// @param body at most 999,000,000 bytes
    /// @throws IllegalArgumentException if the status, the type or the body cannot be sent
    public static LrwpResponse of(int status, String contentType, byte[] body) {
        return new LrwpResponse(
                checked(status), field("Content-Type", contentType), body.length, body, null);
    }

    /// Returns a 200 with plain text in UTF-8.
    public static LrwpResponse text(String text) {
        return of(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns a 200 with HTML in UTF-8. The caller escapes what comes from outside.
    public static LrwpResponse html(String html) {
        return of(200, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns a status with one line of plain text.
    public static LrwpResponse status(int status, String text) {
        return of(
                status,
                "text/plain; charset=utf-8",
                (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// Returns an answer without content: 204, or a redirection with `Location`.
    public static LrwpResponse empty(int status) {
        return new LrwpResponse(checked(status), "", 0, NOTHING, null);
    }

    /// Returns a 200 whose body is written to the connection as it is made.
    ///
    /// @param bodyBytes the exact size, from 0 to 999,000,000; if `writer` writes another number of
    ///     bytes or throws, the connection ends and the client sees a broken answer
    public static LrwpResponse stream(String contentType, int bodyBytes, BodyWriter writer) {
        return new LrwpResponse(200, field("Content-Type", contentType), bodyBytes, null, writer);
    }

    /// Returns this answer with one more header field. A field may occur several times, such as
    /// `Set-Cookie`; the order is kept.
    ///
    /// @throws IllegalArgumentException if the field has characters that HTTP does not allow, is one
    ///     of those that the agent sets, or is more than the agent takes: 99 fields, and 32,704
    ///     characters of all
    public LrwpResponse with(String name, String value) {
        return new LrwpResponse(status, fields + field(name, value), bodyBytes, content, writer);
    }

    /// Returns this answer with another status.
    public LrwpResponse withStatus(int other) {
        return new LrwpResponse(checked(other), fields, bodyBytes, content, writer);
    }

    /// Returns the status.
    public int status() {
        return status;
    }

    /// Returns the size of the body in bytes.
    public int bodyBytes() {
        return bodyBytes;
    }

    /// Returns the body in memory, or null for one that is written as it is made.
    byte @Nullable [] content() {
        return content;
    }

    @Nullable BodyWriter writer() {
        return writer;
    }

    /// Returns the header block with its empty line, as CGI output (RFC 3875 §6.3).
    byte[] head() {
        StringBuilder head = new StringBuilder(64 + fields.length());
        // Without a status, a Location means 302 (RFC 3875 §6.2.3).
        if (status != 200 || fields.isEmpty() || LOCATION.matcher(fields).find()) {
            head.append("Status: ").append(status).append(' ');
            head.append(REASONS.getOrDefault(status, "Status")).append("\r\n");
        }
        head.append(fields).append("\r\n");
        return head.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int checked(int status) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status " + status + ": it must be from 200 to 599");
        }
        return status;
    }

    private static String field(String name, String value) {
        boolean known = !name.isEmpty();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            // RFC 9110 §5.6.2: the characters of a token.
            known &=
                    c < 0x7F && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
        }
        if (!known) {
            throw new IllegalArgumentException("\"" + shown(name) + "\" is not a field name");
        }
        if (REFUSED.contains("|" + name.toLowerCase(Locale.ROOT) + "|")) {
            throw new IllegalArgumentException("the agent sets " + name + ": leave it out");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7F || c > 0xFF) {
                throw new IllegalArgumentException(
                        "the value of "
                                + name
                                + " has character "
                                + (int) c
                                + " at index "
                                + i
                                + ": a field value has no control character and nothing above 255");
            }
        }
        return name + ": " + value + "\r\n";
    }

    private static String shown(String name) {
        return name.replaceAll("[^ -~]", ".");
    }
}
