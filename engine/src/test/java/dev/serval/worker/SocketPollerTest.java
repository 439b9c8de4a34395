package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.SlowCode;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests who polls.
@Timeout(30)
final class SocketPollerTest {
    private final Sockets sockets = new Sockets();
    private final SocketPoller poller = new SocketPoller(sockets);

    /// Sockets of which one is ready now and then.
    private static final class Sockets implements SocketPoller.Jdk {
        private final AtomicInteger ready = new AtomicInteger();
        private final AtomicInteger polls = new AtomicInteger();
        private volatile @Nullable Thread last;
        private volatile int failing; // which poll fails

        @Override
        public int descriptor() {
            return 5;
        }

        @Override
        public int poll() {
            last = Thread.currentThread();
            if (polls.incrementAndGet() == failing) {
                throw new IllegalStateException("no memory");
            }
            return ready.getAndSet(0);
        }

        @Override
        public void await() {
            LockSupport.park();
            SlowCode.takes(20_000_000); // a taker has to wait for its end
        }

        Thread poller() {
            return Objects.requireNonNull(last);
        }
    }

    @BeforeEach
    void needsVirtualThreads() {
        Assumptions.assumeTrue(WorkerThreads.closed() == null);
    }

    private void awaitPolls(int number) {
        Await.until(number + " polls", () -> sockets.polls.get() >= number);
        Await.until("it waits", () -> sockets.poller().getState() == Thread.State.WAITING);
    }

    @Test
    void oneCallerTakesItAndPolls() {
        assertThat(poller.take()).isTrue();
        assertThat(poller.take()).isFalse();
        poller.poll();
        assertThat(sockets.poller()).isEqualTo(Thread.currentThread());
        assertThat(poller.descriptor()).isEqualTo(5);
    }

    @Test
    void aVirtualThreadPollsAfterItsReleaseUntilItIsTaken() {
        assertThat(poller.take()).isTrue();
        poller.release();
        awaitPolls(1);
        Thread alone = sockets.poller();
        assertThat(alone.isVirtual()).isTrue();
        assertThat(alone.getName()).isEqualTo("serval-sockets");
        assertThat(poller.take()).isTrue();
        assertThat(alone.isAlive()).as("two threads may not poll").isFalse();
        assertThat(poller.take()).isFalse();
        int polls = sockets.polls.get();
        poller.release();
        awaitPolls(polls + 1);
        assertThat(sockets.poller()).isNotEqualTo(alone);
        assertThat(poller.take()).isTrue();
    }

    @Test
    void theThreadPollsAgainAtOnceWhileSocketsAreReady() {
        sockets.ready.set(64);
        assertThat(poller.take()).isTrue();
        poller.release();
        awaitPolls(2);
        assertThat(sockets.polls).hasValue(2);
        assertThat(poller.take()).isTrue();
    }

    @Test
    void theThreadSurvivesAFailure() {
        sockets.failing = 1;
        assertThat(poller.take()).isTrue();
        poller.release();
        awaitPolls(2);
        assertThat(poller.take()).isTrue();
    }
}
