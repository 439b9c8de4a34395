package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which of several answers a client gets after the application has thrown, whether the page for
/// errors runs, and what is counted. A test for each rule of `RequestFailure`.
@EveryMode
@Timeout(120)
final class RequestFailureTest {
    private static final String DESCRIPTOR =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <error-page><location>/page</location></error-page>
            </web-app>
            """;

    /// An exception of an application that cannot be shown.
    private static final class Unshowable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("The test lets the message fail");
        }
    }

    @TempDir private Path folder;
    private final Trace trace = new Trace();
    private final Queue<String> pages = new ConcurrentLinkedQueue<>();

    private WebApp.Builder app(CodeServlet.Code code) throws IOException {
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(folder.resolve("WEB-INF/web.xml"), DESCRIPTOR);
        return WebApp.of("", folder)
                .servlet("/s/*", new CodeServlet(code))
                .servlet("/page", new CodeServlet(this::page))
                .listener(trace);
    }

    private void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
        pages.add(String.valueOf(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE)));
        response.getWriter().print("page");
    }

    private static long unanswered(ServletServer server) {
        return server.server().metrics().sum(Counter.HANDLER_FAULTS);
    }

    @Test
    void pageAnswersWhatTheApplicationThrewAndOneFaultIsCounted() throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        app((_, _) -> {
                            throw new ServletException("wanted");
                        }))) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.text()).isEqualTo("page");
            Await.until("the request has ended", () -> trace.has("destroyed"));
            Await.until("the fault is counted", () -> server.app().faults() == 1);
            assertThat(unanswered(server)).isZero();
        }
    }

    @Test
    void requestWithoutAnExceptionIsNoFault() throws Exception {
        try (ServletServer server =
                ServletServer.start(app((_, response) -> response.sendError(500, "wanted")))) {
            assertThat(server.get("/s").text()).isEqualTo("page");
            Await.until("the request has ended", () -> server.app().requestsInProgress() == 0);
            assertThat(server.app().faults()).isZero();
            assertThat(unanswered(server)).isZero();
        }
    }

    /// The thread of such a request runs on. What it throws then has no answer.
    @Test
    void noPageAnswersARequestWhoseTimeIsOver() throws Exception {
        WebApp.Builder app =
                app((_, _) -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        throw new ServletException(e);
                    }
                });
        try (ServletServer server =
                ServletServer.start(app.requestTimeLimit(Duration.ofSeconds(1)))) {
            assertThat(server.get("/s").status()).isEqualTo(503);
            Await.until("the thread has left", () -> server.app().requestsInProgress() == 0);
            assertThat(pages).isEmpty();
            assertThat(server.app().faults()).isZero();
            assertThat(trace.heard()).containsExactly("destroyed");
        }
    }

    @Test
    void listenersLearnOfTheErrorOfARequestWhoseTimeIsOver() throws Exception {
        WebApp.Builder app =
                app((request, _) -> {
                    request.startAsync().addListener(trace.listener());
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        throw new ServletException(e);
                    }
                });
        try (ServletServer server =
                ServletServer.start(app.requestTimeLimit(Duration.ofSeconds(1)))) {
            assertThat(server.get("/s").status()).isEqualTo(503);
            Await.until("the thread has left", () -> server.app().requestsInProgress() == 0);
            assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
            assertThat(pages).isEmpty();
        }
    }

    /// The thread of the request may learn of the end before or after the exchange does.
    @RepeatedTest(20)
    void noPageAnswersAClientThatHasGone() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        try (ServletServer server =
                ServletServer.start(
                        app((request, _) -> {
                            inside.countDown();
                            int _ = request.getInputStream().read();
                        }))) {
            RawClient client = server.client();
            client.send("POST /s HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n");
            Await.open("the servlet runs", inside);
            client.reset();
            Await.until("the request has ended", () -> trace.has("destroyed"));
            Await.until("none is left", () -> server.app().requestsInProgress() == 0);
            assertThat(pages).isEmpty();
            assertThat(server.app().faults()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"complete", "dispatch"})
    void listenerThatTakesOverDecides(String how) throws Exception {
        WebApp.Builder app =
                app(
                                (request, _) -> {
                                    AsyncContext async = request.startAsync();
                                    async.addListener(
                                            trace.listener(
                                                    "",
                                                    (event, _) -> {
                                                        if (event.equals("error")) {
                                                            takeOver(async, how);
                                                        }
                                                    }));
                                    throw new ServletException("wanted");
                                })
                        .servlet(
                                "/t",
                                new CodeServlet((_, response) -> response.getWriter().print("t")));
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.text()).isEqualTo(how.equals("dispatch") ? "t" : "listener");
            assertThat(pages).isEmpty();
            Await.until("the fault is counted", () -> server.app().faults() == 1);
        }
    }

    private static void takeOver(AsyncContext async, String how) {
        if (how.equals("dispatch")) {
            async.dispatch("/t");
            return;
        }
        try {
            async.getResponse().getWriter().print("listener");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        async.complete();
    }

    @Test
    void redirectBeforeTheExceptionIsTheAnswer() throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        app((_, response) -> {
                            response.sendRedirect("/there");
                            throw new ServletException("wanted");
                        }))) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.field("Location")).endsWith("/there");
            assertThat(pages).isEmpty();
            Await.until("the fault is counted", () -> server.app().faults() == 1);
        }
    }

    @Test
    void statusBeforeTheExceptionIsTheAnswer() throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        app((_, response) -> {
                            response.sendError(404);
                            throw new ServletException("wanted");
                        }))) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(404);
            assertThat(response.text()).isEqualTo("page");
            assertThat(pages).containsExactly("404");
        }
    }

    @Test
    void exceptionAfterTheResponseHasBegunIsCountedAsUnanswered() throws Exception {
        try (ServletServer server =
                        ServletServer.start(
                                app((_, response) -> {
                                    response.getWriter().print("half");
                                    response.flushBuffer();
                                    throw new ServletException("wanted");
                                }));
                RawClient client = server.client()) {
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(new String(client.rest(), StandardCharsets.ISO_8859_1))
                    .contains("half")
                    .doesNotEndWith("0\r\n\r\n");
            Await.until("the fault is counted", () -> unanswered(server) == 1);
            assertThat(server.app().faults()).isZero();
            assertThat(pages).isEmpty();
        }
    }

    /// Its own methods fail, so neither the page nor the log can show it.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void exceptionThatCannotBeShownEndsTheRequest(boolean async) throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        app((request, _) -> {
                            if (async) {
                                request.startAsync().addListener(trace.listener());
                            }
                            throw new Unshowable();
                        }))) {
            assertThat(server.get("/s").status()).isEqualTo(500);
            Await.until("the request has ended", () -> trace.has("destroyed"));
            Await.until("none is left", () -> server.app().requestsInProgress() == 0);
            if (async) {
                assertThat(trace.heard()).containsExactly("error", "complete", "destroyed");
            }
        }
    }

    @Test
    void malformedContentIsTheClientsFault() throws Exception {
        try (ServletServer server =
                        ServletServer.start(app((request, _) -> request.getParameter("a")));
                RawClient client = server.client()) {
            RawResponse response =
                    client.exchange(
                            "POST /s HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\na=%zz");
            assertThat(response.status()).isEqualTo(400);
            assertThat(pages).containsExactly("400");
            assertThat(server.app().faults()).isZero();
            assertThat(unanswered(server)).isZero();
        }
    }

    /// Its listener writes the page when its time is over.
    @ParameterizedTest
    @ValueSource(strings = {"throw", "error"})
    void pageMayBeAsynchronous(String how) throws Exception {
        AsyncListener late =
                trace.listener(
                        "",
                        (event, details) -> {
                            if (event.equals("timeout")) {
                                takeOver(details.getAsyncContext(), "complete");
                            }
                        });
        CodeServlet page =
                new CodeServlet((request, _) -> {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(50);
                    async.addListener(late);
                });
        WebApp.Builder app =
                app(
                                (_, response) -> {
                                    if (how.equals("throw")) {
                                        throw new ServletException("wanted");
                                    }
                                    response.sendError(500);
                                })
                        .servlet("/late", page);
        Files.writeString(folder.resolve("WEB-INF/web.xml"), DESCRIPTOR.replace("/page", "/late"));
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.text()).isEqualTo("listener");
            Await.until("the request has ended", () -> trace.has("destroyed"));
            assertThat(trace.heard()).containsExactly("timeout", "complete", "destroyed");
        }
    }

    @Test
    void lossOfAnotherClientIsAFaultOfThisRequest() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<IOException> lost = new CompletableFuture<>();
        CodeServlet.Code code =
                (request, _) -> {
                    if (request.getMethod().equals("GET")) {
                        throw new ServletException(lost.join());
                    }
                    inside.countDown();
                    try {
                        int _ = request.getInputStream().read();
                    } catch (IOException e) {
                        lost.complete(e);
                        throw e;
                    }
                };
        try (ServletServer server = ServletServer.start(app(code))) {
            RawClient other = server.client();
            other.send("POST /s HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n");
            Await.open("the servlet runs", inside);
            other.reset();
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(500);
            assertThat(response.text()).isEqualTo("page");
            Await.until("the fault is counted", () -> server.app().faults() == 1);
        }
    }

    /// It comes after the answer.
    @ParameterizedTest
    @CsvSource({"/file.txt, 200, file", "/none, 404, page", "/s, 200, fine", "/async, 200, fine"})
    void exceptionOfTheListenerOfTheEndChangesNothing(String target, int status, String text)
            throws Exception {
        WebApp.Builder app =
                app((_, response) -> response.getWriter().print("fine"))
                        .servlet(
                                "/async",
                                new CodeServlet(
                                        (request, _) -> request.startAsync().dispatch("/s")))
                        .listener(failing());
        Files.writeString(folder.resolve("file.txt"), "file");
        try (ServletServer server = ServletServer.start(app)) {
            for (int i = 0; i < 2; i++) {
                RawResponse response = server.get(target);
                assertThat(response.status()).isEqualTo(status);
                assertThat(response.text()).isEqualTo(text);
            }
            Await.until("none is left", () -> server.app().requestsInProgress() == 0);
            assertThat(server.app().faults()).isZero();
            assertThat(unanswered(server)).isZero();
        }
    }

    private static ServletRequestListener failing() {
        return new ServletRequestListener() {
            @Override
            public void requestDestroyed(ServletRequestEvent event) {
                throw new IllegalStateException("wanted");
            }
        };
    }
}
