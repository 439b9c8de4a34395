package dev.serval.gateway.neighbour;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.mode.EveryMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers of which the client has not taken the last part when the application closes its
/// Unix-domain socket. The system reports that at once, although bytes can still be read.
@EveryMode
@Timeout(60)
final class PausedAnswerTest {
    private static final int BODY_BYTES = 4 << 20;

    /// More than the server takes for a client that does not read, and less than it and the
    /// system's buffer of the application's socket take together.
    private static final int LAST_BYTES = 400_000;

    private static final int SEND_BUFFER_BYTES = 1 << 20; // as far as the system allows
    private static final int RECEIVE_BUFFER_BYTES = 8 << 10;
    private static final int RECORD_BYTES = 32 << 10;

    private final byte[] body = new byte[BODY_BYTES];
    private final CountDownLatch firstTaken = new CountDownLatch(1);
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scgi",
                "fastcgi",
                "http",
                "http with length",
                "upgrade",
                "upgrade, client sends"
            })
    void clientGetsAllOfIt(String kind) throws Exception {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        new Random(1).nextBytes(body);
        Path path = folder.resolve("s");
        try (ServerSocketChannel listener =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                                .bind(UnixDomainSocketAddress.of(path));
                GatewayServer server = GatewayServer.ofOneLoop("/x=" + mount(kind, path));
                RawClient other = RawClient.connect(server.address());
                RawClient client = RawClient.connect(server.address(), RECEIVE_BUFFER_BYTES)) {
            Thread.ofVirtual().start(() -> answer(listener, wire(kind)));
            client.send(request(kind));
            client.until("\r\n\r\n");
            byte[] first = client.bytes(BODY_BYTES - LAST_BYTES);
            firstTaken.countDown();
            closed.get();
            for (int i = 0; i < 2; i++) { // now the loop knows
                other.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            }
            if (kind.endsWith("sends")) { // to a peer that is gone
                client.send("x");
                other.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
                other.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            }
            byte[] rest = client.rest();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(first);
            all.writeBytes(rest);
            assertThat(all.size()).isEqualTo(BODY_BYTES);
            assertThat(all.toByteArray()).isEqualTo(body);
            if (!kind.endsWith("sends")) {
                assertThat(server.neighbour("/x").pool().status().failed().values())
                        .containsOnly(0L);
            }
        }
    }

    private static String mount(String kind, Path path) {
        return switch (kind) {
            case "scgi" -> "scgi://unix:" + path;
            case "fastcgi" -> "fastcgi://unix:" + path + "?root=/srv&remote=yes&keep=no";
            default -> "http://unix:" + path;
        };
    }

    private static String request(String kind) {
        return kind.startsWith("upgrade")
                ? "GET /x/a HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: toy\r\n\r\n"
                : "GET /x/a.php HTTP/1.0\r\nHost: h\r\n\r\n";
    }

    private byte[] wire(String kind) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        switch (kind) {
            case "scgi" -> out.writeBytes("Content-Type: a/b\r\n\r\n".getBytes(ISO_8859_1));
            case "fastcgi" -> {
                record(out, 6, "Content-Type: a/b\r\n\r\n".getBytes(ISO_8859_1), 0, 21);
                for (int at = 0; at < BODY_BYTES; at += RECORD_BYTES) {
                    record(out, 6, body, at, RECORD_BYTES);
                }
                record(out, 3, new byte[8], 0, 8);
                return out.toByteArray();
            }
            case "http" ->
                    out.writeBytes(
                            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
            case "http with length" ->
                    out.writeBytes(
                            ("HTTP/1.1 200 OK\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n")
                                    .getBytes(ISO_8859_1));
            default ->
                    out.writeBytes(
                            "HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: toy\r\n\r\n"
                                    .getBytes(ISO_8859_1));
        }
        out.writeBytes(body);
        return out.toByteArray();
    }

    private static void record(
            ByteArrayOutputStream out, int type, byte[] from, int at, int length) {
        out.writeBytes(
                new byte[] {1, (byte) type, 0, 1, (byte) (length >> 8), (byte) length, 0, 0});
        out.write(from, at, length);
    }

    private void answer(ServerSocketChannel listener, byte[] wire) {
        try (SocketChannel socket = listener.accept()) {
            socket.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
            socket.read(ByteBuffer.allocate(64 << 10)); // the request, which is one write
            int first = wire.length - LAST_BYTES;
            send(socket, ByteBuffer.wrap(wire, 0, first));
            firstTaken.await();
            send(socket, ByteBuffer.wrap(wire, first, LAST_BYTES));
        } catch (IOException | InterruptedException e) {
            closed.completeExceptionally(e);
        }
        closed.complete(null);
    }

    private static void send(SocketChannel socket, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }
}
