package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.serval.bench.peer.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class VisitTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final OpenLoad.Terms TERMS =
            new OpenLoad.Terms(1, 30 * SECOND_NANOS, 30 * SECOND_NANOS, 100);

    private static Script.Ask ask(String path) {
        return new Script.Ask(path, path.getBytes(StandardCharsets.US_ASCII));
    }

    private static Script.Burst burst(double thinkSeconds, String... paths) {
        return new Script.Burst(List.of(paths).stream().map(VisitTest::ask).toList(), thinkSeconds);
    }

    /// Answers each path with the path. Notes requests with their cookies, and the clients' ports.
    private static final class EchoServer implements AutoCloseable {
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        private final Collection<String> requests = new ConcurrentLinkedQueue<>();
        private final Collection<Integer> ports = new ConcurrentLinkedQueue<>();

        /// Images are answered when so many are there.
        private final CyclicBarrier images;

        EchoServer(int images) throws IOException {
            this.images = new CyclicBarrier(images);
            server.createContext("/", this::handle);
            server.setExecutor(threads);
            server.start();
        }

        private void handle(HttpExchange exchange) throws IOException {
            String path = exchange.getRequestURI().toString();
            requests.add(path + " " + exchange.getRequestHeaders().getFirst("Cookie"));
            ports.add(exchange.getRemoteAddress().getPort());
            if (path.startsWith("/image")) {
                try {
                    images.await();
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
            if (path.startsWith("/close")) {
                exchange.getResponseHeaders().set("Connection", "close");
            }
            exchange.getResponseHeaders().set("Set-Cookie", "id=" + requests.size() + "; Path=/");
            byte[] content = path.getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(path.startsWith("/busy") ? 503 : 200, content.length);
            exchange.getResponseBody().write(content);
            exchange.close();
        }

        Fates visited(Script script) throws IOException {
            return VisitTest.visited(server.getAddress().getPort(), script, TERMS);
        }

        @Override
        public void close() {
            server.stop(0);
            threads.close();
        }
    }

    private static Fates visited(int port, Script script, OpenLoad.Terms terms) throws IOException {
        Client.Target target = new Client.Target(port, new Site.Page("/", 0, ""));
        try (OpenLoad load = OpenLoad.of(script, target, terms)) {
            Fates fates = new Fates(Offer.open(1, 1), SECOND_NANOS);
            load.send(fates, System.nanoTime(), 0);
            while (fates.all() == 0) {
                load.turn(10_000_000);
            }
            long now = System.nanoTime();
            assertThat(load.thoughts().pauseNanos(now, 1)).as("nobody thinks").isEqualTo(1);
            return fates;
        }
    }

    @Test
    void sendsTheRequestsOfABurstAtOnceAndTheFirstCookieWithAllAfterIt() throws IOException {
        Script script =
                new Script(
                        List.of(
                                burst(0, "/page"),
                                burst(0.01, "/image1", "/image2", "/image3"),
                                burst(0, "/last")));
        try (EchoServer server = new EchoServer(3)) {
            Fates fates = server.visited(script);
            assertThat(fates.count(Fate.RIGHT)).isEqualTo(1);
            assertThat(server.requests)
                    .startsWith("/page null")
                    .endsWith("/last id=1")
                    .containsExactlyInAnyOrder(
                            "/page null",
                            "/image1 id=1",
                            "/image2 id=1",
                            "/image3 id=1",
                            "/last id=1");
            assertThat(server.ports.stream().distinct()).as("connections are kept").hasSize(3);
        }
    }

    @Test
    void connectionThatTheServerClosesIsReplaced() throws IOException {
        try (EchoServer server = new EchoServer(1)) {
            Fates fates =
                    server.visited(new Script(List.of(burst(0, "/close1"), burst(0, "/close2"))));
            assertThat(fates.count(Fate.RIGHT)).isEqualTo(1);
            assertThat(server.ports.stream().distinct()).hasSize(2);
        }
    }

    @Test
    void wrongAnswerEndsTheSession() throws IOException {
        Script.Ask other = new Script.Ask("/other", new byte[6]);
        try (EchoServer server = new EchoServer(1)) {
            Script script = new Script(List.of(Script.Burst.of(other), burst(0, "/never")));
            assertThat(server.visited(script).count(Fate.WRONG)).isEqualTo(1);
            script = new Script(List.of(burst(0, "/busy"), burst(0, "/never")));
            assertThat(server.visited(script).count(Fate.UNAVAILABLE)).isEqualTo(1);
            assertThat(server.requests).containsExactly("/other null", "/busy null");
        }
    }

    /// The server sends more than its answer, which the client learns while it thinks.
    @Test
    void sessionThatEndsInAThoughtAsksNoMore() throws IOException {
        byte[] answer =
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n/page and more"
                        .getBytes(StandardCharsets.US_ASCII);
        Script script = new Script(List.of(burst(100, "/page"), burst(0, "/never")));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            threads.execute(() -> {
                try (Socket client = server.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream().write(answer);
                    client.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Fates fates = visited(server.getLocalPort(), script, TERMS);
            assertThat(fates.count(Fate.WRONG)).isEqualTo(1);
        }
    }

    @Test
    void clientGoesAwayAfterItsPatience() throws IOException {
        OpenLoad.Terms terms = new OpenLoad.Terms(1, 1_000_000, 100_000_000, 100);
        Script script = new Script(List.of(burst(0, "/page")));
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Fates fates = visited(silent.getLocalPort(), script, terms);
            assertThat(fates.count(Fate.TIMEOUT)).isEqualTo(1);
        }
    }

    @Test
    void refusedConnectionIsARefusal() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        Fates fates = visited(port, new Script(List.of(burst(0, "/page", "/image"))), TERMS);
        assertThat(fates.count(Fate.REFUSED)).isEqualTo(1);
        assertThat(fates.all()).isEqualTo(1);
    }

    @Test
    void sessionNeedsAllOfItsConnections() throws IOException {
        OpenLoad.Terms terms = new OpenLoad.Terms(1, SECOND_NANOS, SECOND_NANOS, 2);
        Script script = new Script(List.of(burst(0, "/1", "/2", "/3")));
        try (EchoServer server = new EchoServer(1)) {
            Fates fates = visited(server.server.getAddress().getPort(), script, terms);
            assertThat(fates.count(Fate.NOT_SENT)).isEqualTo(1);
        }
    }

    @Test
    void thinkingIsNoWaiting() {
        Script script = new Script(List.of(burst(2, "/1"), burst(0.5, "/2"), burst(4, "/3")));
        assertThat(script.waitedNanos(3 * SECOND_NANOS)).isEqualTo(SECOND_NANOS / 2);
    }
}
