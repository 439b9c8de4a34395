package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.LeakCheck;
import dev.serval.Serval;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests a file that is truncated while the system sends it, over sockets.
final class TruncationTest {
    private static final long LENGTH = 64L << 20; // far more than sockets hold

    @TempDir private Path root;

    @ParameterizedTest
    @ValueSource(strings = {"nio", "auto"})
    void endsOnlyTheConnection(String transport) throws IOException {
        Path file = root.resolve("large.bin");
        Files.writeString(root.resolve("small.txt"), "small");
        Serval server =
                Serval.builder()
                        .listen(0)
                        .loops(1)
                        .transport(transport)
                        .mount("/", Folder.of(root))
                        .start();
        try (server) {
            SocketAddress address = server.addresses().getFirst();
            for (int round = 0; round < 2; round++) { // cold, then cached
                resize(file, LENGTH);
                try (RawClient client = ask(address, "large.bin")) {
                    assertThat(client.bytes(1)).containsExactly('H');
                    resize(file, 1000);
                    assertThat(client.restLength()).isLessThan(LENGTH);
                }
                try (RawClient other = ask(address, "small.txt")) {
                    assertThat(other.answer().text()).isEqualTo("small");
                }
            }
        }
        LeakCheck.nothingHeld(server);
    }

    private static void resize(Path file, long length) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.truncate(length);
            if (channel.size() < length) {
                channel.write(ByteBuffer.allocate(1), length - 1);
            }
        }
    }

    private static RawClient ask(SocketAddress address, String name) {
        return RawClient.connect(address, 16 << 10)
                .patience(Duration.ofSeconds(20))
                .send("GET /" + name + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    }
}
