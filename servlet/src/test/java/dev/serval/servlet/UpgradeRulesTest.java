package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What `upgrade` means in each state of a request, and half-closed connections (Servlet 6.1
/// §2.3.3.5).
@EveryMode
@Timeout(60)
final class UpgradeRulesTest {
    private static final String ASK =
            "GET /s HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n";

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final Trace trace = new Trace();

    /// Code that uses an upgraded connection.
    private interface Use {
        void of(WebConnection connection) throws IOException;
    }

    /// Runs the code of a test, and records the end.
    public static final class Handler implements HttpUpgradeHandler {
        private List<String> seen = List.of();
        private Use use = _ -> {};

        @Override
        public void init(WebConnection connection) {
            try {
                use.of(connection);
            } catch (IOException e) {
                seen.add(e.getClass().getSimpleName());
            }
        }

        @Override
        public void destroy() {
            seen.add("destroy");
        }

        @PreDestroy
        public void released() {
            seen.add("released");
        }

        private void set(List<String> events, Use code) {
            seen = events;
            use = code;
        }
    }

    private ServletServer serve(CodeServlet.Code code) throws IOException {
        return ServletServer.start(
                WebApp.at("").servlet("/s", new CodeServlet(code)).listener(trace));
    }

    private ServletServer upgrading(Use use) throws IOException {
        return serve((request, _) -> request.upgrade(Handler.class).set(seen, use));
    }

    private void awaitRelease() {
        Await.until("the handler is released", () -> seen.contains("released"));
    }

    // States of the request

    @Test
    void upgradeAfterCommitIsRefused() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    response.getWriter().print("sent ");
                    response.flushBuffer();
                    assertThatIllegalStateException()
                            .isThrownBy(() -> request.upgrade(Handler.class))
                            .withMessageContaining("committed");
                    response.getWriter().print("whole");
                })) {
            RawResponse response = server.get("/s", "Connection: upgrade", "Upgrade: own");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.text()).isEqualTo("sent whole");
        }
    }

    @Test
    void commitAfterUpgradeIsAnsweredInstead() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    request.upgrade(Handler.class).set(seen, _ -> seen.add("init"));
                    response.getWriter().print("sent ");
                    response.flushBuffer();
                    response.getWriter().print("whole");
                })) {
            RawResponse response = server.get("/s", "Connection: upgrade", "Upgrade: own");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.text()).isEqualTo("sent whole");
            awaitRelease();
            assertThat(seen).containsExactly("released");
            assertThat(trace.heard()).containsExactly("destroyed");
            assertThat(server.server().metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        }
    }

    @Test
    void exceptionAfterCommitReleasesTheHandler() throws Exception {
        try (ServletServer server =
                        serve((request, response) -> {
                            request.upgrade(Handler.class).set(seen, _ -> seen.add("init"));
                            response.getWriter().print("half");
                            response.flushBuffer();
                            throw new ServletException("wanted");
                        });
                RawClient client = server.client()) {
            client.send(ASK);
            assertThat(new String(client.rest(), StandardCharsets.ISO_8859_1))
                    .contains("half")
                    .doesNotEndWith("0\r\n\r\n");
            awaitRelease();
            assertThat(seen).containsExactly("released");
        }
    }

    @Test
    void exceptionOfTheListenerOfTheEndLetsTheConnectionLeaveOnce() throws Exception {
        ServletRequestListener failing =
                new ServletRequestListener() {
                    @Override
                    public void requestDestroyed(ServletRequestEvent event) {
                        throw new IllegalStateException("wanted");
                    }
                };
        CodeServlet upgrading =
                new CodeServlet((request, _) ->
                        request.upgrade(Handler.class).set(seen, UpgradeRulesTest::close));
        try (ServletServer server =
                        ServletServer.start(
                                WebApp.at("").servlet("/s", upgrading).listener(failing));
                RawClient client = server.client()) {
            client.send(ASK);
            assertThat(new String(client.rest(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 101 ");
            awaitRelease();
            assertThat(server.get("/none").status()).isEqualTo(404);
            Await.until("both have left", () -> server.app().requestsInProgress() <= 0);
            assertThat(server.app().requestsInProgress()).isZero();
            assertThat(server.server().metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        }
    }

    @Test
    void secondUpgradeReplacesTheFirst() throws Exception {
        List<String> first = new CopyOnWriteArrayList<>();
        try (ServletServer server =
                        serve((request, _) -> {
                            request.upgrade(Handler.class).set(first, _ -> first.add("init"));
                            request.upgrade(Handler.class).set(seen, UpgradeRulesTest::close);
                        });
                RawClient client = server.client()) {
            assertThat(client.send(ASK).until("\r\n\r\n")).startsWith("HTTP/1.1 101 ");
            awaitRelease();
            assertThat(seen).containsExactly("destroy", "released");
            assertThat(first).containsExactly("released");
        }
    }

    @Test
    void asynchronousRequestIsUpgradedWhenItCompletes() throws Exception {
        try (ServletServer server =
                        serve((request, _) -> {
                            AsyncContext async = request.startAsync();
                            async.addListener(trace.listener());
                            async.start(() -> {
                                try {
                                    request.upgrade(Handler.class)
                                            .set(seen, UpgradeRulesTest::echo);
                                } catch (IOException | ServletException e) {
                                    throw new IllegalStateException(e);
                                }
                                async.complete();
                            });
                        });
                RawClient client = server.client()) {
            assertThat(client.send(ASK + "one").until("\r\n\r\n")).startsWith("HTTP/1.1 101 ");
            client.until("one");
            client.send(" two").until(" two");
            client.finish();
            assertThat(client.rest()).isEmpty();
            awaitRelease();
            assertThat(trace.heard()).containsExactly("complete", "destroyed");
        }
    }

    /// It would stay in memory for as long as the connection.
    @Test
    void applicationForgetsTheRequestThatHasWaitedForItsUpgrade() throws Exception {
        AsyncListener completes =
                trace.listener(
                        "",
                        (event, details) -> {
                            if (event.equals("timeout")) {
                                details.getAsyncContext().complete();
                            }
                        });
        try (ServletServer server =
                        serve((request, _) -> {
                            request.upgrade(Handler.class).set(seen, UpgradeRulesTest::echo);
                            AsyncContext async = request.startAsync();
                            async.setTimeout(20);
                            async.addListener(completes);
                        });
                RawClient client = server.client()) {
            client.send(ASK + "one").until("one");
            assertThat(server.app().requestsInProgress()).isEqualTo(1);
            assertThat(server.app().requestsThatWaited()).isZero();
            client.finish();
            awaitRelease();
        }
    }

    @Test
    void clientThatGoesBeforeTheUpgradeReleasesTheHandler() throws Exception {
        try (ServletServer server =
                serve((request, _) -> {
                    request.startAsync().setTimeout(0);
                    request.upgrade(Handler.class).set(seen, _ -> seen.add("init"));
                    trace.add("started");
                })) {
            RawClient client = server.client();
            client.send(ASK);
            Await.until("the request runs", () -> trace.has("started"));
            client.reset();
            awaitRelease();
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(seen).containsExactly("released");
        }
    }

    private static void close(WebConnection connection) throws IOException {
        connection.getInputStream().close();
        connection.getOutputStream().close();
    }

    // Half-closed connections

    private static void echo(WebConnection connection) throws IOException {
        ServletInputStream in = connection.getInputStream();
        ServletOutputStream out = connection.getOutputStream();
        byte[] piece = new byte[5000];
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            out.write(piece, 0, n);
            out.flush();
        }
        out.close();
    }

    @Test
    void clientMayEndItsDirectionFirst() throws Exception {
        try (ServletServer server =
                        upgrading(connection -> {
                            byte[] all = connection.getInputStream().readAllBytes();
                            connection.getOutputStream().print("after the end: " + all.length);
                            connection.getOutputStream().close();
                        });
                RawClient client = server.client()) {
            client.send(ASK).until("\r\n\r\n");
            client.send("x".repeat(100_000)).finish();
            assertThat(new String(client.rest(), StandardCharsets.ISO_8859_1))
                    .isEqualTo("after the end: 100000");
            awaitRelease();
            assertThat(seen).containsExactly("destroy", "released");
        }
    }

    @RepeatedTest(20) // the reader may be on its way while the loop finds the end
    void handlerMayEndItsDirectionFirst() throws Exception {
        try (ServletServer server =
                        upgrading(connection -> {
                            connection.getOutputStream().print("bye");
                            connection.getOutputStream().close();
                            seen.add("read " + connection.getInputStream().readAllBytes().length);
                        });
                RawClient client = server.client()) {
            client.send(ASK).until("\r\n\r\n");
            assertThat(client.rest()).isEqualTo("bye".getBytes(StandardCharsets.US_ASCII));
            client.send("x".repeat(100_000)).finish();
            awaitRelease();
            assertThat(seen).containsExactlyInAnyOrder("read 100000", "destroy", "released");
        }
    }

    @Test
    void closeOfBothStreamsEndsTheConnection() throws Exception {
        try (ServletServer server =
                        upgrading(connection -> {
                            connection.getInputStream().close();
                            connection.getOutputStream().print("bye");
                            connection.getOutputStream().close();
                        });
                RawClient client = server.client()) {
            client.send(ASK).until("bye");
            awaitRelease();
            assertThat(seen).containsExactly("destroy", "released");
        }
    }

    /// Sends what it reads, both without waiting.
    private static final class Echo implements ReadListener, WriteListener {
        private final ServletInputStream in;
        private final ServletOutputStream out;
        private final List<String> seen;
        private boolean ended;

        Echo(WebConnection connection, List<String> seen) throws IOException {
            this.in = connection.getInputStream();
            this.out = connection.getOutputStream();
            this.seen = seen;
            in.setReadListener(this);
            out.setWriteListener(this);
        }

        @Override
        public void onDataAvailable() throws IOException {
            move();
        }

        @Override
        public void onWritePossible() throws IOException {
            move();
        }

        private void move() throws IOException {
            byte[] some = new byte[4000];
            while (out.isReady() && !ended && in.isReady()) {
                int n = in.read(some);
                if (n > 0) {
                    out.write(some, 0, n);
                } else {
                    ended = true;
                }
            }
            if (!ended && out.isReady()) {
                out.flush();
            }
        }

        @Override
        public void onAllDataRead() {
            seen.add("all");
            try {
                out.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void onError(Throwable thrown) {
            seen.add(thrown.getClass().getSimpleName());
        }
    }

    @Test
    void listenersOfBothStreamsEchoUntilTheClientEnds() throws Exception {
        String many = "0123456789".repeat(200_000);
        try (ServletServer server =
                        upgrading(connection -> {
                            Echo _ = new Echo(connection, seen);
                        });
                RawClient client = server.client()) {
            client.send(ASK).until("\r\n\r\n");
            client.send(many);
            assertThat(client.bytes(many.length()))
                    .isEqualTo(many.getBytes(StandardCharsets.US_ASCII));
            client.finish();
            assertThat(client.rest()).isEmpty();
            awaitRelease();
            assertThat(seen).containsExactly("all", "destroy", "released");
        }
    }
}
