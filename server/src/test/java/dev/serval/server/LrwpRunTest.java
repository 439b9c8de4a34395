package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `serval run --lrwp`, as a user starts it.
@Timeout(120)
final class LrwpRunTest {
    @Test
    void servesAnApplicationThatDialsInAndShowsItInTheStartScreen() throws Exception {
        try (var server = ServerProcess.ready("run", "--port", "0", "--lrwp", "0")) {
            assertThat(server.lrwpLine()).contains("127.0.0.1:").endsWith("any name");
            assertThat(server.get("/app").status()).isEqualTo(404);
            byte[] startup = "app\u00ff\u00ff".getBytes(StandardCharsets.ISO_8859_1);
            try (RawClient peer = RawClient.connect(server.lrwpAddress()).send(startup)) {
                assertThat(peer.bytes(2)).containsExactly('O', 'K');
                Thread client =
                        Thread.ofPlatform()
                                .daemon()
                                .start(() -> {
                                    byte[] request = peer.bytes(9);
                                    assertThat(request).isNotEmpty();
                                    peer.send("000000009A: 1\n\nhey!");
                                });
                assertThat(server.get("/app").text()).isEqualTo("hey!".substring(0, 3));
                client.join(10_000);
            }
            Await.until("it falls back", () -> server.get("/app").status() == 404);
        }
    }
}
