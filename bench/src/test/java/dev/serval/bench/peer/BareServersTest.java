package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.client.HttpConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests pipelined requests to the bare servers, also with answers that are too long for a socket.
@Timeout(120)
class BareServersTest {
    private static final int FAIL_SAFE_MILLIS = 30_000;
    private static final int PIPELINED = 20;

    @ParameterizedTest
    @ValueSource(strings = {"floor", "netty"})
    void answersWithTheFile(String server) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        Map<String, Integer> files = Map.of("4k.bin", 4096, "954k.bin", 976_896);
        try (Stage stage = Stage.create(files, Cpus.unpinned(Set.of(0)));
                RunningPeer peer = Peers.shipped(server, Role.FILES).start(stage)) {
            for (String name : files.keySet()) {
                byte[] file = Files.readAllBytes(stage.site().root().resolve(name));
                try (HttpConnection client = HttpConnection.to(peer.port(), FAIL_SAFE_MILLIS)) {
                    String request = "GET /" + name + " HTTP/1.1\r\nHost: a\r\n\r\n";
                    byte[] all = request.repeat(PIPELINED).getBytes(StandardCharsets.US_ASCII);
                    client.send(all, 0, all.length - 2);
                    client.send(all, all.length - 2, 2);
                    for (int i = 0; i < PIPELINED; i++) {
                        assertThat(client.head().status()).isEqualTo(200);
                        assertThat(client.content()).isEqualTo(file);
                    }
                }
            }
        }
    }
}
