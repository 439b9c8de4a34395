package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.Clock;
import dev.serval.loop.EventLoop;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.loop.ThreadClock;
import dev.serval.testkit.Await;
import dev.serval.testkit.SlowCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A loop with real threads: application code must neither stop nor end it. Code that keeps the
/// loop waits here for work that only the same loop can do.
@Timeout(60)
final class CarriersTest {
    private static final int KEPT_MAX = 2;

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final AtomicInteger poolRefuses = new AtomicInteger();
    private volatile Error refusal = new OutOfMemoryError("meant: no thread for the pool");
    private final List<String> faults = new ArrayList<>();
    private final CountDownLatch otherRan = new CountDownLatch(1);
    private final AtomicBoolean otherDone = new AtomicBoolean();
    private final EventLoop loop;
    private final LoopWorkers workers;
    private final Carriers carriers;
    private boolean ended;

    CarriersTest() {
        WorkerThreads threads = new WorkerThreads(WorkerThreads.Kind.LOOP, this::carryInPool);
        Reports reports = new NotedReports();
        loop =
                new EventLoop(
                        new LoopParts(0, Clock.SYSTEM, reports),
                        FakePoller.busy(10_000, CarriersTest::wakeSlowly));
        workers = new LoopWorkers(loop, threads);
        carriers =
                new Carriers(
                        List.of(workers),
                        KEPT_MAX,
                        1 << 20,
                        Clock.SYSTEM,
                        ThreadClock.NONE,
                        reports);
        carriers.start();
    }

    @AfterEach
    void end() {
        otherDone.set(true);
        otherRan.countDown();
        endLoop();
        pool.shutdownNow();
    }

    @Test
    void parkedWorkerWithItsThreadsMonitorDoesNotStopTheLoop() {
        CountDownLatch entered = new CountDownLatch(1);
        TestJob holder =
                new TestJob(() -> {
                    synchronized (Thread.currentThread()) {
                        entered.countDown();
                        otherRan.await();
                    }
                });
        start(holder);
        Await.open("the monitor is held", entered);
        start(new TestJob(otherRan::countDown));
        holder.awaitEnd();
    }

    @Test
    void spinningWorkerWithItsThreadsMonitorDoesNotStopTheLoop() {
        CountDownLatch entered = new CountDownLatch(1);
        TestJob holder =
                new TestJob(() -> {
                    synchronized (Thread.currentThread()) {
                        entered.countDown();
                        spin();
                    }
                });
        start(holder);
        Await.open("the monitor is held", entered);
        start(new TestJob(() -> otherDone.set(true)));
        holder.awaitEnd();
        assertThat(carriers.preemptions()).isPositive();
    }

    @Test
    void interruptOfAFifoReaderDoesNotStopTheLoop(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        try (FileChannel open =
                FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            CountDownLatch entered = new CountDownLatch(1);
            TestJob reader =
                    new TestJob(() -> {
                        try (FileChannel mine = FileChannel.open(fifo, StandardOpenOption.READ)) {
                            entered.countDown();
                            mine.read(ByteBuffer.allocate(1));
                        }
                    });
            Worker worker = start(reader);
            Await.open("the FIFO is read", entered);
            Await.until("the loop is preempted", () -> carriers.preemptions() > 0);
            loop.execute(worker::interrupt);
            start(new TestJob(otherRan::countDown));
            Await.open("another Worker ran", otherRan);
            open.write(ByteBuffer.wrap(new byte[1]));
            reader.awaitEnd();
        }
    }

    @Test
    void workerContinuesInThePoolAfterTheLoopEnded() {
        CountDownLatch parked = new CountDownLatch(1);
        AtomicBoolean mayEnd = new AtomicBoolean();
        CountDownLatch released = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        start(
                new TestJob(() -> {
                    threads.add(Thread.currentThread());
                    parked.countDown();
                    while (!mayEnd.get()) {
                        LockSupport.park();
                    }
                    released.countDown();
                }));
        Await.open("the Worker parks", parked);
        endLoop();
        mayEnd.set(true);
        LockSupport.unpark(threads.getFirst());
        Await.open("the Worker released what it held", released);
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, NoClassDefFoundError.class})
    void failedPoolThreadDelaysWorkersButLosesNone(Class<? extends Error> how) throws Exception {
        refusal = how.getConstructor(String.class).newInstance("meant: no thread for the pool");
        poolRefuses.set(3);
        TestJob job =
                new TestJob(() -> {
                    for (int i = 0; i < 5; i++) {
                        poolRefuses.incrementAndGet();
                        SlowCode.takes(1_000_000);
                    }
                });
        job.prefersPool = true;
        start(job);
        job.awaitEnd();
    }

    @Test
    void limitOfKeptThreadsStopsStartsUntilOneReturns() {
        List<TestJob> hogs = new ArrayList<>();
        for (int i = 0; i < KEPT_MAX; i++) {
            TestJob hog = new TestJob(this::spin);
            hogs.add(hog);
            start(hog);
        }
        Await.until("the limit is reached", () -> carriers.kept() == KEPT_MAX);
        Await.until("nothing starts", () -> !ask(() -> workers.mayStart()));
        otherDone.set(true);
        hogs.forEach(TestJob::awaitEnd);
        Await.until("Workers start again", () -> ask(() -> workers.mayStart()));
        TestJob after = new TestJob(() -> {});
        start(after);
        after.awaitEnd();
        assertThat(carriers.preemptions())
                .isGreaterThanOrEqualTo(KEPT_MAX); // more on a busy machine
        Await.until("no thread is kept", () -> carriers.kept() == 0);
    }

    @Test
    void keepsSixteenIdleThreadsAfterABurst() {
        int burst = 24;
        EventLoop busy =
                new EventLoop(
                        new LoopParts(1, Clock.SYSTEM, new NotedReports()),
                        FakePoller.busy(10_000, CarriersTest::wakeSlowly));
        LoopWorkers hogged =
                new LoopWorkers(
                        busy, new WorkerThreads(WorkerThreads.Kind.LOOP, this::carryInPool));
        Carriers many =
                new Carriers(
                        List.of(hogged),
                        burst,
                        1 << 20,
                        Clock.SYSTEM,
                        ThreadClock.NONE,
                        new NotedReports());
        many.start();
        try {
            List<TestJob> hogs = new ArrayList<>();
            for (int i = 0; i < burst; i++) {
                TestJob hog = new TestJob(this::spin);
                hogs.add(hog);
                busy.execute(() -> hogged.start(hog));
            }
            Await.until("all hogs keep threads", () -> many.kept() == burst);
            assertThat(many.threads()).hasSizeGreaterThan(burst); // and the loop's own
            otherDone.set(true);
            hogs.forEach(TestJob::awaitEnd);
            Await.until("no thread is kept", () -> many.kept() == 0);
            // One runs the loop, and one stands by for it.
            assertThat(many.threads()).hasSizeLessThanOrEqualTo(16 + 2);
        } finally {
            otherDone.set(true);
            busy.stop();
            many.awaitEnd();
        }
    }

    /// The callback of a job that is preempted is not called, so there may be several jobs.
    @Test
    void failingJobCallbackDoesNotEndTheLoop() {
        Await.until(
                "a callback failed",
                () -> {
                    start(
                            new TestJob(() -> {}) {
                                @Override
                                public void carried(long nanos) {
                                    throw new IllegalStateException("meant: it fails");
                                }
                            });
                    TestJob other = new TestJob(() -> {});
                    start(other);
                    other.awaitEnd();
                    synchronized (faults) {
                        return !faults.isEmpty();
                    }
                });
        TestJob after = new TestJob(() -> {});
        start(after);
        after.awaitEnd();
        synchronized (faults) {
            assertThat(faults).allMatch(fault -> fault.contains("meant: it fails"));
        }
    }

    /// Waking a poller takes a monitor. One JDK thread makes all virtual threads that wait for
    /// monitors ready, and also wakes the loop for other Workers. If it waited for the poller's
    /// monitor, it could not make ready the Worker that owns that monitor.
    @Test
    void concurrentWakeUpsDoNotDeadlock() {
        Object shared = new Object();
        List<TestJob> jobs = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            boolean wakes = i % 2 == 0;
            TestJob job =
                    new TestJob(() -> {
                        for (int k = 0; k < 100; k++) {
                            if (wakes) {
                                loop.execute(() -> {});
                            } else {
                                synchronized (shared) {
                                    SlowCode.takes(1000);
                                }
                            }
                        }
                    });
            job.prefersPool = wakes;
            jobs.add(job);
            start(job);
        }
        jobs.forEach(TestJob::awaitEnd);
    }

    /// When a Worker that has the lock can go on: while the loop waits for the lock; before, so that a
    /// command of the loop has to make it ready; or before, so that it is ready.
    enum Woken {
        LATER,
        BEFORE,
        LONG_BEFORE
    }

    @ParameterizedTest
    @EnumSource
    void loopGetsALockThatAParkedWorkerHas(Woken when) {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        CountDownLatch got = new CountDownLatch(1);
        Object lock = new Object();
        Runnable takes =
                () -> {
                    synchronized (lock) {
                        got.countDown();
                    }
                };
        TestJob holder =
                new TestJob(() -> {
                    synchronized (lock) {
                        mayGoOn.await();
                    }
                });
        Worker worker = start(holder);
        awaitState(worker.thread(), Thread.State.WAITING);
        switch (when) {
            case LATER -> {
                loop.execute(takes);
                awaitState(loop.owner(), Thread.State.BLOCKED);
                mayGoOn.countDown();
            }
            case BEFORE ->
                    loop.execute(() -> {
                        mayGoOn.countDown();
                        takes.run();
                    });
            case LONG_BEFORE ->
                    loop.execute(() -> {
                        mayGoOn.countDown();
                        loop.execute(takes);
                    });
        }
        Await.open("the loop has got the lock", got);
        holder.awaitEnd();
        assertThat(carriers.locked()).isPositive();
    }

    /// The lock becomes free, but it is for the Worker, which waited before the loop.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loopGetsALockForWhichAWorkerIsNext(boolean monitor) {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch got = new CountDownLatch(1);
        ReentrantLock lock = new ReentrantLock();
        Consumer<Runnable> locked =
                monitor ? part -> inMonitor(lock, part) : part -> in(lock, part);
        pool.execute(() ->
                locked.accept(() -> {
                    held.countDown();
                    Await.open("it may release the lock", mayEnd);
                }));
        Await.open("another thread has the lock", held);
        TestJob next = new TestJob(() -> locked.accept(() -> {}));
        Thread.State waits = monitor ? Thread.State.BLOCKED : Thread.State.WAITING;
        awaitState(start(next).thread(), waits);
        loop.execute(() -> locked.accept(got::countDown));
        awaitState(loop.owner(), waits);
        mayEnd.countDown();
        Await.open("the loop has got the lock", got);
        next.awaitEnd();
    }

    /// The loop tells a job when it begins, so no other thread may begin it.
    @Test
    void newWorkerStaysWithALoopThatWaitsForALock() {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        AtomicBoolean hasLock = new AtomicBoolean();
        AtomicBoolean beganLater = new AtomicBoolean();
        Object lock = new Object();
        TestJob holder =
                new TestJob(() -> inMonitor(lock, () -> Await.open("it goes on", mayGoOn)));
        awaitState(start(holder).thread(), Thread.State.TIMED_WAITING);
        TestJob fresh = new TestJob(() -> beganLater.set(hasLock.get()));
        loop.execute(() -> {
            Worker _ = workers.start(fresh);
            inMonitor(lock, () -> hasLock.set(true));
        });
        Await.until("the watchdog has seen it", () -> carriers.locked() > 0);
        SlowCode.takes(20_000_000); // some checks more
        mayGoOn.countDown();
        fresh.awaitEnd();
        assertThat(beganLater).isTrue();
    }

    private static void inMonitor(Object lock, Runnable part) {
        synchronized (lock) {
            part.run();
        }
    }

    private static void in(ReentrantLock lock, Runnable part) {
        lock.lock();
        try {
            part.run();
        } finally {
            lock.unlock();
        }
    }

    private static void awaitState(@Nullable Thread thread, Thread.State state) {
        Await.until("it waits", () -> thread != null && thread.getState() == state);
    }

    private void spin() {
        while (!otherDone.get()) {
            Thread.onSpinWait();
        }
    }

    private Worker start(Job job) {
        return ask(() -> workers.start(job));
    }

    /// Returns the result of the call on the loop.
    private <T> T ask(Supplier<T> loopCall) {
        List<T> answers = new ArrayList<>(1);
        CountDownLatch answered = new CountDownLatch(1);
        loop.execute(() -> {
            answers.add(loopCall.get());
            answered.countDown();
        });
        Await.open("the loop turns", answered);
        return answers.getFirst();
    }

    private void endLoop() {
        if (!ended) {
            ended = true;
            loop.stop();
            carriers.awaitEnd();
        }
    }

    private void carryInPool(Runnable turn) {
        if (poolRefuses.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw refusal;
        }
        pool.execute(turn);
    }

    /// A job that signals its end.
    private static class TestJob implements Job {
        private final Body body;
        private final CountDownLatch over = new CountDownLatch(1);
        private boolean prefersPool;

        interface Body {
            void run() throws Exception;
        }

        TestJob(Body body) {
            this.body = body;
        }

        void awaitEnd() {
            Await.open("the job is over", over);
        }

        @Override
        public void run() throws Exception {
            body.run();
        }

        @Override
        public void ended(@Nullable Throwable thrown) {
            over.countDown();
        }

        @Override
        public boolean prefersPool() {
            return prefersPool;
        }

        @Override
        public void carried(long nanos) {}

        @Override
        public void preempted() {}

        @Override
        public boolean overloaded(long waitNanos) {
            return false;
        }

        @Override
        public String name() {
            return "a job under test";
        }
    }

    private final class NotedReports implements Reports {
        @Override
        public void fault(String what, Throwable fault) {
            synchronized (faults) {
                faults.add(what + ": " + fault);
            }
        }

        @Override
        public void lost(String what, Throwable why) {}
    }

    /// Takes as long as the wake-up of a selector.
    private static void wakeSlowly() {
        for (int i = 0; i < 5000; i++) {
            Thread.onSpinWait();
        }
    }
}
