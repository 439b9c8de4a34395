package dev.serval.testkit.layer;

import dev.serval.testkit.layer.ClientHpack.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Cuts the bytes of requests of HTTP/1.1 into the parts of requests of HTTP/2. It takes one request at
/// a time, and fails for what HTTP/2 cannot say. Owned by the thread of its test.
final class RequestCutter {
    /// Fields of one connection, which HTTP/2 does not have (RFC 9113 §8.2.2), and Host.
    private static final Set<String> DROPPED =
            Set.of("connection", "host", "keep-alive", "transfer-encoding");

    /// What comes next. Each state except the contents takes one line at a time.
    private enum State {
        HEAD,
        FIXED,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        COMPLETE
    }

    /// Receives the parts of a request.
    interface Parts {
        /// Receives the head.
        ///
        /// @param closes whether the connection ends after this request
        /// @param ends whether nothing follows
        void head(List<Field> fields, boolean closes, boolean ends);

        /// Receives content, `bytes[from, to)`.
        ///
        /// @param ends whether nothing follows
        void content(byte[] bytes, int from, int to, boolean ends);

        /// Receives the end of content without a length, with trailers or without.
        void end(List<Field> trailers);
    }

    private final String scheme;
    private final Parts parts;
    private final StringBuilder line = new StringBuilder();
    private final List<String> lines = new ArrayList<>();
    private State state = State.HEAD;
    private long left; // bytes of fixed content or of a chunk

    RequestCutter(String scheme, Parts parts) {
        this.scheme = scheme;
        this.parts = parts;
    }

    /// Returns whether a request is complete, so that [#next] must be called.
    boolean isComplete() {
        return state == State.COMPLETE;
    }

    /// Returns whether nothing of a request was taken.
    boolean isAtStart() {
        return state == State.HEAD && lines.isEmpty() && line.isEmpty();
    }

    /// Begins the next request.
    void next() {
        state = State.HEAD;
    }

    /// Takes bytes up to the end of the request.
    ///
    /// @param room bytes of content that may be taken
    /// @return index of the first byte that was not taken
    int take(byte[] bytes, int from, int to, int room) {
        int at = from;
        int content = room;
        while (at < to && !isComplete()) {
            if (state == State.FIXED || state == State.CHUNK) {
                int n = (int) Math.min(Math.min(left, to - at), content);
                if (n == 0) {
                    break;
                }
                counted(bytes, at, at + n);
                at += n;
                content -= n;
            } else {
                at = line(bytes, at, to);
            }
        }
        return at;
    }

    private void counted(byte[] bytes, int from, int to) {
        left -= to - from;
        boolean fixed = state == State.FIXED;
        if (left == 0) {
            state = fixed ? State.COMPLETE : State.CHUNK_END;
        }
        parts.content(bytes, from, to, fixed && left == 0);
    }

    private int line(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\n') {
                require(!line.isEmpty() && line.charAt(line.length() - 1) == '\r', "a lone LF");
                String text = line.substring(0, line.length() - 1);
                line.setLength(0);
                taken(text);
                return at + 1;
            }
            line.append((char) (bytes[at] & 0xff));
        }
        return to;
    }

    private void taken(String text) {
        switch (state) {
            case HEAD -> {
                if (text.isEmpty()) {
                    head();
                } else {
                    lines.add(text);
                }
            }
            case CHUNK_SIZE -> {
                int size = text.indexOf(';') < 0 ? text.length() : text.indexOf(';');
                left = Long.parseLong(text.substring(0, size).strip(), 16);
                state = left == 0 ? State.TRAILERS : State.CHUNK;
            }
            case CHUNK_END -> state = State.CHUNK_SIZE;
            case TRAILERS -> {
                if (text.isEmpty()) {
                    state = State.COMPLETE;
                    List<Field> trailers = lines.stream().map(RequestCutter::field).toList();
                    lines.clear();
                    parts.end(trailers);
                } else {
                    lines.add(text);
                }
            }
            case FIXED, CHUNK, COMPLETE -> throw new IllegalStateException(state + " has no lines");
        }
    }

    private void head() {
        require(!lines.isEmpty(), "an empty line before a request");
        List<Field> all = lines.stream().skip(1).map(RequestCutter::field).toList();
        List<Field> fields = new ArrayList<>(pseudo(lines.getFirst(), all));
        lines.clear();
        all.stream().filter(field -> !DROPPED.contains(field.name())).forEach(fields::add);
        String coding = value(all, "transfer-encoding");
        String length = value(all, "content-length");
        require(value(all, "upgrade").isEmpty(), "Upgrade (RFC 9113 §8.6)");
        require(coding.isEmpty() || coding.equals("chunked"), "the coding " + coding);
        require(coding.isEmpty() || length.isEmpty(), "two framings");
        boolean closes = value(all, "connection").toLowerCase(Locale.ROOT).contains("close");
        left = length.isEmpty() ? 0 : Long.parseLong(length);
        state = !coding.isEmpty() ? State.CHUNK_SIZE : left > 0 ? State.FIXED : State.COMPLETE;
        parts.head(fields, closes, state == State.COMPLETE);
    }

    private List<Field> pseudo(String requestLine, List<Field> fields) {
        String[] words = requestLine.split(" ", -1);
        require(words.length == 3 && words[2].equals("HTTP/1.1"), "the line " + requestLine);
        List<String> hosts =
                fields.stream().filter(f -> f.name().equals("host")).map(Field::value).toList();
        require(hosts.size() < 2, "two Host fields");
        List<Field> pseudo = new ArrayList<>();
        pseudo.add(new Field(":method", words[0]));
        int authority = words[1].indexOf("://");
        if (words[0].equals("CONNECT")) {
            pseudo.add(new Field(":authority", words[1])); // and no others (RFC 9113 §8.5)
        } else if (authority > 0) {
            int path = words[1].indexOf('/', authority + 3);
            pseudo.add(new Field(":scheme", words[1].substring(0, authority)));
            String host = words[1].substring(authority + 3, path < 0 ? words[1].length() : path);
            pseudo.add(new Field(":authority", host));
            pseudo.add(new Field(":path", path < 0 ? "/" : words[1].substring(path)));
        } else {
            pseudo.add(new Field(":scheme", scheme));
            hosts.forEach(host -> pseudo.add(new Field(":authority", host)));
            pseudo.add(new Field(":path", words[1]));
        }
        return pseudo;
    }

    private static Field field(String text) {
        int colon = text.indexOf(':');
        require(colon > 0 && text.charAt(0) > ' ', "the field line " + text);
        return new Field(
                text.substring(0, colon).toLowerCase(Locale.ROOT),
                text.substring(colon + 1).strip());
    }

    private static String value(List<Field> fields, String name) {
        return String.join(
                ", ",
                fields.stream().filter(f -> f.name().equals(name)).map(Field::value).toList());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError("HTTP/2 cannot say: " + otherwise);
        }
    }

    /// Returns the bytes of a text.
    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
