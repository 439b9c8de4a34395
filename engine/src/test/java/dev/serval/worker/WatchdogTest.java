package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.Clock;
import dev.serval.loop.EventLoop;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.loop.ThreadClock;
import dev.serval.testkit.Await;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// How many checks the watchdog makes before it preempts a loop. Its clock lets it check only when
/// the test says so.
@Timeout(60)
final class WatchdogTest {
    private static final long MILLI = 1_000_000;
    private static final long LATE = 10 * MILLI;

    private final SteppedClock clock = new SteppedClock();
    private static final Semaphore UNBLOCKED = new Semaphore(0);

    private final AtomicInteger number = new AtomicInteger(); // of the thread that runs the code
    private final AtomicBoolean blocks = new AtomicBoolean();
    private final AtomicLong computedNanos = new AtomicLong(ThreadClock.UNKNOWN);
    private final ThreadClock computed = _ -> computedNanos.get();
    private final AtomicBoolean done = new AtomicBoolean();
    private final Semaphore first = new Semaphore(0);
    private final Semaphore second = new Semaphore(0);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final EventLoop loop;
    private final LoopWorkers workers;
    private final Carriers carriers;

    WatchdogTest() {
        WorkerThreads threads = new WorkerThreads(WorkerThreads.Kind.LOOP, Runnable::run);
        loop = new EventLoop(new LoopParts(0, Clock.SYSTEM, Reports.AT_ONCE), FakePoller.asleep());
        workers = new LoopWorkers(loop, threads);
        carriers = new Carriers(List.of(workers), 1, 1 << 20, clock, computed, Reports.AT_ONCE);
        carriers.start();
        clock.awaitWatchdog();
        loop.execute(() -> workers.start(new Spin()));
        Await.open("application code runs", entered);
    }

    @AfterEach
    void end() {
        done.set(true);
        if (blocks.get()) {
            UNBLOCKED.release();
        }
        first.release();
        second.release();
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

    @Test
    void checksLessOftenIfItFoundNoApplicationCode() {
        clock.look(MILLI);
        assertThat(carriers.watchdog().tickNanos()).as("code may keep the loop").isEqualTo(MILLI);
        endsItsCode();
        clock.look(MILLI);
        assertThat(carriers.watchdog().tickNanos()).as("no loop runs code").isEqualTo(4 * MILLI);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void leavesTheLoopToAThreadThatWaitedForAProcessor() {
        computedNanos.set(7 * MILLI);
        clock.look(MILLI);
        for (int i = 0; i < 20; i++) {
            computedNanos.addAndGet(24_000); // of the half millisecond that makes a hog
            clock.look(MILLI);
        }
        assertThat(carriers.preemptions()).as("the processor ran others").isZero();
        computedNanos.set(7 * MILLI + MILLI / 2);
        clock.look(MILLI);
        assertThat(carriers.preemptions()).as("it has computed for 0.5 ms").isEqualTo(1);
    }

    @Test
    void preemptsAThreadWhoseTimeCannotBeMeasuredAnyMore() {
        computedNanos.set(7 * MILLI);
        clock.look(MILLI);
        computedNanos.set(ThreadClock.UNKNOWN);
        clock.look(MILLI);
        assertThat(carriers.preemptions()).isEqualTo(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void preemptsAThreadThatIsBlocked() {
        computedNanos.set(7 * MILLI);
        blocks.set(true);
        Await.until("the loop's thread waits", () -> !ThreadActivity.isRunnable(number.get()));
        clock.look(MILLI);
        clock.look(MILLI);
        assertThat(carriers.preemptions()).isEqualTo(1);
    }

    @Test
    void passesTheWorkersOfALoopThatWaitsForALockInOneTurn() {
        endsItsCode();
        clock.look(MILLI);
        clock.look(MILLI);
        clock.look(MILLI);
        assertThat(carriers.locked()).as("it sleeps").isZero();
        loop.execute(() -> {
            loop.execute(second::acquireUninterruptibly);
            first.acquireUninterruptibly();
        });
        awaitLock(first);
        clock.look(MILLI);
        assertThat(carriers.watchdog().tickNanos()).as("a lock may be passed").isEqualTo(MILLI);
        first.release();
        awaitLock(second);
        clock.look(MILLI);
        clock.look(MILLI);
        assertThat(carriers.locked()).as("a new turn waits since one check").isZero();
        clock.look(MILLI);
        assertThat(carriers.locked()).isEqualTo(1);
        clock.look(MILLI);
        assertThat(carriers.locked()).as("it still waits").isEqualTo(1);
    }

    private void awaitLock(Semaphore lock) {
        Await.until("the loop waits", lock::hasQueuedThreads);
    }

    private void endsItsCode() {
        done.set(true);
        Await.until(
                "the loop has left the code",
                () -> !Ownership.inApplication(workers.ownership().word()));
    }

    /// Blocks the thread of a virtual thread: class initialisation pins it.
    private static final class Blocked {
        static {
            UNBLOCKED.acquireUninterruptibly();
        }

        private Blocked() {}

        static void touch() {}
    }

    private final class Spin implements Job {
        @Override
        public void run() {
            number.set(ThreadActivity.currentNumber());
            entered.countDown();
            while (!done.get()) {
                if (blocks.get()) {
                    Blocked.touch();
                }
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
        public void carried(long nanos) {}

        @Override
        public void preempted() {}

        @Override
        public boolean overloaded(long waitNanos) {
            return false;
        }

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
