package dev.serval.bench.load;

import dev.serval.bench.peer.Resources;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Members;
import dev.serval.bench.servlet.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The requests of a cell as bytes, made once.
final class RequestText {
    /// The fields that a current browser sends for an image of a page, in our own words.
    private static final String BROWSER =
            Resources.text(RequestText.class, "browser.txt").replace("\n", "\r\n");

    private RequestText() {}

    /// Returns one request with its content.
    ///
    /// @param cookie value of the field `Cookie`, or an empty text
    /// @param close whether the server shall close the connection after its answer
    static String request(Client.Target target, Cell.HeadKind kind, String cookie, boolean close) {
        Request request = target.request();
        StringBuilder text = new StringBuilder();
        text.append(request == null ? "GET" : request.method());
        text.append(' ').append(target.page().path()).append(" HTTP/1.1\r\n");
        field(text, "Host", "127.0.0.1:" + target.port());
        text.append(kind == Cell.HeadKind.BROWSER ? BROWSER : "");
        byte[] content = request == null ? new byte[0] : request.content();
        if (request != null && !request.type().isEmpty()) {
            field(text, "Content-Type", request.type());
            field(text, "Content-Length", String.valueOf(content.length));
        }
        if (request != null && request.loggedIn()) {
            field(text, "Authorization", Members.credentials().getFirst());
        }
        field(text, "Cookie", cookie);
        field(text, "Connection", close ? "close" : "");
        return text.append("\r\n") + new String(content, StandardCharsets.US_ASCII);
    }

    private static void field(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(name).append(": ").append(value).append("\r\n");
        }
    }

    /// Returns the requests of a pipeline in a direct buffer.
    static ByteBuffer batch(Client.Target target, Cell.Load load, String cookie, boolean last) {
        String open = request(target, load.head(), cookie, false);
        String end = request(target, load.head(), cookie, last);
        return direct(open.repeat(load.pipeline() - 1) + end);
    }

    /// Returns a text in a direct buffer, to be read.
    static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
