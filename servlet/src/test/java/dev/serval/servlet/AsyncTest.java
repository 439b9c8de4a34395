package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Asynchronous requests over sockets (Servlet 6.1 §2.3.3.3).
@EveryMode
@Timeout(120)
final class AsyncTest {
    private final Trace trace = new Trace();

    private ServletServer serve(CodeServlet.Code code) throws IOException {
        return ServletServer.start(
                WebApp.at("").servlet("/s/*", new CodeServlet(code)).listener(trace));
    }

    private ServletServer serve(CodeServlet.Code first, CodeServlet.Code second)
            throws IOException {
        return ServletServer.start(
                WebApp.at("")
                        .servlet("/s/*", new CodeServlet(first))
                        .servlet("/t", new CodeServlet(second))
                        .listener(trace));
    }

    private static void print(AsyncContext async, String text) {
        try {
            async.getResponse().getWriter().print(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void textAfterCompleteInServiceIsSent() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.addListener(trace.listener());
                    response.getWriter().print("a" + request.isAsyncStarted());
                    async.complete();
                    trace.add("completed");
                    response.getWriter().print("b" + request.isAsyncStarted());
                })) {
            assertThat(server.get("/s").text()).isEqualTo("atruebtrue");
            assertThat(trace.heard()).containsExactly("completed", "complete", "destroyed");
        }
    }

    @Test
    void dispatchRunsAfterServiceReturned() throws Exception {
        try (ServletServer server =
                serve(
                        (request, response) -> {
                            boolean before = request.isAsyncStarted();
                            AsyncContext async = request.startAsync();
                            async.addListener(trace.listener());
                            async.dispatch("/t");
                            response.getWriter().print(before + " " + request.isAsyncStarted());
                        },
                        (request, response) ->
                                response.getWriter()
                                        .print(
                                                " "
                                                        + request.getDispatcherType()
                                                        + " "
                                                        + request.isAsyncStarted()))) {
            assertThat(server.get("/s").text()).isEqualTo("false true ASYNC false");
            assertThat(trace.heard()).containsExactly("complete", "destroyed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"complete", "dispatch"})
    void secondEndIsRefused(String first) throws Exception {
        AtomicReference<AsyncContext> kept = new AtomicReference<>();
        try (ServletServer server =
                serve(
                        (request, response) -> {
                            AsyncContext async = request.startAsync();
                            kept.set(async);
                            if (first.equals("complete")) {
                                async.complete();
                            } else {
                                async.dispatch("/t");
                            }
                            assertThatIllegalStateException().isThrownBy(async::complete);
                            assertThatIllegalStateException().isThrownBy(async::dispatch);
                            assertThatIllegalStateException()
                                    .isThrownBy(() -> async.dispatch("/t"));
                            assertThatIllegalStateException().isThrownBy(request::startAsync);
                            response.getWriter().print("refused");
                        },
                        (_, _) -> {})) {
            assertThat(server.get("/s").text()).isEqualTo("refused");
            AsyncContext ended = kept.get();
            assertThatIllegalStateException().isThrownBy(ended::complete);
            assertThatIllegalStateException().isThrownBy(ended::dispatch);
            assertThatIllegalStateException().isThrownBy(ended::getRequest);
            assertThatIllegalStateException().isThrownBy(ended::getResponse);
            assertThatIllegalStateException().isThrownBy(() -> ended.addListener(trace.listener()));
            assertThatIllegalStateException().isThrownBy(() -> ended.setTimeout(1));
        }
    }

    @Test
    void secondStartInOneCycleIsRefused() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    assertThatIllegalStateException().isThrownBy(request::startAsync);
                    assertThat(request.getAsyncContext()).isSameAs(async);
                    response.getWriter().print("refused");
                    async.complete();
                })) {
            assertThat(server.get("/s").text()).isEqualTo("refused");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, 500, timeout error complete",
        "complete, 200, timeout complete",
        "dispatch, 200, timeout complete",
    })
    void listenersHearOfATimeout(String does, int status, String heard) throws Exception {
        Trace.Reaction reaction =
                (event, details) -> {
                    if (!event.equals("timeout")) {
                        return;
                    }
                    AsyncContext async = details.getAsyncContext();
                    if (does.equals("complete")) {
                        print(async, "late");
                        async.complete();
                    } else if (does.equals("dispatch")) {
                        async.dispatch("/t");
                    }
                };
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            AsyncContext async = request.startAsync();
                            async.setTimeout(10);
                            async.addListener(trace.listener("", reaction));
                        },
                        (_, response) -> response.getWriter().print("late"))) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.text().contains("late")).isEqualTo(status == 200);
            List<String> expected = new ArrayList<>(List.of(heard.split(" ")));
            expected.remove("error"); // a timeout is told by onTimeout alone
            expected.add("destroyed");
            assertThat(trace.heard()).isEqualTo(expected);
        }
    }

    @Test
    void timeoutDuringServiceIsCountedFromItsReturn() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(1);
                    async.addListener(
                            trace.listener(
                                    "",
                                    (event, details) -> {
                                        if (event.equals("timeout")) {
                                            print(details.getAsyncContext(), "timeout");
                                            details.getAsyncContext().complete();
                                        }
                                    }));
                    Await.open("another request was answered", over);
                    response.getWriter().print("service ");
                })) {
            try (RawClient client = server.client()) {
                client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(server.get("/none").status()).isEqualTo(404);
                over.countDown();
                assertThat(client.answer().text()).isEqualTo("service timeout");
            }
        }
    }

    @Test
    void timeoutOfOneCycleDoesNotReachTheNext() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch restarted = new CountDownLatch(1);
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            AsyncContext async = request.startAsync();
                            async.setTimeout(5);
                            async.addListener(
                                    trace.listener(
                                            "first ",
                                            (event, details) -> {
                                                if (event.equals("timeout")) {
                                                    details.getAsyncContext().dispatch("/t");
                                                }
                                            }));
                        },
                        (request, response) -> {
                            AsyncContext again = request.startAsync();
                            again.setTimeout(0);
                            again.addListener(trace.listener("second ", (_, _) -> {}));
                            runs.incrementAndGet();
                            response.getWriter().print("second");
                            again.start(() -> {
                                Await.open("the test goes on", restarted);
                                again.complete();
                            });
                        })) {
            try (RawClient client = server.client()) {
                client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
                Await.until("the second cycle runs", () -> runs.get() == 1);
                restarted.countDown();
                assertThat(client.answer().text()).isEqualTo("second");
            }
            assertThat(trace.heard())
                    .containsExactly(
                            "first timeout", "first start", "second complete", "destroyed");
        }
    }

    @Test
    void exceptionAfterStartIsToldAndGives500() throws Exception {
        AtomicReference<Throwable> told = new AtomicReference<>();
        try (ServletServer server =
                serve((request, _) -> {
                    request.startAsync()
                            .addListener(
                                    trace.listener(
                                            "",
                                            (event, details) -> {
                                                if (event.equals("error")) {
                                                    told.set(details.getThrowable());
                                                }
                                            }));
                    throw new ServletException("wanted");
                })) {
            assertThat(server.get("/s").status()).isEqualTo(500);
            assertThat(told.get()).isInstanceOf(ServletException.class).hasMessage("wanted");
            assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
        }
    }

    @Test
    void exceptionAfterCommitEndsTheCycleToo() throws Exception {
        try (ServletServer server =
                        serve((request, response) -> {
                            request.startAsync().addListener(trace.listener());
                            response.getWriter().print("half");
                            response.flushBuffer();
                            throw new ServletException("wanted");
                        });
                RawClient client = server.client()) {
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(new String(client.rest(), StandardCharsets.ISO_8859_1))
                    .contains("half")
                    .doesNotEndWith("0\r\n\r\n");
            assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
        }
    }

    @Test
    void exceptionAfterDispatchPreventsIt() throws Exception {
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            AsyncContext async = request.startAsync();
                            async.addListener(trace.listener());
                            async.dispatch("/t");
                            throw new ServletException("wanted");
                        },
                        (_, _) -> trace.add("dispatched"))) {
            assertThat(server.get("/s").status()).isEqualTo(500);
            assertThat(trace.heard()).containsExactly("complete", "destroyed");
        }
    }

    @Test
    void lostClientIsToldOnce() throws Exception {
        AtomicReference<AsyncContext> kept = new AtomicReference<>();
        try (ServletServer server =
                serve((request, _) -> {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    async.addListener(trace.listener());
                    kept.set(async);
                })) {
            RawClient client = server.client();
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("the request runs", () -> kept.get() != null);
            client.reset();
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
            assertThatIllegalStateException().isThrownBy(kept.get()::complete);
        }
    }

    /// The abort is known before the container thread leaves.
    @Test
    void clientLostDuringServiceIsToldOnce() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);

        try (ServletServer server =
                serve((request, _) -> {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    async.addListener(trace.listener());
                    inside.countDown();
                    Await.open("the server knows", go);
                })) {
            RawClient client = server.client();
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.open("the servlet runs", inside);

            client.reset();
            Await.until("the server knows", () -> server.server().connections() == 0);
            go.countDown();
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
        }
    }

    @Test
    void lostClientAndCompleteAtOnceEndOnce() throws Exception {
        AtomicInteger started = new AtomicInteger();
        AtomicReference<AsyncContext> kept = new AtomicReference<>();
        try (ServletServer server =
                serve((request, _) -> {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    kept.set(async);
                    started.incrementAndGet();
                })) {
            for (int i = 1; i <= 300; i++) {
                int expected = i;
                RawClient client = server.client();
                client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
                Await.until("the request runs", () -> started.get() == expected);
                AsyncContext async = kept.get();
                if (i % 2 == 0) {
                    client.reset();
                    complete(async);
                } else {
                    async.complete();
                    client.reset();
                }
                Await.until("each request ends", () -> trace.heard().size() == expected);
            }
            assertThat(trace.heard()).hasSize(300);
        }
    }

    private static void complete(AsyncContext async) {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("has ended");
        }
    }

    @Test
    void nextCycleIsToldToTheListenersOfTheOneBefore() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (ServletServer server =
                serve((request, response) -> {
                    int run = runs.incrementAndGet();
                    response.getWriter().print(run);
                    if (run < 4) {
                        AsyncContext async = request.startAsync();
                        async.addListener(trace.listener(run + " ", (_, _) -> {}));
                        async.dispatch();
                    }
                })) {
            assertThat(server.get("/s").text()).isEqualTo("1234");
            assertThat(trace.heard())
                    .containsExactly("1 start", "2 start", "3 complete", "destroyed");
        }
    }

    @Test
    void dispatchWithoutPathGoesToTheSameUri() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    if (request.getDispatcherType() == DispatcherType.REQUEST) {
                        request.startAsync().dispatch();
                    } else {
                        response.getWriter()
                                .print(
                                        request.getRequestURI()
                                                + " "
                                                + request.getPathInfo()
                                                + " "
                                                + request.getParameter("q"));
                    }
                })) {
            assertThat(server.get("/s/a%20b%2Bc;v=1/d?q=o%6B").text())
                    .isEqualTo("/s/a%20b%2Bc;v=1/d /a b+c/d ok");
        }
    }

    @Test
    void wrappersReachTheTarget() throws Exception {
        try (ServletServer server =
                serve(
                        (request, response) -> {
                            var in = new HttpServletRequestWrapper(request);
                            var out = new HttpServletResponseWrapper(response);
                            AsyncContext async = request.startAsync(in, out);
                            assertThat(async.hasOriginalRequestAndResponse()).isFalse();
                            assertThat(async.getRequest()).isSameAs(in);
                            assertThat(async.getResponse()).isSameAs(out);
                            async.dispatch("/t");
                        },
                        (request, response) ->
                                response.getWriter()
                                        .print(
                                                (request instanceof HttpServletRequestWrapper)
                                                        + " "
                                                        + (response
                                                                instanceof
                                                                HttpServletResponseWrapper)
                                                        + request.getRequestURI()))) {
            assertThat(server.get("/s").text()).isEqualTo("true true/t");
        }
    }

    @Test
    void startNeedsSupportOfTheServlet() throws Exception {
        CodeServlet servlet =
                new CodeServlet((request, response) -> {
                    assertThat(request.isAsyncSupported()).isFalse();
                    assertThatIllegalStateException().isThrownBy(request::startAsync);
                    assertThatIllegalStateException().isThrownBy(request::getAsyncContext);
                    response.getWriter().print("refused");
                });
        ServletContextListener adds =
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        ServletRegistration.Dynamic added =
                                event.getServletContext().addServlet("u", servlet);
                        assertThat(added.addMapping("/u")).isEmpty();
                    }
                };
        try (ServletServer server = ServletServer.start(WebApp.at("").listener(adds))) {
            assertThat(server.get("/u").text()).isEqualTo("refused");
        }
    }

    @Test
    void listenersThatFailChangeNothing() throws Exception {
        Trace.Reaction fails =
                (_, _) -> {
                    throw new IllegalStateException("wanted");
                };
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    AsyncListener one = trace.listener("1 ", fails);
                    async.addListener(one);
                    async.addListener(trace.listener("2 ", fails));
                    response.getWriter().print("fine");
                    async.complete();
                })) {
            assertThat(server.get("/s").text()).isEqualTo("fine");
            assertThat(trace.heard()).containsExactly("1 complete", "2 complete", "destroyed");
        }
    }

    @Test
    void eachOfManyRequestsGetsItsOwnAnswer() throws Exception {
        CodeServlet.Code first =
                (request, response) -> {
                    String n = request.getParameter("n");
                    AsyncContext async = request.startAsync();
                    Runnable end =
                            () -> {
                                if (n.hashCode() % 2 == 0) {
                                    async.dispatch("/t");
                                } else {
                                    print(async, n);
                                    async.complete();
                                }
                            };
                    if (ThreadLocalRandom.current().nextBoolean()) {
                        async.start(end);
                    } else {
                        end.run();
                    }
                };
        try (ServletServer server =
                        serve(
                                first,
                                (request, response) ->
                                        response.getWriter().print(request.getParameter("n")));
                ExecutorService clients = Executors.newFixedThreadPool(4)) {
            List<Callable<Integer>> all = new ArrayList<>();
            for (int c = 0; c < 4; c++) {
                int own = c;
                all.add(() -> requests(server, own));
            }
            for (Future<Integer> done : clients.invokeAll(all)) {
                assertThat(done.get()).isEqualTo(2000);
            }
            assertThat(trace.heard()).hasSize(8000);
            Await.until("no Worker is left", () -> server.server().workers() == 0);
        }
    }

    private static int requests(ServletServer server, int client) {
        int right = 0;
        try (RawClient raw = server.client()) {
            for (int i = 0; i < 2000; i++) {
                String n = client + "-" + i;
                RawResponse answer = raw.exchange("GET /s?n=" + n + " HTTP/1.1\r\nHost: a\r\n\r\n");
                if (answer.text().equals(n)) {
                    right++;
                }
            }
        }
        return right;
    }

    @Test
    void sendErrorOfAnotherThreadGivesItsPage() throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        try {
                            response.sendError(HttpServletResponse.SC_GONE, "moved away");
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                        async.complete();
                    });
                })) {
            for (int i = 0; i < 100; i++) {
                RawResponse response = server.get("/s");
                assertThat(response.status()).isEqualTo(410);
                assertThat(response.text()).contains("moved away");
            }
        }
    }
}
