package dev.serval.testkit.layer;

import dev.serval.testkit.layer.ClientHpack.Field;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Writes one response of HTTP/2 as text of HTTP/1.1, and checks it by RFC 9113 §8. Owned by the thread
/// of its test.
final class ResponseText {
    private static final Set<String> FORBIDDEN =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

    /// The reasons that tests look for. HTTP/2 sends none.
    private static final Map<Integer, String> REASONS =
            Map.of(100, "Continue", 102, "Processing", 103, "Early Hints", 200, "OK");

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final boolean toHead;
    private boolean closes;
    private boolean began;
    private boolean chunked;
    private long left = -1; // bytes of content that Content-Length still promises; -1 without it

    /// Creates the text of a response of which nothing has come.
    ///
    /// @param toHead whether the request was HEAD
    /// @param closes whether the connection ends after it
    ResponseText(boolean toHead, boolean closes) {
        this.toHead = toHead;
        this.closes = closes;
    }

    /// Has the head announce the end of the connection, unless it was written.
    void closes() {
        closes = true;
    }

    /// Writes a head, interim or final.
    ///
    /// @param ends whether nothing follows
    byte[] head(List<Field> fields, boolean ends) {
        int status = Integer.parseInt(fields.getFirst().value());
        require(!began, "a second head");
        String reason = REASONS.getOrDefault(status, "");
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " " + reason + "\r\n");
        for (Field field : fields.subList(1, fields.size())) {
            check(field);
            if (field.name().equals("content-length")) {
                require(left < 0, "a second Content-Length");
                left = Long.parseLong(field.value());
            }
            line(head, field);
        }
        if (status < 200) {
            require(!ends, "an end after an interim response");
        } else {
            began = true;
            boolean never = toHead || status == NO_CONTENT || status == NOT_MODIFIED;
            require(!never || ends, "content after a response without content");
            chunked = !never && left < 0;
            if (never) {
                left = 0;
            }
            head.append(chunked ? "Transfer-Encoding: chunked\r\n" : "");
            head.append(closes ? "Connection: close\r\n" : "");
        }
        return RequestCutter.bytes(head.append("\r\n").toString());
    }

    /// Writes content.
    byte[] content(byte[] bytes) {
        require(began, "content before a head");
        if (!chunked) {
            left -= bytes.length;
            require(left >= 0, "more content than promised");
            return bytes;
        }
        if (bytes.length == 0) {
            return bytes;
        }
        byte[] size = RequestCutter.bytes(Integer.toHexString(bytes.length) + "\r\n");
        byte[] chunk = new byte[size.length + bytes.length + 2];
        System.arraycopy(size, 0, chunk, 0, size.length);
        System.arraycopy(bytes, 0, chunk, size.length, bytes.length);
        chunk[chunk.length - 2] = '\r';
        chunk[chunk.length - 1] = '\n';
        return chunk;
    }

    /// Writes the end.
    byte[] end(List<Field> trailers) {
        require(began, "an end before a head");
        if (!chunked) {
            require(left == 0, left + " bytes less than promised");
            require(trailers.isEmpty(), "trailers after content with a length");
            return new byte[0];
        }
        StringBuilder end = new StringBuilder("0\r\n");
        for (Field field : trailers) {
            check(field);
            line(end, field);
        }
        return RequestCutter.bytes(end.append("\r\n").toString());
    }

    /// Writes a line with the name as servers of HTTP/1.1 write it.
    private static void line(StringBuilder text, Field field) {
        String name = field.name();
        switch (name) {
            case "etag" -> text.append("ETag");
            case "www-authenticate" -> text.append("WWW-Authenticate");
            default -> {
                for (int i = 0; i < name.length(); i++) {
                    boolean first = i == 0 || name.charAt(i - 1) == '-';
                    char c = name.charAt(i);
                    text.append(first ? Character.toUpperCase(c) : c);
                }
            }
        }
        text.append(": ").append(field.value()).append("\r\n");
    }

    private static void check(Field field) {
        String name = field.name();
        require(!FORBIDDEN.contains(name), name + ", a field of HTTP/1.1 (RFC 9113 §8.2.2)");
        require(!name.startsWith(":"), name + " in a wrong place (RFC 9113 §8.3)");
        require(name.equals(name.toLowerCase(Locale.ROOT)), name + " in upper case (§8.2)");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError("the server sent " + otherwise);
        }
    }
}
