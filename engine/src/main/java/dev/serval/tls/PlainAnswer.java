package dev.serval.tls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The answer to a client that sends plain HTTP to a port for TLS.
final class PlainAnswer {
    private static final String TEXT =
            "This port speaks TLS: write https:// instead of http:// in the address.\n";
    private static final byte[] BYTES =
            ("HTTP/1.1 400 Bad Request\r\n"
                            + "Content-Type: text/plain; charset=utf-8\r\n"
                            + "Content-Length: "
                            + TEXT.length()
                            + "\r\nConnection: close\r\n\r\n"
                            + TEXT)
                    .getBytes(StandardCharsets.US_ASCII);

    private PlainAnswer() {}

    /// Puts the answer into a buffer.
    static ByteBuffer bytes(ByteBuffer into) {
        return into.clear().put(BYTES).flip();
    }
}
