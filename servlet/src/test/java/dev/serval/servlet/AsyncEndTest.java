package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Asynchronous requests whose response or connection ends before the application has completed
/// them. Until then the application sees its own request, and nothing of later ones.
@EveryMode
@Timeout(60)
final class AsyncEndTest {
    private static final int LATER = 20;

    private final Trace trace = new Trace();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicReference<String> seen = new AtomicReference<>();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static String get(String path, String who) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\nX-Who: " + who + "\r\n\r\n";
    }

    private void waitToGo() {
        try {
            assertThat(go.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whatever starts asynchronous processing and then refuses, the client gets its answer without
    /// waiting for a timeout, of which there is none here.
    @Test
    void refusalEndsARequestThatIsAsynchronous() throws Exception {
        try (ServletServer server =
                        start((request, response) -> {
                            AsyncContext async = request.startAsync();
                            async.setTimeout(0);
                            async.addListener(trace.listener());
                            response.sendError(HttpServletResponse.SC_GONE);
                        });
                RawClient client = server.client()) {
            client.send(get("/s", "a"));
            assertThat(client.answer("GET").status()).isEqualTo(410);
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard()).containsExactly("complete", "destroyed");
        }
    }

    private ServletServer start(CodeServlet.Code code) throws Exception {
        return ServletServer.start(
                WebApp.at("")
                        .servlet("/s", new CodeServlet(code))
                        .servlet(
                                "/other",
                                new CodeServlet((request, response) ->
                                        response.getWriter().print(request.getHeader("X-Who"))))
                        .listener(trace));
    }

    @Test
    void listenerOfAnAbortedRequestSeesItsOwnFields() throws Exception {
        CodeServlet.Code code =
                (request, response) ->
                        request.startAsync()
                                .addListener(
                                        trace.listener(
                                                "",
                                                (event, details) -> {
                                                    if (event.equals("error")) {
                                                        waitToGo();
                                                        seen.set(who(details.getSuppliedRequest()));
                                                    }
                                                }),
                                        request,
                                        response);
        try (ServletServer server = start(code)) {
            RawClient leaves = RawClient.connect(server.address());
            leaves.send(get("/s", "first"));
            Await.until("the request waits", () -> server.app().requestsInProgress() == 1);
            leaves.reset();
            Await.until("the listener runs", () -> trace.has("error"));
            for (int i = 0; i < LATER; i++) {
                try (RawClient other = RawClient.connect(server.address())) {
                    assertThat(other.send(get("/other", "other")).answer().text())
                            .isEqualTo("other");
                }
            }
            go.countDown();
            Await.until("the request has ended", () -> server.app().requestsInProgress() == 0);
            assertThat(seen).hasValue("first");
        }
    }

    private static String who(Object request) {
        return String.valueOf(((HttpServletRequest) request).getHeader("X-Who"));
    }

    /// The client has the whole answer at once. Its next request waits until the first is complete.
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void responseMayBeClosedBeforeComplete(boolean redirects) throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.addListener(trace.listener());
                    threads.execute(() -> {
                        try {
                            if (redirects) {
                                response.sendRedirect("/there");
                            } else {
                                try (PrintWriter writer = response.getWriter()) {
                                    writer.print("hello");
                                }
                            }
                        } catch (Exception e) {
                            seen.set(e.toString());
                            return;
                        }
                        waitToGo();
                        seen.set(who(request));
                        async.complete();
                    });
                };
        try (ServletServer server = start(code);
                RawClient client = RawClient.connect(server.address())) {
            RawResponse first = client.send(get("/s", "first")).answer();
            assertThat(first.status()).isEqualTo(redirects ? 302 : 200);
            assertThat(first.framing()).isEqualTo(RawResponse.Framing.LENGTH);
            assertThat(first.text()).isEqualTo(redirects ? "" : "hello");
            client.send(get("/other", "second"));
            try (RawClient other = RawClient.connect(server.address())) {
                assertThat(other.send(get("/other", "other")).answer().text()).isEqualTo("other");
            }
            assertThat(server.app().requestsInProgress()).isEqualTo(1);
            go.countDown();
            assertThat(client.answer().text()).isEqualTo("second");
            assertThat(seen).hasValue("first");
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard()).contains("complete", "destroyed");
            Await.until("none is left", () -> server.app().requestsInProgress() == 0);
        }
    }

    /// A response that is longer than its buffer has no length, so its end comes with the request's.
    @Test
    void longResponseMayBeClosedBeforeComplete() throws Exception {
        String text = "0123456789".repeat(10_000);
        CodeServlet.Code code =
                (request, response) -> {
                    AsyncContext async = request.startAsync();
                    threads.execute(() -> {
                        try (PrintWriter writer = response.getWriter()) {
                            writer.print(text);
                        } catch (Exception e) {
                            seen.set(e.toString());
                        }
                        async.complete();
                    });
                };
        try (ServletServer server = start(code)) {
            assertThat(server.get("/s").text()).isEqualTo(text);
            Await.until("the request has ended", () -> trace.has("destroyed"));
        }
    }
}
