package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.EventLoop;
import dev.serval.loop.FakeClock;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How many Workers become ready before the loop carries them. The test turns the loop.
final class LoopWorkersTest {
    private static final int ENOUGH = 32;

    private final AtomicInteger ran = new AtomicInteger();
    private final FakeClock clock = new FakeClock();
    private final EventLoop loop =
            new EventLoop(new LoopParts(0, clock, Reports.AT_ONCE), FakePoller.awake(this::arrive));
    private final LoopWorkers workers =
            new LoopWorkers(loop, new WorkerThreads(WorkerThreads.Kind.LOOP, Runnable::run));
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

    private final class Counting implements Job {
        @Override
        public void run() {
            ran.incrementAndGet();
            clock.advance(cost);
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
