package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Dispatches of asynchronous requests that start again, fail or lose their client.
@EveryMode
@Timeout(120)
final class AsyncDispatchTest {
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

    private static void complete(AsyncContext async) {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("has ended");
        }
    }

    @Test
    void startInTheAsyncDispatchReturnsToItsTarget() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            trace.add("first");
                            request.startAsync().dispatch("/t");
                        },
                        (request, response) -> {
                            trace.add(
                                    "target "
                                            + request.getAttribute(AsyncContext.ASYNC_REQUEST_URI));
                            if (runs.incrementAndGet() == 1) {
                                request.startAsync().dispatch();
                            } else {
                                response.getWriter().print("end");
                            }
                        })) {
            assertThat(server.get("/s").text()).isEqualTo("end");
            assertThat(trace.heard())
                    .containsExactly("first", "target /s", "target /s", "destroyed");
        }
    }

    @Test
    void contextOfAnEndedProcessingCanBeReadInOnComplete() throws Exception {
        AtomicReference<Object> seen = new AtomicReference<>();
        try (ServletServer server =
                serve((request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.addListener(
                            trace.listener(
                                    "",
                                    (_, details) ->
                                            seen.set(details.getAsyncContext().getRequest())),
                            request,
                            response);
                    async.start(async::complete);
                })) {
            assertThat(server.get("/s").status()).isEqualTo(200);
            assertThat(seen.get()).isNotNull();
        }
    }

    @Test
    void errorListenerMayDispatch() throws Exception {
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            AsyncContext async = request.startAsync();
                            async.addListener(
                                    onError(
                                            "",
                                            details -> details.getAsyncContext().dispatch("/t")));
                            throw new ServletException("wanted");
                        },
                        (_, response) -> response.getWriter().print("recovered"))) {
            assertThat(server.get("/s").text()).isEqualTo("recovered");
            assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
        }
    }

    /// Servlet 6.1 §2.3.3.3: the listeners, then the error page, then complete.
    @Test
    void listenersLearnOfTheErrorOfTheTarget() throws Exception {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            AsyncContext async = request.startAsync();
                            for (String name : new String[] {"one ", "two "}) {
                                async.addListener(
                                        onError(name, details -> seen.set(details.getThrowable())));
                            }
                            async.dispatch("/t");
                        },
                        (_, _) -> {
                            throw new ServletException("wanted");
                        })) {
            assertThat(server.get("/s").status()).isEqualTo(500);
            assertThat(trace.heard())
                    .containsExactly(
                            "one error", "two error", "one complete", "two complete", "destroyed");
            assertThat(seen.get()).hasMessage("wanted");
        }
    }

    @ParameterizedTest
    @CsvSource({"complete, 200, completed", "dispatch, 200, again"})
    void listenerMayEndOrContinueAfterTheErrorOfTheTarget(String how, int status, String text)
            throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            AsyncContext async = request.startAsync();
                            async.addListener(
                                    onError("", details -> decide(details.getAsyncContext(), how)));
                            async.dispatch("/t");
                        },
                        (_, response) -> {
                            if (runs.incrementAndGet() == 1) {
                                throw new ServletException("wanted");
                            }
                            response.getWriter().print("again");
                        })) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.text()).isEqualTo(text);
            assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
        }
    }

    /// Returns a listener that is traced, and that does something at an error.
    private AsyncListener onError(String name, Consumer<AsyncEvent> then) {
        return trace.listener(
                name,
                (event, details) -> {
                    if (event.equals("error")) {
                        then.accept(details);
                    }
                });
    }

    private static void decide(AsyncContext async, String how) {
        if (how.equals("complete")) {
            print(async, "completed");
            async.complete();
        } else {
            async.dispatch("/t");
        }
    }

    /// A listener that always dispatches to what always fails must not keep the request for ever.
    @Test
    void secondErrorOfTheTargetEndsTheRequest() throws Exception {
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            AsyncContext async = request.startAsync();
                            async.addListener(
                                    onError(
                                            "",
                                            details ->
                                                    decide(details.getAsyncContext(), "dispatch")));
                            async.dispatch("/t");
                        },
                        (_, _) -> {
                            throw new ServletException("wanted");
                        })) {
            assertThat(server.get("/s").status()).isEqualTo(500);
            assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
        }
    }

    @Test
    void targetInAnotherApplicationRunsWithItsClassLoader() throws Exception {
        ClassLoader loader = new ClassLoader(AsyncDispatchTest.class.getClassLoader()) {};
        AtomicReference<ClassLoader> inside = new AtomicReference<>();
        AtomicReference<ClassLoader> after = new AtomicReference<>();
        CodeServlet.Code target =
                (_, response) -> {
                    inside.set(Thread.currentThread().getContextClassLoader());
                    response.getWriter().print("other");
                };
        CodeServlet.Code first =
                (request, _) -> {
                    AsyncContext async = request.startAsync();
                    async.addListener(
                            trace.listener(
                                    "",
                                    (_, _) ->
                                            after.set(
                                                    Thread.currentThread()
                                                            .getContextClassLoader())));
                    async.dispatch(request.getServletContext().getContext("/other"), "/t");
                };
        try (ServletServer server = serve(first)) {
            WebApp _ =
                    WebApp.at("/other")
                            .loader(loader)
                            .servlet("/t", new CodeServlet(target))
                            .deploy(server.container());
            assertThat(server.get("/s").text()).isEqualTo("other");
            assertThat(inside).hasValue(loader);
            assertThat(after.get()).isNotEqualTo(loader);
        }
    }

    @Test
    void manyLostClientsDuringDispatchesLeaveNothing() throws Exception {
        AtomicInteger started = new AtomicInteger();
        try (ServletServer server =
                serve(
                        (request, _) -> {
                            AsyncContext async = request.startAsync();
                            async.setTimeout(0);
                            started.incrementAndGet();
                            async.start(() -> async.dispatch("/t"));
                        },
                        (request, response) -> {
                            AsyncContext async = request.startAsync();
                            async.setTimeout(0);
                            async.start(() -> {
                                print(async, "x".repeat(100));
                                complete(async);
                            });
                        })) {
            for (int i = 1; i <= 500; i++) {
                int expected = i;
                RawClient client = server.client();
                client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
                Await.until("the request runs", () -> started.get() == expected);
                client.reset();
            }
            Await.until("each request ends", () -> trace.heard().size() == 500);
        }
    }
}
