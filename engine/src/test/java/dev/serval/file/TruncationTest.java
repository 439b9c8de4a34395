package dev.serval.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.LeakCheck;
import dev.serval.Serval;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file cut short while the system sends it, over sockets.
final class TruncationTest {
    private static final long LENGTH = 64L << 20; // far more than sockets hold
    private static final int FAIL_SAFE_MILLIS = 20_000;

    @TempDir private Path root;

    @ParameterizedTest
    @ValueSource(strings = {"nio", "auto"})
    void endsTheConnectionAndNothingElse(String transport) throws IOException {
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
            int port = ((InetSocketAddress) server.addresses().getFirst()).getPort();
            for (int round = 0; round < 2; round++) { // cold, then known
                resize(file, LENGTH);
                try (Socket client = ask(port, "large.bin")) {
                    assertThat(client.getInputStream().read()).isEqualTo('H');
                    resize(file, 1000);
                    assertThat(readToEnd(client.getInputStream())).isLessThan(LENGTH);
                }
                try (Socket other = ask(port, "small.txt")) {
                    assertThat(new String(other.getInputStream().readAllBytes(), US_ASCII))
                            .endsWith("\r\n\r\nsmall");
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

    private static Socket ask(int port, String name) throws IOException {
        Socket client = new Socket();
        client.setReceiveBufferSize(16 << 10);
        client.setSoTimeout(FAIL_SAFE_MILLIS);
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        String request = "GET /" + name + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        client.getOutputStream().write(request.getBytes(US_ASCII));
        return client;
    }

    private static long readToEnd(InputStream in) throws IOException {
        long bytes = 0;
        byte[] buffer = new byte[64 << 10];
        try {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                bytes += n;
            }
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
        return bytes;
    }
}
