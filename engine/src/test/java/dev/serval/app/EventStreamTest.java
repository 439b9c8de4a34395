package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.LeakCheck;
import dev.serval.Serval;
import dev.serval.WorkerKind;
import dev.serval.blocking.ExchangeAbortedException;
import dev.serval.mode.InMode;
import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Server-sent events over sockets.
@EveryMode
@Timeout(120)
final class EventStreamTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final long SHORT_NANOS = 20_000_000;
    private static final long NEVER_NANOS = Long.MAX_VALUE;

    private static Serval serve(EventStream.Source source, long silenceNanos) throws IOException {
        return serve(WorkerKind.best(), source, silenceNanos);
    }

    private static Serval serve(WorkerKind kind, EventStream.Source source, long silenceNanos)
            throws IOException {
        return InMode.start(
                Serval.builder()
                        .listen(InMode.listener())
                        .loops(1)
                        .workers(kind)
                        .limits(
                                AppLimits.DEFAULT.with(
                                        draft -> draft.eventSilenceNanos = silenceNanos))
                        .get("/", x -> x.events(source)));
    }

    private static void close(Serval server) {
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @Test
    void writesEventsInLines() {
        assertThat(EventStream.text(null, "one", null)).isEqualTo("data: one\n\n");
        assertThat(EventStream.text("tick", "one\ntwo\r\nthree\rfour\n", "7"))
                .isEqualTo(
                        "event: tick\nid: 7\ndata: one\ndata: two\ndata: three\ndata: four\ndata:"
                                + " \n\n");
        assertThat(EventStream.text(null, "", null)).isEqualTo("data: \n\n");
        for (String evil : new String[] {"a\nb", "a\rb", "a\0b"}) {
            assertThatThrownBy(() -> EventStream.text(evil, "x", null))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> EventStream.text(null, "x", evil))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void sendsEachEventAtOnceAndEndsWithItsSource() throws IOException {
        BlockingQueue<String> events = new ArrayBlockingQueue<>(10);
        AtomicReference<@Nullable String> lastId = new AtomicReference<>();
        Serval server =
                serve(
                        stream -> {
                            lastId.set(stream.lastId());
                            stream.retryAfter(Duration.ofSeconds(3));
                            for (String next = events.take();
                                    !next.equals("end");
                                    next = events.take()) {
                                stream.send("tick", next, "id-" + next);
                            }
                        },
                        NEVER_NANOS);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send(GET.replace("\r\n\r\n", "\r\nLast-Event-ID: 41\r\n\r\n"));
            String head = client.until("retry: 3000\n\n");
            assertThat(head).contains("Content-Type: text/event-stream", "Cache-Control: no-store");
            events.add("one");
            client.until("event: tick\nid: id-one\ndata: one\n\n");
            events.add("two");
            client.until("data: two\n\n");
            events.add("end");
            client.until("\r\n0\r\n\r\n");
            assertThat(lastId.get()).isEqualTo("41");
        }
        close(server);
    }

    @Test
    void headGetsOnlyTheFields() throws IOException {
        Serval server = serve(_ -> new CountDownLatch(1).await(), NEVER_NANOS);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            RawResponse head = client.send(GET.replace("GET", "HEAD")).answer("HEAD");
            assertThat(head.field("Content-Type")).isEqualTo("text/event-stream");
        }
        close(server);
    }

    @Test
    void sendsCommentsDuringSilence() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        Serval server = serve(_ -> end.await(), SHORT_NANOS);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send(GET);
            client.until(":\n\n");
            client.until(":\n\n");
            end.countDown();
            client.until("\r\n0\r\n\r\n");
        }
        close(server);
    }

    @ParameterizedTest
    @EnumSource(WorkerKind.class)
    void waitingSourceEndsAfterClientDisconnected(WorkerKind kind) throws IOException {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<@Nullable Exception> thrown = new AtomicReference<>();
        Serval server =
                serve(
                        kind,
                        stream -> {
                            stream.send("one");
                            waits.countDown(); // while it sends, the client must be there
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                thrown.set(e);
                                throw e;
                            } finally {
                                ended.countDown();
                            }
                        },
                        SHORT_NANOS);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send(GET).until("data: one\n\n");
            Await.open("the source to wait", waits);
        }
        Await.open("the source to end", ended);
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        close(server);
        assertThat(server.metrics().sum(Counter.HANDLER_FAULTS)).as("logged").isZero();
    }

    @Test
    void sendingSourceWaitsForSlowClientAndEndsAfterDisconnect() throws IOException {
        AtomicLong sent = new AtomicLong();
        AtomicReference<@Nullable Exception> thrown = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(1);
        String kilobytes = "x".repeat(8 << 10);
        Serval server =
                serve(
                        stream -> {
                            try {
                                while (true) {
                                    stream.send(kilobytes);
                                    sent.incrementAndGet();
                                }
                            } catch (IOException e) {
                                thrown.set(e);
                                throw e;
                            } finally {
                                ended.countDown();
                            }
                        },
                        NEVER_NANOS);
        RawClient client = RawClient.connect(server.addresses().getFirst(), 8 << 10);
        client.send(GET).until("data: x");
        // The kernel and the server buffer far less than an unblocked source would have sent by
        // then.
        long[] last = {-1};
        Await.until(
                "the source to block",
                () -> {
                    long now = sent.get();
                    boolean still = now == last[0];
                    last[0] = now;
                    return still;
                });
        assertThat(sent.get() * kilobytes.length()).isLessThan(64L << 20);
        client.reset();
        client.close();
        Await.open("the source to end", ended);
        assertThat(thrown.get()).isInstanceOf(ExchangeAbortedException.class);
        close(server);
        assertThat(server.metrics().sum(Counter.HANDLER_FAULTS)).as("logged").isZero();
    }

    @Test
    void refusesEventsAfterSourceReturned() throws IOException {
        AtomicReference<@Nullable EventStream> kept = new AtomicReference<>();
        Serval server =
                serve(
                        stream -> {
                            kept.set(stream);
                            stream.send("one");
                        },
                        NEVER_NANOS);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            RawResponse answer = client.send(GET).answer("GET");
            assertThat(answer.text()).isEqualTo("data: one\n\n");
            assertThatThrownBy(() -> Objects.requireNonNull(kept.get()).send("two"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has ended");
        }
        close(server);
    }
}
