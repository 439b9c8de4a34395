package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Checks admission: a connection or request above a limit is refused at once, those below
/// continue, and capacity is released again.
class AdmissionTest {
    @Test
    void refusesConnectionAboveTheLimitUntilOneCloses() {
        try (Served server = served(Limits.DEFAULT.with(draft -> draft.counts.connectionsMax = 2));
                RawClient first = server.connect();
                RawClient second = server.connect()) {
            assertThat(first.exchange(Requests.get("/")).status()).isEqualTo(200);
            assertThat(second.exchange(Requests.get("/")).status()).isEqualTo(200);
            assertRefused(server);
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_LIMIT)).isEqualTo(1);
            assertThat(first.exchange(Requests.get("/")).status()).isEqualTo(200);
            first.reset();
            assertAcceptsAgain(server);
        }
    }

    @Test
    void refusesConnectionAboveTheLimitOfItsAddress() {
        try (Served server = served(Limits.DEFAULT.with(draft -> draft.counts.perAddressMax = 2));
                RawClient first = server.connect();
                RawClient second = server.connect()) {
            assertThat(first.exchange(Requests.get("/")).status()).isEqualTo(200);
            assertThat(second.exchange(Requests.get("/")).status()).isEqualTo(200);
            assertRefused(server);
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_ADDRESS)).isEqualTo(1);
            second.reset();
            assertAcceptsAgain(server);
        }
    }

    @Test
    void refusesRequestAboveTheLimitWith503AndRetryAfter() {
        AtomicInteger waiting = new AtomicInteger();
        CountDownLatch latch = new CountDownLatch(1);
        Limits limits = Limits.DEFAULT.with(draft -> draft.counts.exchangesMax = 1);
        try (Served server =
                        Served.with(b ->
                                b.limits(limits)
                                        .mount("/", x -> Answers.text(x, "text"))
                                        .mount("/held", Answers.held(waiting, latch)));
                RawClient first = server.connect();
                RawClient second = server.connect()) {
            first.send(Requests.get("/held"));
            Await.until("the request is in progress", () -> waiting.get() == 1);
            RawResponse refused = second.exchange(Requests.get("/held"));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.has("Retry-After")).isTrue();
            assertThat(server.count(Counter.REQUESTS_REFUSED_LIMIT)).isEqualTo(1);
            latch.countDown();
            assertThat(first.answer().text()).isEqualTo("through");
            assertThat(first.exchange(Requests.get("/held")).text()).isEqualTo("through");
        }
    }

    @Test
    void lastRequestOfAConnectionAnnouncesTheClose() {
        try (Served server =
                        served(
                                Limits.DEFAULT.with(
                                        draft -> draft.counts.requestsPerConnectionMax = 3));
                RawClient client = server.connect()) {
            client.send(Requests.get("/").repeat(5));
            assertThat(client.answer().announcesClose()).isFalse();
            assertThat(client.answer().announcesClose()).isFalse();
            assertThat(client.answer().announcesClose()).isTrue();
            client.expectClosed();
        }
    }

    /// A reset before the client knows of the connection is a refusal, too.
    private static void assertRefused(Served server) {
        try (RawClient client = server.connect()) {
            client.send(Requests.get("/"));
            if (!client.ends()) {
                assertThat(client.answer().status()).isEqualTo(503);
                client.expectClosed();
            }
        } catch (UncheckedIOException e) {
            assertThat(e).hasMessageStartingWith("cannot connect");
        }
    }

    private static void assertAcceptsAgain(Served server) {
        Await.until(
                "there is room again",
                () -> {
                    try (RawClient client = server.connect()) {
                        client.send(Requests.get("/"));
                        return !client.ends() && client.answer().status() == 200;
                    } catch (UncheckedIOException e) {
                        return false;
                    }
                });
    }

    private static Served served(Limits limits) {
        return Served.with(b -> b.limits(limits).mount("/", x -> Answers.text(x, "text")));
    }
}
