package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests that take longer than the limit of their application. Each test then checks the next
/// requests.
@EveryMode
@Timeout(120)
final class TimeLimitTest {
    private static final Duration SOON = Duration.ofSeconds(2);

    private final Queue<Object> thrown = new ConcurrentLinkedQueue<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private final Trace trace = new Trace();
    private volatile boolean spins = true;

    private ServletServer serve(CodeServlet.Code code) throws IOException {
        return ServletServer.start(
                WebApp.at("")
                        .servlet("/s/*", new CodeServlet(code))
                        .servlet(
                                "/ok",
                                new CodeServlet((_, response) -> response.getWriter().print("ok")))
                        .listener(trace)
                        .requestTimeLimit(SOON));
    }

    private void waitForEver() throws ServletException {
        try {
            never.await();
        } catch (InterruptedException e) {
            thrown.add(e);
            throw new ServletException(e);
        }
    }

    private void assertNextRequestIsRight(ServletServer server) {
        for (int i = 0; i < 3; i++) {
            assertThat(server.get("/ok").text()).isEqualTo("ok");
        }
        Await.until("the thread has left", () -> server.server().workers() == 0);
        assertThat(server.get("/ok").text()).isEqualTo("ok");
    }

    @Test
    void sleepingRequestIsInterruptedAndAnswered503() throws Exception {
        try (ServletServer server = serve((_, _) -> waitForEver())) {
            assertThat(server.get("/s").status()).isEqualTo(503);
            assertNextRequestIsRight(server);
            assertThat(thrown).hasOnlyElementsOfType(InterruptedException.class).hasSize(1);
            assertThat(server.server().metrics().sum(Counter.EXCHANGE_TIMEOUTS)).isEqualTo(1);
            assertThat(trace.heard()).hasSize(5).containsOnly("destroyed");
        }
    }

    @Test
    void spinningRequestIsAnswered503AndCountedUntilItLeaves() throws Exception {
        try (ServletServer server =
                serve((_, response) -> {
                    while (spins) {
                        Thread.onSpinWait();
                    }
                    response.getWriter().print("too late");
                })) {
            assertThat(server.get("/s").status()).isEqualTo(503);
            assertThat(server.get("/ok").text()).isEqualTo("ok");
            assertThat(server.server().workers()).isGreaterThanOrEqualTo(1);
            spins = false;
            assertNextRequestIsRight(server);
        }
    }

    @Test
    void requestThatWaitsForContentIsAnswered503() throws Exception {
        try (ServletServer server =
                serve((request, _) -> {
                    try {
                        thrown.add(request.getInputStream().read());
                    } catch (IOException e) {
                        thrown.add(e);
                        throw e;
                    }
                })) {
            try (RawClient client = server.client()) {
                client.send("POST /s HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\n");
                assertThat(client.answer().status()).isEqualTo(503);
            }
            assertNextRequestIsRight(server);
            assertThat(thrown).hasOnlyElementsOfType(IOException.class).hasSize(1);
        }
    }

    @Test
    void committedResponseEndsWithItsConnection() throws Exception {
        try (ServletServer server =
                serve((_, response) -> {
                    response.setContentLength(100);
                    response.getWriter().print("begun");
                    response.flushBuffer();
                    waitForEver();
                })) {
            try (RawClient client = server.client()) {
                client.send("GET /s HTTP/1.1\r\nHost: test\r\n\r\n");
                assertThat(client.until("begun")).startsWith("HTTP/1.1 200 ");
                Await.until("the connection is closed", client::closedByServer);
            }
            assertNextRequestIsRight(server);
        }
    }

    @Test
    void responseThatWasKeptReachesNoOtherRequest() throws Exception {
        AtomicReference<@Nullable HttpServletResponse> kept = new AtomicReference<>();
        try (ServletServer server =
                serve((_, response) -> {
                    kept.set(response);
                    while (spins) {
                        Thread.onSpinWait();
                    }
                    for (int i = 0; i < 20_000; i++) {
                        response.getOutputStream().print("of another request");
                    }
                })) {
            assertThat(server.get("/s").status()).isEqualTo(503);
            try (RawClient client = server.client()) {
                String get = "GET /ok HTTP/1.1\r\nHost: test\r\n\r\n";
                assertThat(client.exchange(get).text()).isEqualTo("ok");
                spins = false;
                for (int i = 0; i < 200; i++) {
                    client.send(get);
                    assertThat(client.next("GET").text()).isEqualTo("ok");
                }
            }
            assertNextRequestIsRight(server);
            assertThat(kept.get()).isNotNull();
        }
    }

    @Test
    void asynchronousRequestMayWaitLonger() throws Exception {
        AtomicReference<@Nullable AsyncContext> started = new AtomicReference<>();
        try (ServletServer server =
                serve((request, _) -> {
                    if (request.getPathInfo() == null) {
                        waitForEver();
                    }
                    started.set(request.startAsync());
                })) {
            try (RawClient client = server.client()) {
                client.send("GET /s/async HTTP/1.1\r\nHost: test\r\n\r\n");
                Await.until("it is asynchronous", () -> started.get() != null);
                // These begin after it and reach the limit.
                assertThat(server.get("/s").status()).isEqualTo(503);
                assertThat(server.get("/s").status()).isEqualTo(503);
                AsyncContext async = Objects.requireNonNull(started.get());
                async.getResponse().getWriter().print("late");
                async.complete();
                assertThat(client.answer().text()).isEqualTo("late");
            }
            assertNextRequestIsRight(server);
        }
    }

    @Test
    void dispatchedRequestIsLimitedAgainAndListenersLearnOfIt() throws Exception {
        try (ServletServer server = serve(this::dispatchThenWait)) {
            assertThat(server.get("/s").status()).isEqualTo(503);
            assertNextRequestIsRight(server);
            assertThat(trace.heard()).contains("start", "error", "complete", "destroyed");
        }
    }

    private void dispatchThenWait(HttpServletRequest request, HttpServletResponse response)
            throws ServletException {
        boolean again = request.getAttribute("again") != null;
        AsyncContext async = request.startAsync();
        async.addListener(trace.listener());
        if (again) {
            waitForEver();
        }
        request.setAttribute("again", true);
        async.dispatch();
    }

    @Test
    void noThreadOfTheContainerKeepsTheLoaderOfAnApplication() throws Exception {
        ClassLoader own = new URLClassLoader(new URL[0], TimeLimitTest.class.getClassLoader());
        CodeServlet servlet = new CodeServlet((_, _) -> waitForEver());
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("").loader(own).servlet("/s", servlet).requestTimeLimit(SOON))) {
            assertThat(server.get("/s").status()).isEqualTo(503);
            Await.until("the thread has left", () -> server.server().workers() == 0);
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> own.equals(thread.getContextClassLoader()));
        }
    }

    @Test
    void limitIsFromZeroToADay() {
        WebApp.Builder app = WebApp.at("");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> app.requestTimeLimit(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> app.requestTimeLimit(Duration.ofHours(25)));
        assertThat(ServletContainer.limitMillis(Duration.ofNanos(1))).isEqualTo(1);
        assertThat(ServletContainer.limitMillis(Duration.ZERO)).isZero();
        assertThat(ServletContainer.limitMillis(Duration.ofDays(1))).isEqualTo(86_400_000);
    }
}
