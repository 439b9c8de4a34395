package dev.serval.gateway.neighbour;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Long answers of an HTTP upstream. They pass from socket to socket inside the system, by pipes,
/// which this test counts.
@EveryMode
@Timeout(60)
final class LongAnswerTest {
    private static final int BODY_BYTES = 4 << 20;

    /// The pipes that a loop keeps for the next answers have two descriptors each.
    private static final int SPARE_DESCRIPTORS_MAX = 8;

    private final byte[] body = new byte[BODY_BYTES];
    private final CompletableFuture<Integer> sent = new CompletableFuture<>();

    @BeforeEach
    void needsEpoll() {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        new Random(3).nextBytes(body);
    }

    @Test
    void longAnswerPassesThroughAPipe() throws Exception {
        try (ServerSocketChannel listener = listening();
                GatewayServer server = gateway(listener);
                RawClient client = RawClient.connect(server.address())) {
            Thread.ofVirtual().start(() -> answer(listener, BODY_BYTES, 1));
            long before = pipes();
            client.send("GET /x/a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            client.until("\r\n\r\n");
            assertThat(client.rest()).isEqualTo(body);
            assertThat(pipes()).isGreaterThan(before);
        }
    }

    @Test
    void answerThatEndsEarlyIsCutWhereItEnded() throws Exception {
        int length = BODY_BYTES / 2 + 1;
        try (ServerSocketChannel listener = listening();
                GatewayServer server = gateway(listener);
                RawClient client = RawClient.connect(server.address())) {
            Thread.ofVirtual().start(() -> answer(listener, length, 1));
            client.send("GET /x/a HTTP/1.1\r\nHost: h\r\n\r\n");
            client.until("\r\n\r\n");
            assertThat(client.rest()).isEqualTo(Arrays.copyOf(body, length));
        }
    }

    @Test
    void clientThatLeavesLeavesNoPipeBehind() throws Exception {
        try (ServerSocketChannel listener = listening();
                GatewayServer server = gateway(listener)) {
            Thread.ofVirtual().start(() -> answer(listener, BODY_BYTES, 8));
            long before = pipes();
            try (RawClient client = RawClient.connect(server.address(), 8 << 10)) {
                client.send("GET /x/a HTTP/1.1\r\nHost: h\r\n\r\n");
                client.until("\r\n\r\n");
                assertThat(client.bytes(1000)).isEqualTo(Arrays.copyOf(body, 1000));
            }
            assertThat(sent.get())
                    .isLessThan(8 * BODY_BYTES); // the gateway has closed the connection
            assertThat(pipes()).isLessThanOrEqualTo(before + SPARE_DESCRIPTORS_MAX);
        }
    }

    private static ServerSocketChannel listening() throws IOException {
        return ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static GatewayServer gateway(ServerSocketChannel listener) throws Exception {
        int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        return GatewayServer.ofOneLoop("/x=http://127.0.0.1:" + port);
    }

    /// Returns the descriptors of pipes that this process has open.
    private static long pipes() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(LongAnswerTest::isPipe).count();
        }
    }

    private static boolean isPipe(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("pipe:");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    /// Promises the whole body some times, and sends `length` bytes of it each time.
    private void answer(ServerSocketChannel listener, int length, int times) {
        int count = 0;
        try (SocketChannel socket = listener.accept()) {
            socket.read(ByteBuffer.allocate(64 << 10)); // the request, which is one write
            String head =
                    "HTTP/1.1 200 OK\r\nContent-Length: " + (long) times * BODY_BYTES + "\r\n\r\n";
            socket.write(ByteBuffer.wrap(head.getBytes(ISO_8859_1)));
            for (int i = 0; i < times; i++) {
                ByteBuffer left = ByteBuffer.wrap(body, 0, length);
                while (left.hasRemaining()) {
                    count += socket.write(left);
                }
            }
        } catch (IOException e) {
            sent.complete(count); // the other end has closed
        }
        sent.complete(count);
    }
}
