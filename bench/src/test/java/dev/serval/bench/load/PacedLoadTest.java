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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PacedLoadTest {
    private static final int STALL_MILLIS = 500;

    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private int stallAt = -1;
    private int refuseAt = -1;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/x", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void sendsAllRequests() throws IOException {
        try (PacedLoad load = open(4)) {
            PacedLoad.Outcome outcome = load.run(200, 1);
            assertThat(outcome.micros().getTotalCount()).isBetween(199L, 201L);
            assertThat(outcome.unanswered()).isZero();
        }
        assertThat(requests.get()).isBetween(4 + 199, 4 + 201);
    }

    /// If latency were measured from the write, only the request during the stall would be late.
    @Test
    void latencyIncludesWaitForPreviousAnswer() throws IOException {
        stallAt = 10;
        try (PacedLoad load = open(1)) {
            PacedLoad.Outcome outcome = load.run(100, 1);
            long late = outcome.micros().getCountBetweenValues(100_000, 100_000_000);
            // One is due each 10 ms. Those in the first 400 of 500 ms wait 100 ms or more.
            assertThat(late).isGreaterThanOrEqualTo(38);
        }
    }

    @Test
    void wrongAnswerFailsTheLoad() throws IOException {
        refuseAt = 10;
        try (PacedLoad load = open(2)) {
            assertThatThrownBy(() -> load.run(100, 1))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("got a wrong answer");
        }
    }

    private PacedLoad open(int connections) throws IOException {
        Site.Page page = new Site.Page("/x", 5, "");
        return PacedLoad.open(new Client.Target(server.getAddress().getPort(), page), connections);
    }

    private void answer(HttpExchange exchange) throws IOException {
        int number = requests.getAndIncrement();
        if (number == stallAt) {
            stall();
        }
        exchange.sendResponseHeaders(number == refuseAt ? 500 : 200, 5);
        exchange.getResponseBody().write(new byte[5]);
        exchange.close();
    }

    private static void stall() {
        try {
            assertThat(new CountDownLatch(1).await(STALL_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
