package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.SlowCode;
import dev.serval.testkit.mode.EveryMode;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// HttpUpgradeHandler over sockets (Servlet 6.1 §2.3.3.5).
@EveryMode
@Timeout(60)
final class UpgradeTest {
    private static final String ASK =
            "GET /app/u HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
    private static final int MANY = 3 << 20;
    private static final long MOMENT_NANOS = 1_000_000; // the client reads meanwhile

    private final List<String> events = new CopyOnWriteArrayList<>();

    /// Records the calls of a handler.
    public abstract static class Recording implements HttpUpgradeHandler {
        List<String> seen = List.of();

        @Override
        public final void destroy() {
            seen.add("destroy");
        }

        @PreDestroy
        public final void released() {
            seen.add("released");
        }
    }

    /// Sends back what it reads, by calls that wait.
    public static final class Echo extends Recording {
        @Override
        public void init(WebConnection connection) {
            seen.add("init");
            byte[] piece = new byte[5000];
            try (connection) {
                ServletInputStream in = connection.getInputStream();
                for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                    connection.getOutputStream().write(piece, 0, n);
                    connection.getOutputStream().flush();
                }
                seen.add("end");
            } catch (Exception e) {
                seen.add(e.getClass().getSimpleName());
            }
        }
    }

    /// Sends back what it reads, when the container calls.
    public static final class Listening extends Recording {
        @Override
        public void init(WebConnection connection) {
            try {
                ServletInputStream in = connection.getInputStream();
                ServletOutputStream out = connection.getOutputStream();
                in.setReadListener(
                        new ReadListener() {
                            @Override
                            public void onDataAvailable() throws IOException {
                                byte[] piece = new byte[5000];
                                while (in.isReady() && !in.isFinished()) {
                                    int n = in.read(piece);
                                    if (n > 0) {
                                        out.write(piece, 0, n);
                                        out.flush();
                                    }
                                }
                            }

                            @Override
                            public void onAllDataRead() throws IOException {
                                seen.add("all");
                                close(connection);
                            }

                            @Override
                            public void onError(Throwable thrown) {
                                seen.add(thrown.getClass().getSimpleName());
                            }
                        });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Sends many bytes when the container calls.
    public static final class Sending extends Recording {
        @Override
        public void init(WebConnection connection) {
            try {
                ServletOutputStream out = connection.getOutputStream();
                byte[] piece = new byte[10_000];
                out.setWriteListener(
                        new WriteListener() {
                            private int sent;

                            @Override
                            public void onWritePossible() throws IOException {
                                do { // the call says that a write is possible
                                    out.write(piece);
                                    sent += piece.length;
                                } while (sent < MANY && out.isReady());
                                if (sent >= MANY) {
                                    close(connection);
                                } else {
                                    tooEarly(out);
                                }
                            }

                            // Writes while a write would wait, or has just ceased to.
                            private void tooEarly(ServletOutputStream out) throws IOException {
                                SlowCode.takes(MOMENT_NANOS);
                                try {
                                    out.write(piece);
                                    seen.add("written too early");
                                } catch (IllegalStateException e) {
                                    assertThat(e).hasMessageContaining("isReady");
                                }
                            }

                            @Override
                            public void onError(Throwable thrown) {
                                seen.add(thrown.getClass().getSimpleName());
                            }
                        });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Fails.
    public static final class Failing extends Recording {
        @Override
        public void init(WebConnection connection) {
            throw new IllegalStateException("meant");
        }
    }

    private static void close(WebConnection connection) throws IOException {
        try {
            connection.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private final class Upgrading extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient Class<? extends Recording> handler;
        private final boolean fails;

        Upgrading(Class<? extends Recording> handler, boolean fails) {
            this.handler = handler;
            this.fails = fails;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.setStatus(HttpServletResponse.SC_SWITCHING_PROTOCOLS);
            response.setHeader("Upgrade", "echo");
            response.setHeader("Connection", "Upgrade");
            response.setHeader("X-Own", "yes");
            request.upgrade(handler).seen = events;
            if (fails) {
                throw new IllegalStateException("meant");
            }
        }
    }

    private ServletServer serve(Class<? extends Recording> handler) throws IOException {
        return ServletServer.start(
                WebApp.at("/app")
                        .servlet("/u", new Upgrading(handler, false))
                        .servlet("/fails", new Upgrading(handler, true)));
    }

    private void awaitEnd() {
        Await.until("the handler is released", () -> events.contains("released"));
    }

    @Test
    void blockingHandlerReadsBytesThatCameWithTheRequest() throws Exception {
        try (ServletServer server = serve(Echo.class);
                RawClient client = server.client()) {
            String head = client.send(ASK + "GET / is no request").until("\r\n\r\n");
            assertThat(head)
                    .startsWith("HTTP/1.1 101 ")
                    .contains("X-Own: yes\r\n", "Upgrade: echo\r\n")
                    .containsOnlyOnce("onnection:")
                    .doesNotContain("Content-Length");
            client.until("is no request");
            client.send(" more").until(" more");
            client.finish();
            assertThat(client.rest()).isEmpty();
            awaitEnd();
        }
        assertThat(events).containsExactly("init", "end", "destroy", "released");
    }

    @Test
    void blockingHandlerKeepsThePaceOfTheClient() throws Exception {
        byte[] many = "0123456789".repeat(MANY / 10).getBytes(StandardCharsets.US_ASCII);
        try (ServletServer server = serve(Echo.class);
                RawClient client = server.client()) {
            client.send(ASK).until("\r\n\r\n");
            client.send(many);
            assertThat(client.bytes(many.length)).isEqualTo(many);
        }
        assertThat(events).endsWith("destroy", "released").containsOnlyOnce("destroy");
    }

    @Test
    void readListenerReadsUntilTheEnd() throws Exception {
        try (ServletServer server = serve(Listening.class);
                RawClient client = server.client()) {
            client.send(ASK + "first").until("first");
            client.send(" second").until(" second");
            client.finish();
            assertThat(client.rest()).isEmpty();
            awaitEnd();
        }
        assertThat(events).containsExactly("all", "destroy", "released");
    }

    @Test
    void writeListenerSendsMoreThanTheBuffers() throws Exception {
        try (ServletServer server = serve(Sending.class);
                RawClient client = server.client()) {
            client.send(ASK).until("\r\n\r\n");
            assertThat(client.restLength()).isBetween((long) MANY, MANY + 10_000L);
            awaitEnd();
        }
        assertThat(events).containsExactly("destroy", "released");
    }

    @Test
    void lostClientEndsABlockedRead() throws Exception {
        try (ServletServer server = serve(Echo.class)) {
            try (RawClient client = server.client()) {
                client.send(ASK + "x").until("x");
                client.reset();
                awaitEnd();
            }
        }
        assertThat(events)
                .containsExactly("init", "ExchangeAbortedException", "destroy", "released");
    }

    @Test
    void lostClientReachesTheReadListenerOnce() throws Exception {
        try (ServletServer server = serve(Listening.class)) {
            try (RawClient client = server.client()) {
                client.send(ASK + "x").until("x");
                client.reset();
                awaitEnd();
            }
        }
        assertThat(events).containsExactly("ExchangeAbortedException", "destroy", "released");
    }

    @Test
    void stopOfTheServerClosesTheConnection() throws Exception {
        try (ServletServer server = serve(Listening.class);
                RawClient client = server.client()) {
            client.send(ASK + "x").until("x");
            server.server().close();
            awaitEnd();
        }
        assertThat(events).containsExactly("ExchangeAbortedException", "destroy", "released");
    }

    @Test
    void stopOfTheApplicationClosesTheConnection() throws Exception {
        try (ServletServer server = serve(Listening.class);
                RawClient client = server.client()) {
            client.send(ASK + "x").until("x");
            server.app().close();
            assertThat(client.rest()).isEmpty();
            assertThat(events).containsExactly("destroy", "released");
        }
    }

    @Test
    void exceptionOfInitClosesTheConnection() throws Exception {
        try (ServletServer server = serve(Failing.class);
                RawClient client = server.client()) {
            client.send(ASK);
            awaitEnd();
            Await.until("the connection is closed", client::closedByServer);
        }
        assertThat(events).containsExactly("destroy", "released");
    }

    /// A servlet that sets nothing gets 101 and the protocol that the client named first. One that
    /// answers in another way is not upgraded.
    @ParameterizedTest
    @CsvSource({
        "nothing, 101, init",
        "204, 204, released",
        "redirect, 302, released",
        "flush, 200, released",
        "404, 404, released",
    })
    void upgradesOnlyIfTheServletGivesNoOtherAnswer(String answer, int status, String first)
            throws Exception {
        CodeServlet servlet =
                new CodeServlet((request, response) -> {
                    request.upgrade(Echo.class).seen = events;
                    switch (answer) {
                        case "nothing" -> {}
                        case "redirect" -> response.sendRedirect("/other");
                        case "flush" -> response.flushBuffer();
                        default -> response.setStatus(Integer.parseInt(answer));
                    }
                });
        try (ServletServer server = ServletServer.start(WebApp.at("/app").servlet("/u", servlet));
                RawClient client = server.client()) {
            String head = client.send(ASK.replace("echo", "echo/2 , other")).until("\r\n\r\n");
            assertThat(head).startsWith("HTTP/1.1 " + status + " ");
            Await.until("the handler is called", () -> !events.isEmpty());
            if (status == 101) {
                assertThat(head).contains("Upgrade: echo/2\r\n", "Connection: upgrade\r\n");
            }
        }
        assertThat(events).startsWith(first);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /app/u HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /app/u HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"
            })
    void upgradeThatTheClientHasNotAskedForFails(String request) throws Exception { // RFC 9110 §7.8
        try (ServletServer server = serve(Echo.class);
                RawClient client = server.client()) {
            assertThat(client.exchange(request).status()).isEqualTo(500);
        }
        assertThat(events).isEmpty();
    }

    @Test
    void errorAfterUpgradeIsAnsweredInstead() throws Exception {
        try (ServletServer server = serve(Echo.class)) {
            assertThat(server.get("/app/fails", "Connection: upgrade", "Upgrade: echo").status())
                    .isEqualTo(500);
        }
        assertThat(events).containsExactly("released");
    }
}
