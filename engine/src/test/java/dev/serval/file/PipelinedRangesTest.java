package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.MemoryServer;
import dev.serval.net.memory.MemoryPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests how much memory a client holds that asks for many small ranges of a large file and reads no
/// answer.
final class PipelinedRangesTest {
    private static final int REQUESTS = 200;
    private static final int HELD_MAX_BYTES = 256 << 10;

    @TempDir private Path root;

    @Test
    void unreadRangesOfALargeFileHoldLittleMemory() throws IOException {
        Files.write(root.resolve("large.bin"), new byte[100_000]);
        FileHandler handler = new FileHandler(root, FileOptions.DEFAULT, LaterClock.LATER);
        try (MemoryServer server = MemoryServer.chain(handler)) {
            MemoryPeer client = server.connect();
            client.send(get("Connection: keep-alive")); // makes the file hot
            serve(server);
            client.takeText();

            client.window(0);
            for (int i = 0; i < REQUESTS; i++) {
                client.send(get("Range: bytes=" + ranges()));
            }
            serve(server);
            assertThat(server.held()).isLessThan(HELD_MAX_BYTES);

            client.window(Long.MAX_VALUE);
            serve(server);
            assertThat(client.takeText().split("HTTP/1.1 206 ", -1)).hasSize(REQUESTS + 1);
            assertThat(server.net().pool().lent()).isZero();
        }
    }

    /// Runs the look-ups and the reads of the disk too.
    private static void serve(MemoryServer server) {
        for (int i = 0; i < 4; i++) {
            server.run();
            server.work();
        }
    }

    private static String get(String field) {
        return "GET /large.bin HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n";
    }

    private static String ranges() {
        StringJoiner ranges = new StringJoiner(",");
        for (int i = 0; i < ByteRanges.RANGES_MAX; i++) {
            ranges.add(i * 10 + "-" + i * 10);
        }
        return ranges.toString();
    }
}
