package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Checks that the server does not wait for peers that take too long. Limits are short and the test
/// awaits their effects; it measures no time.
class DeadlinesTest {
    private static final long NOT_IN_THIS_TEST = TimeUnit.MINUTES.toNanos(10);
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long AFTER_A_REQUEST = TimeUnit.SECONDS.toNanos(1);
    private static final byte[] BYTE = {'a'};

    @Test
    void drippingHeadEndsWith408OrAClose() {
        try (Served server = served(pace().head(SOON));
                RawClient client = server.connect()) {
            client.send("GET /");
            drip(client);
            assertSent408OrNothing(client);
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void drippingSecondHeadEndsWith408OrAClose() {
        try (Served server = served(pace().head(AFTER_A_REQUEST));
                RawClient client = server.connect()) {
            assertThat(client.exchange(Requests.get("/")).status()).isEqualTo(200);
            client.send("GET /");
            drip(client);
            assertSent408OrNothing(client);
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void silentNewConnectionIsClosed() {
        try (Served server = served(pace().head(SOON));
                RawClient client = server.connect()) {
            Await.until("the connection is closed", client::closedByServer);
            assertSent408OrNothing(client);
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void idleConnectionIsClosedWithoutAResponse() {
        try (Served server = served(pace().idle(SOON));
                RawClient client = server.connect()) {
            assertThat(client.exchange(Requests.get("/")).status()).isEqualTo(200);
            client.expectClosed();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void drippingContentEndsWith408OrAClose() {
        try (Served server = served(pace().rate(SOON, 1_000_000));
                RawClient client = server.connect()) {
            client.send(Requests.post("/echo", 1_000_000));
            drip(client);
            assertSent408OrNothing(client);
            assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(1);
        }
    }

    @Test
    void stalledContentEndsWith408OrAClose() {
        try (Served server = served(pace().rate(SOON, 240));
                RawClient client = server.connect()) {
            client.send(Requests.post("/echo", 1000) + "half");
            Await.until("the connection is closed", client::closedByServer);
            assertSent408OrNothing(client);
        }
    }

    @Test
    void unreadContentIsNotAwaited() {
        try (Served server = served(pace().rate(SOON, 240));
                RawClient client = server.connect()) {
            client.send(Requests.post("/", 1000) + "half");
            assertThat(client.answer().status()).isEqualTo(200);
            client.expectClosed();
        }
    }

    @Test
    void clientThatReadsNothingIsDropped() {
        try (Served server = served(pace().stall(SOON));
                RawClient client = RawClient.connect(server.address(), 4096)) {
            client.send(Requests.get("/endless"));
            Await.until(
                    "the connection is dropped",
                    () -> server.count(Counter.CONNECTIONS_CLOSED) == 1);
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    @Test
    void exchangeAfterItsDeadlineGetsAnError() {
        AtomicInteger waiting = new AtomicInteger();
        CountDownLatch latch = new CountDownLatch(1);
        Limits limits = pace().exchange(SOON).limits();
        try (Served server =
                        Served.with(
                                b -> b.limits(limits).mount("/", Answers.held(waiting, latch)));
                RawClient client = server.connect()) {
            RawResponse response = client.exchange(Requests.get("/"));
            assertThat(response.status()).isIn(503, 504);
            assertThat(server.count(Counter.EXCHANGE_TIMEOUTS)).isEqualTo(1);
            latch.countDown();
        }
    }

    /// The stream is older than a connection that is closed as idle, so it was silent for longer
    /// than any of these limits.
    @Test
    void silentEventStreamIsNotClosed() {
        CountDownLatch latch = new CountDownLatch(1);
        Limits limits = pace().idle(SOON).stall(SOON).rate(SOON, 240).limits();
        try (Served server =
                        Served.with(b ->
                                b.limits(limits)
                                        .mount("/", x -> Answers.text(x, "short"))
                                        .mount("/events", events(latch)));
                RawClient stream = server.connect()) {
            stream.send(Requests.get("/events"));
            stream.until("first event");
            try (RawClient idle = server.connect()) {
                assertThat(idle.exchange(Requests.get("/")).status()).isEqualTo(200);
                idle.expectClosed();
            }
            latch.countDown();
            stream.until("last event");
        }
    }

    private static Handler events(CountDownLatch latch) {
        return x -> {
            x.response().head(Answers.head(Status.OK, ResponseHead.UNKNOWN_LENGTH, Fields.EMPTY));
            x.response().write(Answers.bytes("first event"));
            x.run(
                    ExecutorKind.BLOCKING,
                    () -> {
                        Await.open("the test releases the handler", latch);
                        return then -> {
                            then.response().write(Answers.bytes("last event"));
                            then.response().end(Fields.EMPTY);
                        };
                    });
        };
    }

    private static void drip(RawClient client) {
        Await.until(
                "the connection is closed",
                () -> {
                    client.offer(BYTE);
                    return client.closedByServer();
                });
    }

    private static void assertSent408OrNothing(RawClient client) {
        String said = new String(client.rest(), StandardCharsets.ISO_8859_1);
        assertThat(said).matches("(?s)|HTTP/1\\.1 408 .*");
    }

    private static Served served(Pacing pacing) {
        return Served.with(b ->
                b.limits(pacing.limits())
                        .mount("/", x -> Answers.text(x, "short"))
                        .mount("/echo", Answers::echo)
                        .mount("/endless", DeadlinesTest::endless));
    }

    private static void endless(Exchange x) {
        x.response().head(Answers.head(Status.OK, ResponseHead.UNKNOWN_LENGTH, Fields.EMPTY));
        fill(x);
    }

    private static void fill(Exchange x) {
        ByteBuffer zeros = ByteBuffer.allocate(1 << 14);
        long room = x.response().write(new Body.Bytes(zeros, null));
        while (room > 0) {
            room = x.response().write(new Body.Bytes(zeros, null));
        }
        x.response().onWritable(() -> fill(x));
    }

    private static Pacing pace() {
        return new Pacing(
                Limits.DEFAULT.with(draft -> {
                    draft.pace.headNanos = NOT_IN_THIS_TEST;
                    draft.pace.idleNanos = NOT_IN_THIS_TEST;
                    draft.pace.graceNanos = NOT_IN_THIS_TEST;
                    draft.pace.minBytesPerSecond = 1;
                    draft.pace.stallNanos = NOT_IN_THIS_TEST;
                    draft.pace.lingerNanos = SOON;
                }));
    }

    /// Time limits, all of them far away except those named.
    private record Pacing(Limits limits) {
        Pacing head(long nanos) {
            return new Pacing(limits.with(draft -> draft.pace.headNanos = nanos));
        }

        Pacing idle(long nanos) {
            return new Pacing(limits.with(draft -> draft.pace.idleNanos = nanos));
        }

        Pacing rate(long graceNanos, long bytesPerSecond) {
            return new Pacing(
                    limits.with(draft -> {
                        draft.pace.graceNanos = graceNanos;
                        draft.pace.minBytesPerSecond = bytesPerSecond;
                    }));
        }

        Pacing stall(long nanos) {
            return new Pacing(limits.with(draft -> draft.pace.stallNanos = nanos));
        }

        Pacing exchange(long nanos) {
            return new Pacing(limits.with(draft -> draft.pace.exchangeNanos = nanos));
        }
    }
}
