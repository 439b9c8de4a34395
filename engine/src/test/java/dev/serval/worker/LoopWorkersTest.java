package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.serval.loop.EventLoop;
import dev.serval.loop.FakeClock;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.testkit.Await;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How many Workers become ready before the loop carries them. The test turns the loop.
@Timeout(60)
final class LoopWorkersTest {
    private static final int ENOUGH = 32;

    private final AtomicInteger ran = new AtomicInteger();
    private final FakeClock clock = new FakeClock();
    private final EventLoop loop =
            new EventLoop(new LoopParts(0, clock, Reports.AT_ONCE), FakePoller.awake(this::arrive));
    private final LoopWorkers workers =
            new LoopWorkers(loop, new WorkerThreads(WorkerThreads.Kind.LOOP, Runnable::run));
    private final Set<Integer> pauses = new HashSet<>(); // numbers of jobs that pause
    private final Semaphore paused = new Semaphore(0);
    private final Semaphore resumes = new Semaphore(0);
    private final List<Long> begins = new ArrayList<>();
    private boolean prefersPool;
    private int arriving;
    private int mostReady;
    private long cost; // of each job, in nanoseconds

    @Test
    void loopCarriesWorkersBeforeItActsOnMoreSockets() {
        arriving = 3 * ENOUGH;
        while (arriving > 0 || workers.hasReady()) {
            assertThat(loop.turn(false)).isTrue();
        }
        assertThat(ran).hasValue(3 * ENOUGH);
        assertThat(mostReady).isEqualTo(ENOUGH);
        assertThat(workers.hasEnough()).isFalse();
    }

    @Test
    void loopActsOnAllSocketsIfItsWorkersTakeLong() {
        cost = 300_000;
        arriving = 10 * ENOUGH; // enough to learn how long they take
        do {
            assertThat(loop.turn(false)).isTrue();
        } while (workers.hasReady());
        mostReady = 0;
        arriving = 3 * ENOUGH;
        assertThat(loop.turn(false)).isTrue();
        assertThat(mostReady).isEqualTo(3 * ENOUGH);
        assertThat(workers.standingNanos(clock.nanos())).isZero(); // it was empty before
    }

    @Test
    void cancelledWorkersTellNothingAboutTheWaitOfOthers() {
        cost = 5_000_000;
        List<Worker> all = start(400);
        while (ran.get() < 300) {
            assertThat(loop.turn(false)).isTrue();
        }
        all.subList(300, 350).forEach(Worker::cancel);
        assertThat(loop.turn(false)).isTrue();
        assertThat(ran).hasValue(301);
        assertThat(workers.waitNanos(new Counting())).isCloseTo(49 * cost, withinPercentage(1));
    }

    @Test
    void cancelledWorkersTellNothingAboutTheWaitForThePool() {
        cost = 5_000_000;
        CarrierPool pool = new CarrierPool(64, 1, 0, clock, () -> null);
        EventLoop other =
                new EventLoop(
                        new LoopParts(0, clock, Reports.AT_ONCE), FakePoller.awake(this::arrive));
        LoopWorkers pooled =
                new LoopWorkers(other, new WorkerThreads(WorkerThreads.Kind.LOOP, pool));
        prefersPool = true;
        pauses.addAll(List.of(1, 301, 302));
        List<Worker> all = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            all.add(pooled.start(new Counting()));
        }
        awaitPause();
        all.subList(301, 351).forEach(Worker::cancel);
        resumes.release();
        awaitPause();
        resumes.release();
        awaitPause();
        assertThat(pool.waitNanos()).isCloseTo(48 * cost, withinPercentage(1));
        resumes.release();
        pool.shutdown();
        Await.until("all have run", () -> ran.get() == 350);
    }

    @Test
    void jobLearnsTheTimeAtWhichTheLoopBeginsIt() {
        cost = 1_000;
        long begin = clock.nanos();
        start(3);
        assertThat(loop.turn(false)).isTrue();
        assertThat(begins).containsExactly(begin, begin + cost, begin + 2 * cost);
    }

    private List<Worker> start(int count) {
        List<Worker> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(workers.start(new Counting()));
        }
        return all;
    }

    private void awaitPause() {
        paused.acquireUninterruptibly();
    }

    private final class Counting implements Job {
        @Override
        public void run() {
            clock.advance(cost);
            if (pauses.contains(ran.incrementAndGet())) {
                paused.release();
                while (!resumes.tryAcquire()) { // keeps its thread
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public void begins(long nowNanos) {
            begins.add(nowNanos);
        }

        @Override
        public void ended(@Nullable Throwable thrown) {}

        @Override
        public boolean prefersPool() {
            return prefersPool;
        }

        @Override
        public void carried() {}

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

    /// Starts a Worker for each socket.
    private void arrive(BooleanSupplier enough) {
        for (; arriving > 0 && !enough.getAsBoolean(); arriving--) {
            Worker _ = workers.start(new Counting());
            mostReady = Math.max(mostReady, workers.count());
        }
    }
}
