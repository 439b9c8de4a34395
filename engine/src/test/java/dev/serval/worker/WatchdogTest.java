package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.Clock;
import dev.serval.loop.EventLoop;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.testkit.Await;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How many checks the watchdog makes before it preempts a loop. Its clock lets it check only when
/// the test says so.
@Timeout(60)
final class WatchdogTest {
    private static final long MILLI = 1_000_000;
    private static final long LATE = 10 * MILLI;

    private final SteppedClock clock = new SteppedClock();
    private final AtomicBoolean done = new AtomicBoolean();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final EventLoop loop;
    private final Carriers carriers;

    WatchdogTest() {
        WorkerThreads threads = new WorkerThreads(WorkerThreads.Kind.LOOP, Runnable::run);
        loop = new EventLoop(new LoopParts(0, Clock.SYSTEM, Reports.AT_ONCE), FakePoller.asleep());
        LoopWorkers workers = new LoopWorkers(loop, threads);
        carriers = new Carriers(List.of(workers), 1, 1 << 20, clock, Reports.AT_ONCE);
        carriers.start();
        clock.awaitWatchdog();
        loop.execute(() -> workers.start(new Spin()));
        Await.open("application code runs", entered);
    }

    @AfterEach
    void end() {
        done.set(true);
        clock.letGo();
        loop.stop();
        carriers.awaitEnd();
    }

    @Test
    void preemptsAtTheSecondCheckInTime() {
        clock.look(MILLI);
        assertThat(carriers.preemptions()).as("seen once: it may have just begun").isZero();
        clock.look(MILLI);
        assertThat(carriers.preemptions()).isEqualTo(1);
    }

    @Test
    void waitsForAnotherCheckAfterALateOne() {
        clock.look(MILLI);
        clock.look(LATE);
        assertThat(carriers.preemptions()).as("the machine may be at fault").isZero();
        clock.look(MILLI);
        assertThat(carriers.preemptions()).isEqualTo(1);
    }

    @Test
    void preemptsAtTheThirdCheckIfAllAreLate() {
        clock.look(LATE);
        clock.look(LATE);
        assertThat(carriers.preemptions()).isZero();
        clock.look(LATE);
        assertThat(carriers.preemptions()).isEqualTo(1);
    }

    @Test
    void checkAfterTwoTicksIsInTime() {
        clock.look(MILLI);
        clock.look(2 * MILLI);
        assertThat(carriers.preemptions()).isEqualTo(1);
    }

    @Test
    void checkAfterMoreThanTwoTicksIsLate() {
        clock.look(MILLI);
        clock.look(2 * MILLI + 1);
        assertThat(carriers.preemptions()).isZero();
        clock.look(MILLI);
        assertThat(carriers.preemptions()).isEqualTo(1);
    }

    private final class Spin implements Job {
        @Override
        public void run() {
            entered.countDown();
            while (!done.get()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void ended(@Nullable Throwable thrown) {}

        @Override
        public boolean prefersPool() {
            return false;
        }

        @Override
        public void carried() {}

        @Override
        public void preempted() {}

        @Override
        public String name() {
            return "spins";
        }
    }

    /// Blocks the watchdog when it reads the time, which it does once before each check.
    private static final class SteppedClock implements Clock {
        private final Semaphore asked = new Semaphore(0);
        private final Semaphore answers = new Semaphore(0);
        private volatile boolean free;
        private volatile long nanos;

        /// Waits until the watchdog has started, and is about to check.
        void awaitWatchdog() {
            asked.acquireUninterruptibly();
            answers.release();
            asked.acquireUninterruptibly();
        }

        /// Lets the watchdog check, that long after its last check, and waits until it has.
        @SuppressWarnings(
                "NonAtomicVolatileUpdate") // the watchdog only reads it, and waits meanwhile
        void look(long nanosLater) {
            nanos += nanosLater;
            answers.release();
            asked.acquireUninterruptibly();
        }

        void letGo() {
            free = true;
            answers.release();
        }

        @Override
        public long nanos() {
            if (!free) {
                asked.release();
                answers.acquireUninterruptibly();
            }
            return nanos;
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    }
}
