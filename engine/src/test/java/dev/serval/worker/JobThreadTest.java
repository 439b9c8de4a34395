package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.Clock;
import dev.serval.loop.EventLoop;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.testkit.Await;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which jobs an interrupt reaches on a platform thread, which runs one job after the other. The
/// test's thread is that thread.
@Timeout(60)
final class JobThreadTest {
    private final JobThread job = new JobThread();

    @AfterEach
    void clear() {
        boolean _ = Thread.interrupted();
    }

    @Test
    void interruptReachesTheJobAndEndsWithIt() {
        job.enter();
        assertThat(job.running()).isEqualTo(Thread.currentThread());
        job.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        job.leave();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(job.running()).isNull();
    }

    @Test
    void interruptOfAJobThatEndedReachesNoOther() {
        job.enter();
        job.leave();
        JobThread next = new JobThread();
        next.enter();
        job.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        next.leave();
    }

    @Test
    void interruptOfAJobThatHasNotBegunWaitsForIt() {
        JobThread before = new JobThread();
        before.enter();
        job.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        before.leave();
        job.enter();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        job.leave();
    }

    @Test
    void interruptStatusThatAJobSetItselfEndsWithIt() {
        job.enter();
        Thread.currentThread().interrupt();
        job.leave();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void threadStaysWithTheJobDuringAnInterrupt() throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch close = new CountDownLatch(1);
        CountDownLatch leaves = new CountDownLatch(1);
        AtomicBoolean left = new AtomicBoolean();
        AtomicBoolean interruptedAfter = new AtomicBoolean();
        Thread carrier =
                Thread.ofPlatform()
                        .start(() -> {
                            job.enter();
                            new SlowChannel(closing, close).waitIn(waits);
                            leaves.countDown();
                            job.leave();
                            left.set(true);
                            interruptedAfter.set(Thread.currentThread().isInterrupted());
                        });
        Await.open("the job waits in a channel", waits);
        Thread interrupter = Thread.ofPlatform().start(job::interrupt);
        Await.open("the interrupt closes the channel", closing);
        Await.open("the job ends meanwhile", leaves);
        Await.until(
                "the job's thread waits for the interrupt",
                () -> left.get() || carrier.getState() == Thread.State.WAITING);
        assertThat(left).isFalse();
        close.countDown();
        interrupter.join();
        carrier.join();
        assertThat(left).isTrue();
        assertThat(interruptedAfter).isFalse();
    }

    @Test
    void interruptOfAPlatformWorkerDoesNotReachTheNextOne() {
        ArrayDeque<Runnable> pool = new ArrayDeque<>();
        EventLoop loop =
                new EventLoop(new LoopParts(0, Clock.SYSTEM, Reports.AT_ONCE), FakePoller.awake());
        LoopWorkers workers =
                new LoopWorkers(
                        loop, new WorkerThreads(WorkerThreads.Kind.PLATFORM, pool::addLast));
        Code code = new Code();
        Worker worker = workers.start(code);
        worker.interrupt(); // before its start: it is interrupted once it runs
        assertThat(worker.interrupted()).isTrue();
        pool.removeFirst().run();
        assertThat(code.ran).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(worker.thread()).isNull();
        worker.interrupt();
        loop.turn(false);
        assertThat(workers.count()).isZero();
    }

    /// Waits until it is interrupted.
    private static final class Code implements Job {
        private boolean ran;

        @Override
        public void run() {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
            ran = true;
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
            return "waits for an interrupt";
        }
    }

    /// A channel whose interrupt takes long: it waits until the test lets it close.
    private static final class SlowChannel extends AbstractInterruptibleChannel {
        private final CountDownLatch closing;
        private final CountDownLatch close;

        SlowChannel(CountDownLatch closing, CountDownLatch close) {
            this.closing = closing;
            this.close = close;
        }

        /// Waits for the interrupt, as a read does.
        void waitIn(CountDownLatch waits) {
            begin();
            waits.countDown();
            try {
                closing.await();
            } catch (InterruptedException e) { // the job takes no notice
                Thread.currentThread().interrupt();
            }
            // `end` would throw ClosedByInterruptException, and is not needed here.
        }

        @Override
        protected void implCloseChannel() {
            closing.countDown();
            Await.open("the test to let it close", close);
        }
    }
}
