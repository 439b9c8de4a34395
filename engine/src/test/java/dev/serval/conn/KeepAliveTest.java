package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.Body;
import dev.serval.http.Fields;
import dev.serval.http.Handler;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.MemoryPeer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// How long a connection lives (RFC 9112 §9.3).
final class KeepAliveTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);
    private static final Handler GREETS =
            x ->
                    x.response()
                            .send(
                                    new ResponseHead(Status.OK, Fields.EMPTY, HELLO.length),
                                    Body.Bytes.of(HELLO));

    @Test
    void servesRequestAfterRequest() {
        try (MemoryServer server = MemoryServer.of(GREETS)) {
            MemoryPeer client = server.connect();

            for (int i = 0; i < 3; i++) {
                assertThat(server.ask(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                        .isEqualTo(
                                """
                                HTTP/1.1 200 OK\r
                                Content-Length: 5\r
                                Date: Thu, 01 Jan 2026 00:00:00 GMT\r
                                \r
                                hello\
                                """);
            }
            assertThat(client.isClosed()).isFalse();
        }
    }
}
