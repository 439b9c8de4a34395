package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Checks that stopping loses no request that began in time, and never waits forever.
class StopTest {
    private final AtomicInteger waiting = new AtomicInteger();
    private final CountDownLatch latch = new CountDownLatch(1);

    @Test
    void answersRequestInProgressAndClosesItsConnection() {
        try (Served server = served();
                RawClient client = server.connect();
                RawClient idle = server.connect()) {
            assertThat(idle.exchange(Requests.get("/")).status()).isEqualTo(200);
            client.send(Requests.get("/held"));
            Await.until("the request is in progress", () -> waiting.get() == 1);
            SocketAddress address = server.address();
            CompletableFuture<Void> stopped =
                    CompletableFuture.runAsync(() -> server.stop(Duration.ofMinutes(1)));
            idle.expectClosed();
            assertThatThrownBy(() -> RawClient.connect(address).close())
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(stopped).isNotDone();
            latch.countDown();
            RawResponse response = client.answer();
            assertThat(response.text()).isEqualTo("through");
            assertThat(response.announcesClose()).isTrue();
            client.expectClosed();
            stopped.join();
        }
    }

    @Test
    void abortsRequestsAtTheDeadline() {
        try (Served server = served();
                RawClient client = server.connect()) {
            client.send(Requests.get("/held"));
            Await.until("the request is in progress", () -> waiting.get() == 1);
            CompletableFuture<Void> stopped =
                    CompletableFuture.runAsync(() -> server.stop(Duration.ofMillis(50)));
            client.rest();
            latch.countDown();
            stopped.join();
        }
    }

    @Test
    void answersRequestThatBeganBeforeTheStop() {
        try (Served server = served();
                RawClient half = server.connect();
                RawClient idle = server.connect()) {
            assertThat(half.exchange(Requests.get("/")).status()).isEqualTo(200);
            assertThat(idle.exchange(Requests.get("/")).status()).isEqualTo(200);
            half.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nha");
            assertThat(idle.exchange(Requests.get("/")).status()).isEqualTo(200);
            CompletableFuture<Void> stopped =
                    CompletableFuture.runAsync(() -> server.stop(Duration.ofMinutes(1)));
            idle.expectClosed();
            half.send("lf");
            assertThat(half.answer().text()).isEqualTo("half");
            half.expectClosed();
            stopped.join();
        }
    }

    @Test
    void stoppingTwiceIsHarmless() {
        try (Served server = served()) {
            server.stop(Duration.ofSeconds(1));
            server.stop(Duration.ofSeconds(1));
        }
    }

    private Served served() {
        return Served.with(b ->
                b.mount("/", x -> Answers.text(x, "text"))
                        .mount("/echo", Answers::echo)
                        .mount("/held", Answers.held(waiting, latch)));
    }
}
