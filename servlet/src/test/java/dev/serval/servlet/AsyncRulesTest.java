package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which code may start asynchronous processing, with which objects, and what an error does to it
/// (Servlet 6.1 §2.3.3.3, §2.3.3.4).
@EveryMode
@Timeout(120)
final class AsyncRulesTest {
    private static final String DESCRIPTOR =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <error-page><error-code>500</error-code><location>/page</location></error-page>
            </web-app>
            """;

    @TempDir private Path folder;
    private final Trace trace = new Trace();

    private WebApp.Builder app(CodeServlet.Code first, CodeServlet.Code second) throws IOException {
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(folder.resolve("WEB-INF/web.xml"), DESCRIPTOR);
        return WebApp.of("", folder)
                .servlet("/s/*", new CodeServlet(first))
                .servlet("/t", new CodeServlet(second))
                .listener(trace);
    }

    /// Adds a filter before `/t` and `/s` that does not support asynchronous processing.
    private static ServletContextListener unsupporting(DispatcherType type) {
        return new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                Filter passes = (request, response, chain) -> chain.doFilter(request, response);
                FilterRegistration.Dynamic added =
                        event.getServletContext().addFilter("unsupporting", passes);
                added.addMappingForUrlPatterns(EnumSet.of(type), true, "/s", "/t");
            }
        };
    }

    private static String startable(HttpServletRequest request, HttpServletResponse response) {
        boolean supported = request.isAsyncSupported();
        if (supported) {
            return "yes";
        }
        assertThatIllegalStateException().isThrownBy(request::startAsync);
        assertThatIllegalStateException().isThrownBy(() -> request.startAsync(request, response));
        assertThat(request.isAsyncStarted()).isFalse();
        return "no";
    }

    // Support of filters and servlets

    @ParameterizedTest
    @CsvSource({
        "REQUEST, no no no",
        "FORWARD, yes no yes",
        "INCLUDE, yes no yes",
        "ERROR, yes yes yes",
        "ASYNC, yes yes yes",
    })
    void filterWithoutSupportCountsWhileItsDispatchRuns(DispatcherType type, String expected)
            throws Exception {
        AtomicReference<String> seen = new AtomicReference<>("");
        CodeServlet.Code target =
                (request, response) -> seen.set(seen.get() + " " + startable(request, response));
        try (ServletServer server =
                ServletServer.start(
                        app(
                                        (request, response) -> {
                                            seen.set(startable(request, response));
                                            var to = request.getRequestDispatcher("/t");
                                            if (type == DispatcherType.INCLUDE) {
                                                to.include(request, response);
                                            } else {
                                                to.forward(request, response);
                                            }
                                            seen.set(
                                                    seen.get()
                                                            + " "
                                                            + startable(request, response));
                                        },
                                        target)
                                .listener(unsupporting(type)))) {
            assertThat(server.get("/s").status()).isEqualTo(200);
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(seen).hasValue(expected);
        }
    }

    /// Such as a page that another servlet includes.
    @Test
    void servletWithoutSupportCountsWhileItRuns() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        CodeServlet.Code page = (request, response) -> seen.add(startable(request, response));
        CodeServlet.Code including =
                (request, response) -> {
                    request.getRequestDispatcher("/page").include(request, response);
                    seen.add(startable(request, response));
                };
        ServletContextListener adds =
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        event.getServletContext()
                                .addServlet("page", new CodeServlet(page))
                                .addMapping("/page");
                    }
                };
        try (ServletServer server =
                ServletServer.start(app(including, (_, _) -> {}).listener(adds))) {
            assertThat(server.get("/s").status()).isEqualTo(200);
            assertThat(seen).containsExactly("no", "yes");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DispatcherType.class,
            names = {"ASYNC", "ERROR"})
    void filterWithoutSupportInTheDispatchCompletesIt(DispatcherType type) throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        app(
                                        (request, _) -> {
                                            AsyncContext async = request.startAsync();
                                            async.addListener(trace.listener());
                                            async.dispatch("/t");
                                        },
                                        (request, response) ->
                                                response.getWriter()
                                                        .print(startable(request, response)))
                                .listener(unsupporting(type)))) {
            assertThat(server.get("/s").text())
                    .isEqualTo(type == DispatcherType.ASYNC ? "no" : "yes");
            assertThat(trace.heard()).containsExactly("complete", "destroyed");
        }
    }

    // Wrapped objects

    @Test
    void wrappedObjectsStayThroughDispatchesUntilOthersAreGiven() throws Exception {
        AtomicReference<Object> given = new AtomicReference<>();
        try (ServletServer server =
                ServletServer.start(
                        app(
                                (request, response) -> {
                                    var in = new HttpServletRequestWrapper(request);
                                    var out = new HttpServletResponseWrapper(response);
                                    given.set(in);
                                    AsyncContext async = request.startAsync(in, out);
                                    async.addListener(new Supplied(trace), in, out);
                                    assertThat(async.hasOriginalRequestAndResponse()).isFalse();
                                    async.dispatch("/t");
                                },
                                (request, response) -> {
                                    assertThat(request).isSameAs(given.get());
                                    AsyncContext own = request.startAsync();
                                    trace.add("original " + own.hasOriginalRequestAndResponse());
                                    trace.add(
                                            "wrapped "
                                                    + (own.getRequest()
                                                            instanceof HttpServletRequestWrapper));
                                    own.addListener(new Supplied(trace));
                                    response.getWriter().print("wrapped");
                                    own.complete();
                                }))) {
            assertThat(server.get("/s").text()).isEqualTo("wrapped");
            assertThat(trace.heard())
                    .containsExactly(
                            "start with HttpServletRequestWrapper",
                            "original true",
                            "wrapped false",
                            "complete with null",
                            "destroyed");
        }
    }

    /// Records the class of the request that it was registered with.
    private record Supplied(Trace trace) implements AsyncListener {
        private void add(String event, AsyncEvent details) {
            Object request = details.getSuppliedRequest();
            trace.add(
                    event
                            + " with "
                            + (request == null ? null : request.getClass().getSimpleName()));
        }

        @Override
        public void onComplete(AsyncEvent event) {
            add("complete", event);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            add("timeout", event);
        }

        @Override
        public void onError(AsyncEvent event) {
            add("error", event);
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            add("start", event);
        }
    }

    /// Code examples 2-1 to 2-3 of the specification, and a wrapper that changes the URI.
    @ParameterizedTest
    @CsvSource({
        "plain, /s/a",
        "forward, /s/a",
        "forwardGiven, /t",
        "wrapped, /t",
    })
    void dispatchWithoutPathGoesToTheUriOf(String how, String target) throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    if (request.getDispatcherType() == DispatcherType.ASYNC) {
                        response.getWriter().print(request.getRequestURI());
                    } else if (how.equals("wrapped")) {
                        request.startAsync(new Elsewhere(request), response).dispatch();
                    } else if (how.equals("plain")) {
                        request.startAsync().dispatch();
                    } else if (request.getDispatcherType() == DispatcherType.REQUEST) {
                        request.getRequestDispatcher("/t").forward(request, response);
                    } else if (how.equals("forward")) {
                        request.startAsync().dispatch();
                    } else {
                        request.startAsync(request, response).dispatch();
                    }
                };
        CodeServlet.Code second =
                (request, response) -> {
                    if (how.equals("wrapped")) {
                        response.getWriter().print("/t");
                    } else {
                        code.run(request, response);
                    }
                };
        try (ServletServer server = ServletServer.start(app(code, second))) {
            assertThat(server.get("/s/a").text()).isEqualTo(target);
        }
    }

    private static final class Elsewhere extends HttpServletRequestWrapper {
        Elsewhere(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getRequestURI() {
            return "/t";
        }
    }

    @Test
    void startAfterTheEndIsRefused() throws Exception {
        AtomicReference<HttpServletRequest> kept = new AtomicReference<>();
        try (ServletServer server =
                ServletServer.start(
                        app(
                                (request, response) -> {
                                    response.getOutputStream().close();
                                    assertThatIllegalStateException()
                                            .isThrownBy(request::startAsync)
                                            .withMessageContaining("closed");
                                    kept.set(request);
                                },
                                (_, _) -> {}))) {
            assertThat(server.get("/s").status()).isEqualTo(200);
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThatIllegalStateException().isThrownBy(() -> kept.get().startAsync());
        }
    }

    // Errors

    @Test
    void dispatchToNowhereLeavesTheProcessingOpen() throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("/app")
                                .servlet(
                                        "/s",
                                        new CodeServlet((request, response) -> {
                                            AsyncContext async = request.startAsync();
                                            assertThatThrownBy(() -> async.dispatch("no slash"))
                                                    .isInstanceOf(IllegalArgumentException.class);
                                            response.getWriter().print("open");
                                            async.complete();
                                        })))) {
            assertThat(server.get("/app/s").text()).isEqualTo("open");
        }
    }

    @Test
    void exceptionOfATaskChangesNothing() throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        try (ServletServer server =
                ServletServer.start(
                        app(
                                (request, response) -> {
                                    AsyncContext async = request.startAsync();
                                    async.addListener(trace.listener());
                                    async.start(() -> {
                                        failed.set(true);
                                        throw new IllegalStateException("wanted");
                                    });
                                    async.start(() -> {
                                        Await.until("the task has failed", failed::get);
                                        async.complete();
                                    });
                                    response.getWriter().print("complete");
                                },
                                (_, _) -> {}))) {
            assertThat(server.get("/s").text()).isEqualTo("complete");
            assertThat(trace.heard()).containsExactly("complete", "destroyed");
        }
    }

    /// The page is incomplete, and the listeners learn of the end all the same.
    @ParameterizedTest
    @ValueSource(strings = {"complete", "timeout", "throw", "sync"})
    void errorPageThatFailsAfterItsCommitEndsTheRequestOnce(String how) throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    if (how.equals("sync")) {
                        response.sendError(500);
                        return;
                    }
                    AsyncContext async = request.startAsync();
                    async.setTimeout(1);
                    async.addListener(trace.listener());
                    if (how.equals("complete")) {
                        response.sendError(500);
                        async.complete();
                    } else if (how.equals("throw")) {
                        throw new ServletException("wanted");
                    }
                };
        CodeServlet page =
                new CodeServlet((_, response) -> {
                    response.getWriter().print("half a page");
                    response.flushBuffer();
                    throw new ServletException("wanted");
                });
        try (ServletServer server =
                        ServletServer.start(app(code, (_, _) -> {}).servlet("/page", page));
                RawClient client = server.client()) {
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(new String(client.rest(), StandardCharsets.ISO_8859_1))
                    .contains("half a page")
                    .doesNotEndWith("0\r\n\r\n");
            Await.until("the request has ended", () -> trace.has("destroyed"));
            switch (how) {
                case "sync" -> assertThat(trace.heard()).containsExactly("destroyed");
                case "complete" ->
                        assertThat(trace.heard()).containsExactly("complete", "destroyed");
                case "throw" ->
                        assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
                default ->
                        assertThat(trace.heard())
                                .containsExactly("timeout", "complete", "destroyed");
            }
        }
    }

    /// A thread of the application completes while the container makes the page of a timeout.
    @Test
    void completeDuringThePageOfATimeoutEndsOnce() throws Exception {
        AtomicReference<AsyncContext> kept = new AtomicReference<>();
        CodeServlet page =
                new CodeServlet((_, response) -> {
                    CountDownLatch done = new CountDownLatch(1);
                    Thread.startVirtualThread(() -> {
                        kept.get().complete();
                        done.countDown();
                    });
                    Await.open("the application has completed", done);
                    response.getWriter().print("page");
                });
        try (ServletServer server =
                ServletServer.start(
                        app(
                                        (request, _) -> {
                                            AsyncContext async = request.startAsync();
                                            async.setTimeout(1);
                                            async.addListener(trace.listener());
                                            kept.set(async);
                                        },
                                        (_, _) -> {})
                                .servlet("/page", page))) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.text()).isEqualTo("page");
            assertThat(trace.heard()).containsExactly("timeout", "complete", "destroyed");
        }
    }

    /// Timer, application and client end the same request at about the same time.
    @ParameterizedTest
    @ValueSource(strings = {"complete", "dispatch", "abort"})
    void timeoutAgainstAnotherEndEndsOnce(String other) throws Exception {
        int rounds = 300;
        BlockingQueue<AsyncContext> kept = new LinkedBlockingQueue<>();
        try (ServletServer server =
                ServletServer.start(
                        app(
                                        (request, _) -> {
                                            AsyncContext async = request.startAsync();
                                            async.setTimeout(1);
                                            async.addListener(trace.listener());
                                            kept.add(async);
                                        },
                                        (_, response) -> response.getWriter().print("dispatched"))
                                .servlet("/page", new CodeServlet((_, _) -> {})))) {
            for (int i = 0; i < rounds; i++) {
                trace.clear();
                RawClient client = server.client();
                client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
                AsyncContext async = kept.take();
                switch (other) {
                    case "complete" -> tryEnd(async::complete);
                    case "dispatch" -> tryEnd(() -> async.dispatch("/t"));
                    default -> client.reset();
                }
                if (!other.equals("abort")) {
                    assertThat(client.answer().status()).isIn(200, 500);
                }
                Await.until("the request has ended", () -> trace.has("destroyed"));
                assertThat(trace.heard()).containsOnlyOnce("complete", "destroyed");
                client.close();
            }
            assertThat(server.server().metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        }
    }

    /// As a filter does behind the chain, when another thread was faster (Javadoc of
    /// AsyncContext.addListener).
    @ParameterizedTest
    @ValueSource(strings = {"complete", "dispatch"})
    void listenersMayBeAddedUntilTheServletHasReturned(String first) throws Exception {
        AtomicReference<AsyncContext> kept = new AtomicReference<>();
        WebApp.Builder app =
                app(
                        (request, response) -> {
                            AsyncContext async = request.startAsync();
                            kept.set(async);
                            if (first.equals("complete")) {
                                async.complete();
                            } else {
                                async.dispatch("/t");
                            }
                            async.addListener(trace.listener());
                            async.setTimeout(1_234);
                            response.getWriter().print(async.getTimeout());
                        },
                        (request, _) ->
                                assertThatIllegalStateException()
                                        .isThrownBy(
                                                () -> kept.get().addListener(trace.listener())));
        try (ServletServer server = ServletServer.start(app)) {
            assertThat(server.get("/s").text()).isEqualTo("1234");
            assertThat(trace.heard()).containsExactly("complete", "destroyed");
        }
    }

    private static void tryEnd(Runnable end) {
        try {
            end.run();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("ended");
        }
    }
}
