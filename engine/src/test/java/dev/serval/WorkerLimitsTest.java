package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.handler.Body;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Checks the limits of application code on a whole server.
@Timeout(120)
final class WorkerLimitsTest {
    /// More requests than the pool carries at first.
    private static final int REQUESTS = 60;

    private static final long SPIN_NANOS = 5_000_000;
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final Handler GREETING =
            x ->
                    x.response()
                            .send(
                                    new ResponseHead(Status.OK, Fields.EMPTY, HELLO.length),
                                    Body.Bytes.of(HELLO));

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final CountDownLatch both = new CountDownLatch(2);
    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore ends = new Semaphore(0);

    @Test
    void preemptsNoLoopIfNoThreadMayBeKept() throws IOException {
        Limits none = Limits.DEFAULT.with(draft -> draft.workers.keptThreadsMax = 0);
        try (Serval server = start(none, 1, WorkerKind.best(), this::spin)) {
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(ask(server)).isEqualTo("hello");
            }
            assertThat(server.preemptions()).isZero();
            assertThat(server.keptThreads()).isZero();
        }
    }

    @Test
    void poolLimitBoundsPlatformThreads() throws IOException {
        Limits two = Limits.DEFAULT.with(draft -> draft.workers.poolThreadsMax = 2);
        try (Serval server = start(two, 1, WorkerKind.PLATFORM, this::note);
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < REQUESTS; i++) {
                clients.execute(() -> ask(server));
            }
        }
        assertThat(threads).hasSize(2).noneMatch(Thread::isVirtual);
    }

    /// The new request holds what the first one needs for its end.
    @Test
    void requestThatHasBegunContinuesWhileNewOnesWait() throws Exception {
        Limits one = Limits.DEFAULT.with(draft -> draft.workers.workingMax = 1);
        CountDownLatch firstHasBegun = new CountDownLatch(1);
        CountDownLatch newHasBegun = new CountDownLatch(1);
        CountDownLatch firstContinues = new CountDownLatch(1);
        Handler rest =
                x ->
                        x.run(
                                ExecutorKind.WORKER,
                                () -> {
                                    firstContinues.countDown();
                                    return GREETING;
                                });
        Handler first =
                x ->
                        x.run(
                                ExecutorKind.WORKER,
                                () -> {
                                    firstHasBegun.countDown();
                                    return y ->
                                            y.run(
                                                    ExecutorKind.BLOCKING,
                                                    () -> {
                                                        newHasBegun.await();
                                                        return rest;
                                                    });
                                });
        Handler fresh =
                x ->
                        x.run(
                                ExecutorKind.WORKER,
                                () -> {
                                    newHasBegun.countDown();
                                    firstContinues.await();
                                    return GREETING;
                                });
        try (Serval server =
                        Serval.builder()
                                .listen(0)
                                .loops(1)
                                .limits(one)
                                .mount("/first", first)
                                .mount("/new", fresh)
                                .start();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> of = clients.submit(() -> ask(server, "/first"));
            firstHasBegun.await();
            assertThat(ask(server, "/new")).isEqualTo("hello");
            assertThat(of.get()).isEqualTo("hello");
        }
    }

    @Test
    void applicationsMustWorkOnARequest() {
        Limits none = Limits.DEFAULT.with(draft -> draft.workers.workingMax = 0);
        assertThatThrownBy(() -> start(none, 1, WorkerKind.best(), () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1");
    }

    @Test
    void requestsBeyondTheMostThatWorkWait() throws Exception {
        Limits two = Limits.DEFAULT.with(draft -> draft.workers.workingMax = 2);
        AtomicInteger working = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Runnable code =
                () -> {
                    most.accumulateAndGet(working.incrementAndGet(), Math::max);
                    ends.acquireUninterruptibly();
                    working.decrementAndGet();
                };
        try (Serval server = start(two, 2, WorkerKind.best(), code);
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                answers.add(clients.submit(() -> ask(server)));
            }
            Await.until("all have come", () -> server.workers() == REQUESTS);
            Await.until("one of each loop works", () -> working.get() == 2);
            ends.release(REQUESTS);
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("hello");
            }
        }
        assertThat(most).hasValue(2);
    }

    @Test
    void requestOfAClientThatLeavesWaitsNoLonger() throws Exception {
        Limits one =
                Limits.DEFAULT.with(draft -> {
                    draft.workers.workingMax = 1;
                    draft.workers.startNanos = TimeUnit.MINUTES.toNanos(5);
                });
        try (Serval server = start(one, 1, WorkerKind.best(), this::hold);
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = clients.submit(() -> ask(server));
            Await.until("the first works", () -> begun.get() == 1);
            for (int i = 0; i < 3; i++) {
                try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    Await.until("it waits", () -> server.workers() == 2);
                    client.reset();
                    Await.until("it waits no longer", () -> server.workers() == 1);
                }
            }
            ends.release();
            assertThat(first.get()).isEqualTo("hello");
        }
        assertThat(begun).hasValue(1);
    }

    @Test
    void requestThatTimesOutWhileItWaitsNeverBegins() throws Exception {
        Limits brief =
                Limits.DEFAULT.with(draft -> {
                    draft.workers.workingMax = 1;
                    draft.pace.exchangeNanos = TimeUnit.MILLISECONDS.toNanos(200);
                });
        try (Serval server = start(brief, 1, WorkerKind.best(), this::hold);
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = clients.submit(() -> ask(server));
            Await.until("the first works", () -> begun.get() == 1);
            ask(server);
            ends.release();
            first.get();
            Await.until("none works", () -> server.workers() == 0);
        }
        assertThat(begun).hasValue(1);
    }

    /// Works until the test ends it.
    private void hold() {
        begun.incrementAndGet();
        ends.acquireUninterruptibly();
    }

    private void spin() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < SPIN_NANOS) {
            Thread.onSpinWait();
        }
    }

    /// Notes the thread. The first request waits for a second one beside it, because one thread could
    /// run all of these short pieces.
    private void note() {
        threads.add(Thread.currentThread());
        both.countDown();
        try {
            assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Serval start(Limits limits, int loops, WorkerKind kind, Runnable code)
            throws IOException {
        return Serval.builder()
                .listen(0)
                .loops(loops)
                .limits(limits)
                .workers(kind)
                .mount(
                        "/",
                        x ->
                                x.run(
                                        ExecutorKind.WORKER,
                                        () -> {
                                            code.run();
                                            return GREETING;
                                        }))
                .start();
    }

    private static String ask(Serval server) {
        return ask(server, "/");
    }

    private static String ask(Serval server, String target) {
        return RawClient.get(server.addresses().getFirst(), target).text();
    }
}
