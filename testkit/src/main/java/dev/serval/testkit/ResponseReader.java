package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads one response, interim or final, exactly as RFC 9112 requires: every line ends in CR LF,
/// names are tokens, and there is one framing. Anything else is an [AssertionError]. The caller
/// passes arriving pieces to [#take] until the response is complete.
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

    /// What comes next, in this order. Each state except the contents consumes one line at a time.
    private enum State {
        STATUS_LINE("a status line"),
        FIELDS("a field"),
        FIXED("content"),
        UNTIL_CLOSE("content"),
        CHUNK_SIZE("a chunk size"),
        CHUNK("a chunk"),
        CHUNK_END("the end of a chunk"),
        TRAILERS("a field"),
        COMPLETE("nothing");

        private final String due;

        State(String due) {
            this.due = due;
        }
    }

    /// Receives content, `bytes[from, to)`.
    @FunctionalInterface
    interface Content {
        void take(byte[] bytes, int from, int to);
    }

    private final String method;
    private final Content content;
    private final StringBuilder line = new StringBuilder();
    private final List<RawResponse.Field> fields = new ArrayList<>();
    private State state = State.STATUS_LINE;
    private String version = "";
    private String reason = "";
    private int status;
    private long left; // bytes of fixed content or of a chunk
    private long length; // bytes of fixed content or of a chunk
    private @Nullable RawResponse head;

    /// Creates a reader.
    ///
    /// @param method the method of the request: no content follows HEAD
    /// @param content receives the content, piece by piece
    ResponseReader(String method, Content content) {
        this.method = method;
        this.content = content;
    }

    /// Reads all responses to GET in `bytes`. Fails if bytes are left over.
    static List<RawResponse> all(byte[] bytes) {
        List<RawResponse> responses = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            ResponseReader reader =
                    new ResponseReader("GET", (o, from, to) -> body.write(o, from, to - from));
            while (!reader.isComplete() && at < bytes.length) {
                at = reader.take(bytes, at, bytes.length);
            }
            if (!reader.isComplete()) {
                reader.end();
            }
            responses.add(reader.response(body.toByteArray()));
        }
        return responses;
    }

    /// Consumes the bytes of `bytes[from, to)` that belong to this response. The call
    /// that completes the head stops after it.
    ///
    /// @return index of the first byte that was not consumed
    int take(byte[] bytes, int from, int to) {
        int at = from;
        boolean hadHead = head != null;
        while (at < to && !isComplete() && hadHead == (head != null)) {
            at =
                    switch (state) {
                        case FIXED, CHUNK -> counted(bytes, at, to);
                        case UNTIL_CLOSE -> {
                            content.take(bytes, at, to);
                            yield to;
                        }
                        default -> line(bytes, at, to);
                    };
        }
        return at;
    }

    /// Handles the end of the connection.
    void end() {
        if (state == State.UNTIL_CLOSE) {
            state = State.COMPLETE;
        } else if (state == State.FIXED || state == State.CHUNK) {
            throw new AssertionError(
                    "the connection ended after " + (length - left) + " of " + length + " bytes");
        } else if (!isComplete()) {
            throw new AssertionError("the connection ended where " + state.due + " was due");
        }
    }

    /// Returns the head without content, or null before it was read.
    @Nullable RawResponse head() {
        return head;
    }

    /// Returns whether the whole response was read.
    boolean isComplete() {
        return state == State.COMPLETE;
    }

    /// Returns the complete response.
    ///
    /// @param body its content
    RawResponse response(byte[] body) {
        RawResponse known = known();
        List<RawResponse.Field> trailers = List.copyOf(fields);
        return new RawResponse(
                version,
                status,
                reason,
                known.fields(),
                known.framing(),
                body,
                trailers,
                List.of());
    }

    /// Returns the fields after chunked content, after the whole response was read.
    List<RawResponse.Field> trailers() {
        return List.copyOf(fields);
    }

    private RawResponse known() {
        if (head == null) {
            throw new IllegalStateException("no head was read yet");
        }
        return head;
    }

    private int counted(byte[] bytes, int from, int to) {
        int n = (int) Math.min(left, to - from);
        content.take(bytes, from, from + n);
        left -= n;
        if (left == 0) {
            state = state == State.CHUNK ? State.CHUNK_END : State.COMPLETE;
        }
        return from + n;
    }

    private int line(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            int b = bytes[at] & 0xff;
            if (b == '\n') {
                int end = line.length() - 1;
                require(
                        end >= 0 && line.charAt(end) == '\r',
                        "a line that ends in LF instead of CR LF");
                line.setLength(end);
                require(line.indexOf("\r") < 0, "CR inside a line");
                String text = line.toString();
                line.setLength(0);
                lineRead(text);
                return at + 1;
            }
            line.append((char) b);
            if (line.length() == LINE_MAX_BYTES) {
                throw new AssertionError(
                        "a line of more than 64 KiB where " + state.due + " was due");
            }
        }
        return to;
    }

    private void lineRead(String text) {
        switch (state) {
            case STATUS_LINE -> {
                var matcher = STATUS_LINE.matcher(text);
                require(matcher.matches(), "not a status line");
                version = matcher.group(1);
                status = Integer.parseInt(matcher.group(2));
                reason = matcher.group(3);
                state = State.FIELDS;
            }
            case FIELDS -> {
                if (text.isEmpty()) {
                    headEnded();
                } else {
                    field(text);
                }
            }
            case CHUNK_SIZE -> {
                var size = CHUNK_SIZE.matcher(text);
                require(size.matches(), "not a chunk size (RFC 9112 §7.1)");
                length = Long.parseLong(size.group(1), 16);
                left = length;
                state = left == 0 ? State.TRAILERS : State.CHUNK;
            }
            case CHUNK_END -> {
                require(text.isEmpty(), "no line end after a chunk");
                state = State.CHUNK_SIZE;
            }
            case TRAILERS -> {
                if (text.isEmpty()) {
                    state = State.COMPLETE;
                } else {
                    field(text);
                }
            }
            case FIXED, UNTIL_CLOSE, CHUNK, COMPLETE ->
                    throw new IllegalStateException("no line belongs to " + state);
        }
    }

    private void field(String text) {
        var field = FIELD_LINE.matcher(text);
        require(field.matches(), "not a field line (RFC 9112 §5)");
        fields.add(new RawResponse.Field(field.group(1), field.group(2)));
    }

    private void headEnded() {
        RawResponse bare = bareHead(RawResponse.Framing.NONE);
        RawResponse.Framing framing = framing(bare);
        head = bareHead(framing);
        fields.clear();
        state =
                switch (framing) {
                    case NONE -> State.COMPLETE;
                    case CHUNKED -> State.CHUNK_SIZE;
                    case CLOSE -> State.UNTIL_CLOSE;
                    case LENGTH -> {
                        length = Long.parseLong(bare.all("Content-Length").getFirst());
                        left = length;
                        yield length == 0 ? State.COMPLETE : State.FIXED;
                    }
                };
    }

    private RawResponse bareHead(RawResponse.Framing framing) {
        return new RawResponse(
                version,
                status,
                reason,
                List.copyOf(fields),
                framing,
                new byte[0],
                List.of(),
                List.of());
    }

    private RawResponse.Framing framing(RawResponse bare) {
        List<String> lengths = bare.all("Content-Length");
        List<String> codings = bare.all("Transfer-Encoding");
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
            require(!version.equals("HTTP/1.0"), "chunked in HTTP/1.0");
            return RawResponse.Framing.CHUNKED;
        }
        return lengths.isEmpty() ? RawResponse.Framing.CLOSE : RawResponse.Framing.LENGTH;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
