package dev.serval.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Connections of a load over TLS, to the JDK's server sockets.
@Timeout(60)
final class ClientTlsTest {
    private static final int TURN_MILLIS = 100;

    private final LoadEngine engine = new LoadEngine(true);
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /// What a server does with a connection.
    @FunctionalInterface
    private interface Service {
        void serve(Socket socket) throws IOException;
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void turn(BooleanSupplier until) {
        while (!until.getAsBoolean()) {
            engine.turn(TURN_MILLIS);
        }
    }

    /// Serves one connection in another thread.
    private ServerSocket serving(ServerSocket listening, Service service) {
        Thread.ofVirtual()
                .start(() -> {
                    try (Socket socket = listening.accept()) {
                        service.serve(socket);
                    } catch (IOException e) {
                        heard.add("failed");
                    }
                });
        return listening;
    }

    private static ServerSocket secure(TestKeys keys) throws IOException {
        SSLContext context = keys.showing(keys);
        return context.getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    @Test
    void sendsReadsAndReportsTheClose() throws IOException {
        Service answers =
                socket -> {
                    byte[] asked = socket.getInputStream().readNBytes(3);
                    heard.add(new String(asked, StandardCharsets.US_ASCII));
                    write(socket, "an");
                    write(socket, "swer");
                };
        try (ServerSocket server = serving(secure(TestKeys.local()), answers)) {
            Recorded asking = new Recorded("ask");
            engine.connect(server.getLocalSocketAddress(), asking);
            turn(() -> asking.events().contains("closed"));
            assertThat(asking.received()).isEqualTo("answer");
            assertThat(asking.events()).containsExactly("connected", "sent", "closed");
            assertThat(heard).containsExactly("ask");
        }
    }

    /// Records of an answer arrive in parts, and the socket does not take all of the request at once.
    @Test
    void sendsAndReadsMoreThanSocketsTake() throws IOException {
        int length = 8 << 20;
        Service answers =
                socket -> {
                    int n = socket.getInputStream().readNBytes(length).length;
                    write(socket, "a".repeat(n));
                };
        try (ServerSocket server = serving(secure(TestKeys.local()), answers)) {
            Recorded asking = new Recorded(ByteBuffer.allocate(length));
            engine.connect(server.getLocalSocketAddress(), asking);
            turn(() -> asking.events().contains("closed"));
            assertThat(asking.received()).hasSize(length).containsOnlyOnce("a".repeat(length));
            assertThat(asking.events()).containsExactly("connected", "sent", "closed");
            assertThat(heard).isEmpty();
        }
    }

    @Test
    void serverWithAnotherCertificateIsRefused() throws IOException {
        TestKeys other = TestKeys.make("EC", "dns:localhost");
        Service reads = socket -> heard.add("read " + socket.getInputStream().read());
        try (ServerSocket server = serving(secure(other), reads)) {
            Recorded asking = new Recorded("ask");
            engine.connect(server.getLocalSocketAddress(), asking);
            turn(() -> !asking.events().isEmpty());
            assertThat(asking.events()).singleElement().asString().contains("PKIX path");
        }
    }

    @Test
    void serverThatEndsTheHandshakeHasClosed() throws IOException {
        Service ends = socket -> heard.add("read " + socket.getInputStream().read());
        ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (ServerSocket server = serving(plain, ends)) {
            Recorded asking = new Recorded("ask");
            engine.connect(server.getLocalSocketAddress(), asking);
            turn(() -> !asking.events().isEmpty());
            assertThat(heard).containsExactly("read 22"); // a record of the handshake
            assertThat(asking.events()).doesNotContain("connected");
        }
    }

    @Test
    void attemptThatEndsInTheHandshakeClosesItsSocket() throws IOException {
        Service waits =
                socket -> {
                    heard.add("read " + socket.getInputStream().read());
                    socket.getInputStream().readAllBytes();
                    heard.add("end");
                };
        ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (ServerSocket server = serving(plain, waits)) {
            Recorded asking = new Recorded("ask");
            Runnable stop = engine.connect(server.getLocalSocketAddress(), asking);
            turn(() -> !heard.isEmpty());
            stop.run();
            turn(() -> heard.contains("end"));
            assertThat(asking.events()).isEmpty();
        }
    }
}
