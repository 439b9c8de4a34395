package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Reads responses as RFC 9112 writes them and takes nothing else: every line ends in CR LF, names
/// are tokens, framing is told once. What is wrong is an [AssertionError].
final class ResponseReader {
    private static final int LINE_MAX_BYTES = 64 << 10;
    private static final Pattern STATUS_LINE =
            Pattern.compile("(HTTP/1\\.[01]) ([1-5][0-9]{2}) ([\\t\\x20-\\x7e\\x80-\\xff]*)");
    private static final Pattern FIELD_LINE =
            Pattern.compile(
                    "([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*"
                            + "((?:[\\x21-\\x7e\\x80-\\xff](?:[\\t\\x20-\\x7e\\x80-\\xff]*"
                            + "[\\x21-\\x7e\\x80-\\xff])?)?)[ \\t]*");
    private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9A-Fa-f]{1,15})(;.*)?");

    private final Bytes in;

    ResponseReader(Bytes in) {
        this.in = in;
    }

    /// One byte after the other.
    @FunctionalInterface
    interface Bytes {
        /// The next byte, or -1 where the peer has finished sending.
        int next();
    }

    /// Reads the next response, interim or final.
    ///
    /// @param method of the request it answers: after HEAD no content follows
    RawResponse read(String method) {
        var line = STATUS_LINE.matcher(line("a status line"));
        require(line.matches(), "not a status line");
        int status = Integer.parseInt(line.group(2));
        List<RawResponse.Field> fields = fields();
        RawResponse head =
                new RawResponse(
                        line.group(1),
                        status,
                        line.group(3),
                        fields,
                        RawResponse.Framing.NONE,
                        new byte[0],
                        List.of(),
                        List.of());
        return content(head, framing(head, method));
    }

    private RawResponse.Framing framing(RawResponse head, String method) {
        List<String> lengths = head.all("Content-Length");
        List<String> codings = head.all("Transfer-Encoding");
        int status = head.status();
        boolean never = status < 200 || status == 204 || status == 304;
        require(lengths.size() <= 1, "more than one Content-Length (RFC 9112 §6.3)");
        require(
                lengths.isEmpty() || codings.isEmpty(),
                "Content-Length and Transfer-Encoding (RFC 9112 §6.2)");
        require(
                lengths.isEmpty() || lengths.getFirst().matches("[0-9]{1,18}"),
                "Content-Length is not a number");
        if (status < 200 || status == 204) {
            require(codings.isEmpty(), "Transfer-Encoding with 1xx or 204 (RFC 9112 §6.1)");
            require(lengths.isEmpty(), "Content-Length with 1xx or 204 (RFC 9110 §8.6)");
        }
        if (never || method.equals("HEAD")) {
            return RawResponse.Framing.NONE;
        }
        if (!codings.isEmpty()) {
            require(
                    codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked"),
                    "a transfer coding that was not asked for");
            require(!head.version().equals("HTTP/1.0"), "chunked in HTTP/1.0");
            return RawResponse.Framing.CHUNKED;
        }
        return lengths.isEmpty() ? RawResponse.Framing.CLOSE : RawResponse.Framing.LENGTH;
    }

    private RawResponse content(RawResponse head, RawResponse.Framing framing) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        List<RawResponse.Field> trailers = List.of();
        switch (framing) {
            case NONE -> {}
            case LENGTH -> take(Long.parseLong(head.all("Content-Length").getFirst()), body);
            case CHUNKED -> {
                chunks(body);
                trailers = fields();
            }
            case CLOSE -> {
                for (int b = in.next(); b >= 0; b = in.next()) {
                    body.write(b);
                }
            }
        }
        return new RawResponse(
                head.version(),
                head.status(),
                head.reason(),
                head.fields(),
                framing,
                body.toByteArray(),
                trailers,
                List.of());
    }

    private void chunks(ByteArrayOutputStream body) {
        long size;
        do {
            var line = CHUNK_SIZE.matcher(line("a chunk size"));
            require(line.matches(), "not a chunk size (RFC 9112 §7.1)");
            size = Long.parseLong(line.group(1), 16);
            if (size > 0) {
                take(size, body);
                require(line("the end of a chunk").isEmpty(), "no line end behind a chunk");
            }
        } while (size > 0);
    }

    private void take(long bytes, ByteArrayOutputStream into) {
        for (long i = 0; i < bytes; i++) {
            int b = in.next();
            if (b < 0) {
                throw new AssertionError(
                        "the connection ended after " + i + " of " + bytes + " bytes");
            }
            into.write(b);
        }
    }

    private List<RawResponse.Field> fields() {
        List<RawResponse.Field> fields = new ArrayList<>();
        for (String text = line("a field"); !text.isEmpty(); text = line("a field")) {
            var field = FIELD_LINE.matcher(text);
            require(field.matches(), "not a field line (RFC 9112 §5)");
            fields.add(new RawResponse.Field(field.group(1), field.group(2)));
        }
        return List.copyOf(fields);
    }

    private String line(String what) {
        StringBuilder line = new StringBuilder();
        while (line.length() < LINE_MAX_BYTES) {
            int b = in.next();
            if (b < 0) {
                throw new AssertionError("the connection ended where " + what + " was due");
            }
            if (b == '\n') {
                int end = line.length() - 1;
                require(end >= 0 && line.charAt(end) == '\r', "a line that ends in LF alone");
                line.setLength(end);
                require(line.indexOf("\r") < 0, "CR inside a line");
                return line.toString();
            }
            line.append((char) b);
        }
        throw new AssertionError("a line of more than 64 KiB where " + what + " was due");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
