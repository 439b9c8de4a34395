package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which thread runs a piece of work, and when threads start and end.
@Timeout(60)
final class BoundedPoolTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final AtomicBoolean noMoreThreads = new AtomicBoolean();
    private volatile Runnable beforeFailure = () -> {};
    private final List<BoundedPool> pools = new ArrayList<>();

    @AfterEach
    void end() {
        pools.forEach(BoundedPool::interrupt);
    }

    @Test
    void oneThreadRunsPiecesThatComeOneAfterTheOther() {
        BoundedPool pool = pool(8, 0, HOUR);
        Thread first = restedAfter(pool);
        for (int i = 0; i < 5; i++) {
            assertThat(restedAfter(pool)).isSameAs(first);
        }
        assertThat(pool.threads()).isEqualTo(1);
    }

    @Test
    void threadThatCameToRestLastRunsTheNextPiece() {
        BoundedPool pool = pool(8, 0, HOUR);
        Held one = new Held(pool);
        Held two = new Held(pool);
        Held three = new Held(pool);
        one.end();
        three.end();
        two.end();
        assertThat(restedAfter(pool)).isSameAs(two.thread());
        assertThat(pool.threads()).isEqualTo(3);
    }

    @Test
    void pieceWaitsOnlyIfEachThreadThatMayExistHasOne() {
        BoundedPool pool = pool(2, 2, HOUR);
        Held one = new Held(pool);
        Held two = new Held(pool);
        Queue<Integer> order = new ConcurrentLinkedQueue<>();
        assertThat(submit(pool, () -> order.add(1))).isTrue();
        assertThat(submit(pool, () -> order.add(2))).isTrue();
        assertThat(submit(pool, () -> order.add(3))).isFalse();
        assertThat(pool.waiting()).isEqualTo(2);

        one.end();
        assertThat(order).containsExactly(1, 2);
        assertThat(pool.waiting()).isZero();
        two.end();
        assertThat(pool.threads()).isEqualTo(2);
    }

    @Test
    void threadThatHasRestedItsTimeEnds() {
        BoundedPool pool = pool(2, 0, 1);
        CountDownLatch done = new CountDownLatch(1);
        assertThat(submit(pool, done::countDown)).isTrue();
        Await.open("the work", done);
        Await.until("the thread ends", () -> pool.threads() == 0);
        assertThat(pool.hasEnded()).isFalse();

        CountDownLatch again = new CountDownLatch(1);
        assertThat(submit(pool, again::countDown)).isTrue();
        Await.open("work on a new thread", again);
    }

    @Test
    void interruptThatAPieceLeftBehindDoesNotReachTheNextOne() {
        BoundedPool pool = pool(1, 1, HOUR);
        AtomicBoolean interrupted = new AtomicBoolean(true);
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        submit(
                pool,
                () -> {
                    Await.open("the next piece", submitted);
                    Thread.currentThread().interrupt();
                });
        submit(
                pool,
                () -> {
                    interrupted.set(Thread.currentThread().isInterrupted());
                    done.countDown();
                });
        submitted.countDown();
        Await.open("the next piece", done);
        assertThat(interrupted).isFalse();
    }

    @Test
    void threadThatIsInterruptedAtRestGoesOnResting() {
        BoundedPool pool = pool(1, 1, HOUR);
        Thread first = restedAfter(pool);
        first.interrupt();
        assertThat(restedAfter(pool)).isSameAs(first);
    }

    @Test
    void shutdownEndsThreadsAtRestAndRunsWhatWaits() {
        BoundedPool pool = pool(2, 1, HOUR);
        Held one = new Held(pool);
        Held two = new Held(pool);
        CountDownLatch waited = new CountDownLatch(1);
        assertThat(submit(pool, waited::countDown)).isTrue();
        pool.shutdown();
        assertThat(submit(pool, () -> {})).isFalse();
        assertThat(pool.isInterrupted()).isFalse();
        assertThat(pool.hasEnded()).isFalse();

        one.release();
        two.release();
        Await.open("the piece that waited", waited);
        Await.until("the end", pool::hasEnded);

        BoundedPool rests = pool(1, 1, HOUR);
        restedAfter(rests);
        rests.shutdown();
        Await.until("the end of the thread that rested", rests::hasEnded);
    }

    @Test
    void interruptReachesWhatRunsAndDropsWhatWaits() {
        BoundedPool pool = pool(1, 1, HOUR);
        Held held = new Held(pool);
        CountDownLatch dropped = new CountDownLatch(1);
        AtomicBoolean ran = new AtomicBoolean();
        assertThat(pool.submit(() -> ran.set(true), dropped::countDown)).isTrue();
        pool.interrupt();
        Await.open("the piece that waited is dropped", dropped);
        Await.until("the end", pool::hasEnded);
        assertThat(held.interrupted).isTrue();
        assertThat(ran).isFalse();
        assertThat(pool.isInterrupted()).isTrue();
    }

    @Test
    void pieceForWhichThereIsNoMoreThreadWaitsForOne() {
        BoundedPool pool = pool(4, 1, HOUR);
        Held held = new Held(pool);
        noMoreThreads.set(true);
        CountDownLatch done = new CountDownLatch(1);
        assertThat(submit(pool, done::countDown)).isTrue();
        assertThat(submit(pool, () -> {})).as("the queue is full").isFalse();
        assertThat(pool.threads()).isEqualTo(1);
        held.release();
        Await.open("the piece that waited", done);
    }

    @Test
    void pieceForWhichThereIsNoMoreThreadGoesToOneThatHasComeToRestMeanwhile() {
        BoundedPool pool = pool(4, 0, HOUR);
        Held held = new Held(pool);
        noMoreThreads.set(true);
        beforeFailure = held::end;
        CountDownLatch done = new CountDownLatch(1);
        assertThat(submit(pool, done::countDown)).isTrue();
        Await.open("the piece", done);
    }

    @Test
    void withoutAnyThreadTheFaultIsTold() {
        BoundedPool pool = pool(4, 1, HOUR);
        noMoreThreads.set(true);
        assertThatThrownBy(() -> submit(pool, () -> {})).isInstanceOf(OutOfMemoryError.class);
        assertThat(pool.threads()).isZero();
        assertThat(pool.waiting()).isZero();
    }

    @Test
    void threadsInheritNothingFromTheOneThatSubmits() {
        AtomicReference<Thread> first = new AtomicReference<>();
        BoundedPool pool =
                new BoundedPool("named-", 1, 0, HOUR, () -> first.set(Thread.currentThread()));
        pools.add(pool);
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        local.set("of the application");
        AtomicReference<String> inherited = new AtomicReference<>("nothing seen");
        CountDownLatch done = new CountDownLatch(1);
        AtomicReference<Thread> thread = new AtomicReference<>();
        submit(
                pool,
                () -> {
                    inherited.set(local.get());
                    thread.set(Thread.currentThread());
                    done.countDown();
                });
        Await.open("the work", done);
        assertThat(inherited).hasNullValue();
        assertThat(thread.get().getName()).isEqualTo("named-1");
        assertThat(thread.get().isDaemon()).isTrue();
        assertThat(first).as("what runs first on the thread").hasValue(thread.get());
    }

    private BoundedPool pool(int threadsMax, int queueMax, long spareNanos) {
        BoundedPool pool =
                new BoundedPool(
                        threadsMax,
                        queueMax,
                        spareNanos,
                        body ->
                                new Thread(body) {
                                    @Override
                                    public void start() {
                                        if (noMoreThreads.get()) {
                                            beforeFailure.run();
                                            throw new OutOfMemoryError("meant: no more threads");
                                        }
                                        super.start();
                                    }
                                });
        pools.add(pool);
        return pool;
    }

    private static boolean submit(BoundedPool pool, Runnable work) {
        return pool.submit(work, () -> {});
    }

    /// Runs a piece and returns its thread, once it rests.
    private static Thread restedAfter(BoundedPool pool) {
        Held held = new Held(pool);
        held.end();
        return held.thread();
    }

    /// A piece that runs until it is released or interrupted.
    private static final class Held {
        private final CountDownLatch began = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile Thread runs = Thread.currentThread();
        volatile boolean interrupted;

        Held(BoundedPool pool) {
            assertThat(submit(pool, this::run)).isTrue();
            Await.open("the piece to begin", began);
        }

        private void run() {
            runs = Thread.currentThread();
            began.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }

        Thread thread() {
            return runs;
        }

        void release() {
            released.countDown();
        }

        /// Releases the piece and waits until its thread rests.
        void end() {
            release();
            Await.until("the thread rests", () -> runs.getState() == Thread.State.TIMED_WAITING);
        }
    }
}
