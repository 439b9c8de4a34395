package dev.serval.gateway.neighbour;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import dev.serval.testkit.mode.EveryMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Many clients that read nothing of long answers, beside one that reads.
@EveryMode
@Timeout(120)
final class UnreadAnswersTest {
    private static final int SLOW_CLIENTS = 200;
    private static final int CONTENT_BYTES = 1 << 20; // more than a client that reads nothing takes
    private static final int RECEIVE_BUFFER_BYTES = 8 << 10;
    private static final int RECORD_BYTES = 32 << 10;

    private final byte[] content = new byte[CONTENT_BYTES];

    @ParameterizedTest
    @CsvSource({
        "http, http://127.0.0.1:PORT?connections=20",
        "scgi, scgi://127.0.0.1:PORT?connections=20",
        "fastcgi, fastcgi://127.0.0.1:PORT?connections=20"
    })
    void unreadAnswersHoldNoConnection(String kind, String mount) throws IOException {
        new Random(5).nextBytes(content);
        List<RawClient> slow = new ArrayList<>();
        try (ServerSocketChannel listener =
                        ServerSocketChannel.open()
                                .bind(
                                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                        SLOW_CLIENTS);
                GatewayServer server =
                        GatewayServer.patient("/=" + mount.replace("PORT", "" + port(listener)))) {
            Thread.ofVirtual().start(() -> accept(listener, kind));
            for (int i = 0; i < SLOW_CLIENTS; i++) {
                slow.add(
                        RawClient.connect(server.address(), RECEIVE_BUFFER_BYTES)
                                .send("GET /long HTTP/1.1\r\nHost: h\r\n\r\n"));
            }
            assertThat(server.get("/short").text()).isEqualTo("ok");
            assertThat(slow.getFirst().answer().body()).isEqualTo(content);
            slow.forEach(RawClient::reset);
        } finally {
            slow.forEach(RawClient::close);
        }
    }

    private static int port(ServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    private void accept(ServerSocketChannel listener, String kind) {
        try {
            while (true) {
                SocketChannel socket = listener.accept();
                Thread.ofVirtual().start(() -> answer(socket, kind));
            }
        } catch (IOException e) {
            // closed
        }
    }

    /// Answers one request, which is one write.
    private void answer(SocketChannel socket, String kind) {
        try (socket) {
            ByteBuffer request = ByteBuffer.allocate(64 << 10);
            socket.read(request);
            boolean isLong = new String(request.array(), ISO_8859_1).contains("/long");
            ByteBuffer left =
                    ByteBuffer.wrap(wire(kind, isLong ? content : "ok".getBytes(ISO_8859_1)));
            while (left.hasRemaining()) {
                socket.write(left);
            }
        } catch (IOException e) {
            // the gateway has closed the connection
        }
    }

    private static byte[] wire(String kind, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] head = "Content-Type: a/b\r\n\r\n".getBytes(ISO_8859_1);
        switch (kind) {
            case "http" -> {
                String status =
                        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                                + content.length
                                + "\r\n\r\n";
                out.writeBytes(status.getBytes(ISO_8859_1));
                out.writeBytes(content);
            }
            case "scgi" -> {
                out.writeBytes(head);
                out.writeBytes(content);
            }
            default -> {
                record(out, 6, head);
                for (int at = 0; at < content.length; at += RECORD_BYTES) {
                    int to = Math.min(content.length, at + RECORD_BYTES);
                    record(out, 6, Arrays.copyOfRange(content, at, to));
                }
                record(out, 3, new byte[8]);
            }
        }
        return out.toByteArray();
    }

    private static void record(ByteArrayOutputStream out, int type, byte[] bytes) {
        int length = bytes.length;
        out.writeBytes(
                new byte[] {1, (byte) type, 0, 1, (byte) (length >> 8), (byte) length, 0, 0});
        out.writeBytes(bytes);
    }
}
