package dev.serval.bench.load;

import dev.serval.bench.servlet.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The requests of a cell as bytes, made once.
final class RequestText {
    /// The fields that a current browser sends for an image of a page, in our own words.
    private static final String BROWSER =
            """
            User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36
            Accept: image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8
            Accept-Language: en-GB,en;q=0.9,de;q=0.6
            Accept-Encoding: gzip, deflate, br, zstd
            Referer: http://localhost/shop/index.html
            Sec-Fetch-Dest: image
            Sec-Fetch-Mode: no-cors
            Sec-Fetch-Site: same-origin
            """
                    .replace("\n", "\r\n");

    private RequestText() {}

    /// Returns the head of one request without a cookie.
    static String head(Client.Target target, Cell.HeadKind kind, boolean close) {
        return head(target, kind, close, "");
    }

    private static String head(
            Client.Target target, Cell.HeadKind kind, boolean close, String cookie) {
        Request request = target.request();
        String method = request == null ? "GET" : request.method();
        String more = kind == Cell.HeadKind.BROWSER ? BROWSER : "";
        if (request != null && !request.type().isEmpty()) {
            more +=
                    "Content-Type: "
                            + request.type()
                            + "\r\nContent-Length: "
                            + request.content().length
                            + "\r\n";
        }
        if (!cookie.isEmpty()) {
            more += "Cookie: " + cookie + "\r\n";
        }
        return method
                + " "
                + target.page().path()
                + " HTTP/1.1\r\n"
                + "Host: 127.0.0.1:"
                + target.port()
                + "\r\n"
                + more
                + (close ? "Connection: close\r\n" : "")
                + "\r\n";
    }

    /// Returns the requests of a pipeline in a direct buffer.
    ///
    /// @param cookie value of the field `Cookie`, or an empty text
    /// @param last whether the last request closes the connection
    static ByteBuffer batch(Client.Target target, Cell.Load load, String cookie, boolean last) {
        String content =
                target.request() == null
                        ? ""
                        : new String(target.request().content(), StandardCharsets.US_ASCII);
        String open = head(target, load.head(), false, cookie) + content;
        String end = last ? head(target, load.head(), true, cookie) + content : open;
        String text = open.repeat(load.pipeline() - 1) + end;
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
