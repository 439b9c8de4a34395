package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.AsyncControl;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What streams with listeners refuse, and when they cease to be such (Servlet 6.1 §3.7, §5.7).
@EveryMode
@Timeout(60)
final class NonBlockingRulesTest {
    private static final int PIECE = 32 << 10;
    private static final int PAGE = 4 << 20; // more than the buffers of a connection

    private final Trace trace = new Trace();

    /// A WriteListener of a test.
    private abstract static class Writer implements WriteListener {
        @Override
        public void onError(Throwable thrown) {}
    }

    @Test
    void writeThatWouldWaitIsRefused() throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    ServletOutputStream out = response.getOutputStream();
                    out.setWriteListener(
                            new Writer() {
                                @Override
                                public void onWritePossible() throws IOException {
                                    if (trace.has("refused")) {
                                        async.complete();
                                        return;
                                    }
                                    while (out.isReady()) {
                                        out.write(new byte[PIECE]);
                                    }
                                    requireRefusals(out);
                                    response.flushBuffer(); // is no call of the stream
                                    trace.add("refused");
                                }
                            });
                };
        try (ServletServer server =
                        ServletServer.start(
                                WebApp.at("").servlet("/s", new CodeServlet(code)),
                                ServletServer.PATIENT);
                RawClient client = RawClient.connect(server.address(), 8 << 10)) {
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("writes are refused", () -> trace.has("refused"));
            assertThat(client.answer().body().length % PIECE).isZero();
        }
    }

    private static void requireRefusals(ServletOutputStream out) {
        assertThatIllegalStateException()
                .isThrownBy(() -> out.write(1))
                .withMessageContaining("isReady");
        assertThatIllegalStateException().isThrownBy(() -> out.write(new byte[1]));
        assertThatIllegalStateException().isThrownBy(() -> out.write(ByteBuffer.allocate(1)));
        assertThatIllegalStateException().isThrownBy(() -> out.print("x"));
        assertThatIllegalStateException().isThrownBy(out::flush);
    }

    /// The page is a servlet that knows nothing of the WriteListener.
    @Test
    void errorPageWritesAsUsual() throws Exception {
        CodeServlet fails =
                new CodeServlet((request, response) -> {
                    AsyncContext _ = request.startAsync();
                    response.getOutputStream()
                            .setWriteListener(
                                    new Writer() {
                                        @Override
                                        public void onWritePossible() {
                                            throw new IllegalStateException("meant");
                                        }
                                    });
                });
        CodeServlet page =
                new CodeServlet((_, response) -> {
                    ServletOutputStream out = response.getOutputStream();
                    for (int i = 0; i < PAGE; i += PIECE) {
                        out.write(new byte[PIECE]);
                    }
                    out.flush();
                    trace.add("written");
                });
        String descriptor =
                SecurityTest.webXml("<error-page><location>/page</location></error-page>");
        try (AppFolder folder = new AppFolder().file("WEB-INF/web.xml", descriptor);
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("", folder.root())
                                        .servlet("/s", fails)
                                        .servlet("/page", page),
                                ServletServer.PATIENT);
                RawClient client = RawClient.connect(server.address(), 8 << 10)) {
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("the page is written", () -> trace.has("written"));
            RawResponse response = client.answer();
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.body()).hasSize(PAGE);
        }
    }

    /// Another thread may run a listener as soon as it is registered.
    @Test
    void streamAsksBeforeItsListenerCanRun() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        CodeServlet.Code code =
                (request, response) -> {
                    AsyncContext async = request.startAsync();
                    ServletInputStream in = request.getInputStream();
                    ServletOutputStream out = response.getOutputStream();
                    watchRegistrations(
                            request,
                            call -> seen.add(call + " " + in.isReady() + " " + out.isReady()));
                    in.setReadListener(new Idle());
                    out.setWriteListener(
                            new Writer() {
                                @Override
                                public void onWritePossible() {
                                    async.complete();
                                }
                            });
                };
        try (ServletServer server =
                ServletServer.start(WebApp.at("").servlet("/s", new CodeServlet(code)))) {
            assertThat(server.get("/s").status()).isEqualTo(200);
            assertThat(seen).containsExactly("read false true", "write false false");
        }
    }

    /// What is seen when a listener is registered.
    private interface Registered {
        void by(String call);
    }

    /// Has both streams seem not ready, and tells when a listener is registered.
    private static void watchRegistrations(HttpServletRequest request, Registered registered) {
        ServletExchange exchange = ((AppRequest) request).exchange();
        AsyncControl real = exchange.async();
        AsyncControl watched =
                (AsyncControl)
                        Proxy.newProxyInstance(
                                AsyncControl.class.getClassLoader(),
                                new Class<?>[] {AsyncControl.class},
                                (_, method, arguments) -> {
                                    switch (method.getName()) {
                                        case "mayRead", "isReadyToWrite" -> {
                                            return false;
                                        }
                                        case "read", "write" -> registered.by(method.getName());
                                        default -> {}
                                    }
                                    return method.invoke(real, arguments);
                                });
        exchange.async(
                new ServletExchange.AsyncSource() {
                    @Override
                    public boolean isStarted() {
                        return real.isStarted();
                    }

                    @Override
                    public AsyncControl control() {
                        return watched;
                    }
                });
    }

    private static final class Idle implements ReadListener {
        @Override
        public void onDataAvailable() {}

        @Override
        public void onAllDataRead() {}

        @Override
        public void onError(Throwable thrown) {}
    }
}
