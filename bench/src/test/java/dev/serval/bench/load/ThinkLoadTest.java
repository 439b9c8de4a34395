package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThinkLoadTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long WINDOW_NANOS = 2 * SECOND_NANOS;

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger greetings = new AtomicInteger();
    private final CountDownLatch held = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private int answerBytes = 5;
    private boolean hold;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/x", this::answer);
        server.createContext(
                "/hi",
                exchange -> {
                    greetings.incrementAndGet();
                    exchange.sendResponseHeaders(200, 2);
                    exchange.getResponseBody().write(new byte[2]);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        held.countDown();
        server.stop(0);
        threads.close();
    }

    @Test
    void everyUserThinksAndAsksAgain() throws IOException {
        try (ThinkLoad load = open(8)) {
            ThinkLoad.Outcome outcome = load.run(0.02, WINDOW_NANOS, 10 * SECOND_NANOS);
            assertThat(greetings.get()).isEqualTo(8);
            assertThat(outcome.unanswered()).isZero();
            assertThat(outcome.sentNanos()).hasSameSizeAs(outcome.latencyNanos()).isSorted();
            assertThat(outcome.sentNanos().length).isEqualTo(requests.get()).isGreaterThan(8);
            assertThat(Arrays.stream(outcome.sentNanos())).allMatch(at -> at < WINDOW_NANOS);
            assertThat(Arrays.stream(outcome.latencyNanos())).allMatch(latency -> latency > 0);
            assertThat(outcome.answeredBy(Long.MAX_VALUE)).isEqualTo(requests.get());
            assertThat(outcome.answeredBy(0)).isZero();
        }
    }

    @Test
    void unansweredRequestsCountWithTheirWait() throws IOException {
        hold = true;
        try (ThinkLoad load = open(3)) {
            ThinkLoad.Outcome outcome = load.run(0.001, WINDOW_NANOS, WINDOW_NANOS);
            assertThat(outcome.unanswered()).isEqualTo(3);
            assertThat(Arrays.stream(outcome.latencyNanos()))
                    .hasSize(3)
                    .allMatch(latency -> latency >= WINDOW_NANOS);
        }
    }

    @Test
    void wrongAnswerFailsTheLoad() throws IOException {
        answerBytes = 6;
        try (ThinkLoad load = open(1)) {
            assertThatThrownBy(() -> load.run(0.001, WINDOW_NANOS, WINDOW_NANOS))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("wrong answer");
        }
    }

    private ThinkLoad open(int users) throws IOException {
        return ThinkLoad.open(target("/x", 5), target("/hi", 2), users, 1);
    }

    private Client.Target target(String path, int answerBytes) {
        return new Client.Target(
                server.getAddress().getPort(), new Site.Page(path, answerBytes, ""));
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        try {
            if (hold) {
                held.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.sendResponseHeaders(200, answerBytes);
        exchange.getResponseBody().write(new byte[answerBytes]);
        exchange.close();
    }
}
