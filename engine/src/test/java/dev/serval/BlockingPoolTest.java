package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.ExecutorKind;
import dev.serval.testkit.Await;
import dev.serval.testkit.BrokenLog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The limits of threads and of waiting work. More work is refused.
@Timeout(60)
final class BlockingPoolTest {
    @Test
    void refusesWorkBeyondItsThreadsAndItsQueue() throws InterruptedException {
        try (BlockingPool pool = new BlockingPool(2, 1, 1, 3)) {
            CountDownLatch free = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(5);
            int taken = 0;
            for (int i = 0; i < 9; i++) {
                taken +=
                        submit(
                                        pool,
                                        ExecutorKind.BLOCKING,
                                        () -> {
                                            await(free);
                                            done.countDown();
                                        })
                                ? 1
                                : 0;
            }
            assertThat(taken).isEqualTo(5);
            assertThat(pool.threads()).isEqualTo(2);
            assertThat(pool.waiting()).isEqualTo(3);

            free.countDown();
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            CountDownLatch again = new CountDownLatch(1);
            assertThat(submit(pool, ExecutorKind.BLOCKING, again::countDown)).isTrue();
            assertThat(again.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void threadSurvivesAnExceptionThatCannotBeLogged() throws InterruptedException {
        try (BrokenLog _ = new BrokenLog(BlockingPool.class)) {
            aThreadRunsTheTaskAfterOneThatThrows();
        }
    }

    @Test
    void threadSurvivesAnException() throws InterruptedException {
        aThreadRunsTheTaskAfterOneThatThrows();
    }

    private static void aThreadRunsTheTaskAfterOneThatThrows() throws InterruptedException {
        try (BlockingPool pool = new BlockingPool(1, 1, 1, 10)) {
            AtomicInteger threads = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(1);
            Thread[] first = new Thread[1];
            submit(
                    pool,
                    ExecutorKind.BLOCKING,
                    () -> {
                        first[0] = Thread.currentThread();
                        throw new AssertionError("meant: work that fails");
                    });
            submit(
                    pool,
                    ExecutorKind.BLOCKING,
                    () -> {
                        threads.set(Thread.currentThread().equals(first[0]) ? 1 : 2);
                        done.countDown();
                    });
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(threads).hasValue(1);
        }
    }

    @Test
    void threadsWithoutWorkEnd() {
        try (BlockingPool pool = new BlockingPool(2, 2, 2, 3, 1)) {
            CountDownLatch done = new CountDownLatch(6);
            for (int i = 0; i < 2; i++) {
                assertThat(submit(pool, ExecutorKind.BLOCKING, done::countDown)).isTrue();
                assertThat(submit(pool, ExecutorKind.DISK, done::countDown)).isTrue();
                pool.carriers().execute(done::countDown);
            }
            Await.open("the work", done);
            Await.until("the threads end", () -> pool.threads() == 0);
            CountDownLatch again = new CountDownLatch(1);
            assertThat(submit(pool, ExecutorKind.BLOCKING, again::countDown)).isTrue();
            Await.open("a new thread", again);
        }
    }

    @Test
    void runsOnlyBlockingAndDisk() {
        try (BlockingPool pool = new BlockingPool(1, 1, 1, 1)) {
            assertThat(submit(pool, ExecutorKind.WORKER, () -> {})).isFalse();
            assertThat(submit(pool, ExecutorKind.LOOP, () -> {})).isFalse();
            assertThat(pool.threads()).isZero();
        }
    }

    @Test
    void blockingCodeDelaysNoFile() throws InterruptedException {
        try (BlockingPool pool = new BlockingPool(1, 1, 1, 1)) {
            CountDownLatch free = new CountDownLatch(1);
            CountDownLatch found = new CountDownLatch(1);
            assertThat(submit(pool, ExecutorKind.BLOCKING, () -> await(free))).isTrue();
            assertThat(submit(pool, ExecutorKind.BLOCKING, () -> await(free))).isTrue();
            assertThat(submit(pool, ExecutorKind.BLOCKING, () -> await(free))).isFalse();
            assertThat(submit(pool, ExecutorKind.DISK, found::countDown)).isTrue();
            assertThat(found.await(30, TimeUnit.SECONDS)).isTrue();
            free.countDown();
        }
    }

    @Test
    void refusesWorkAfterClose() {
        BlockingPool pool = new BlockingPool(1, 1, 1, 1);
        pool.close();
        assertThat(submit(pool, ExecutorKind.BLOCKING, () -> {})).isFalse();
        assertThat(submit(pool, ExecutorKind.DISK, () -> {})).isFalse();
    }

    @Test
    void closeDropsWaitingWorkAndInterruptsRunningWork() {
        BlockingPool pool = new BlockingPool(1, 1, 1, 2);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger dropped = new AtomicInteger();
        pool.submit(
                ExecutorKind.BLOCKING,
                () -> {
                    running.countDown();
                    await(new CountDownLatch(1)); // never opened
                    interrupted.countDown();
                },
                dropped::incrementAndGet);
        Await.open("the first work to start", running);
        pool.submit(ExecutorKind.BLOCKING, ran::incrementAndGet, dropped::incrementAndGet);
        pool.submit(ExecutorKind.BLOCKING, ran::incrementAndGet, dropped::incrementAndGet);
        assertThat(pool.hasEnded()).isFalse();

        pool.close();
        Await.open("the interrupt", interrupted);
        Await.until("the pool's end", pool::hasEnded);
        assertThat(dropped).hasValue(2);
        assertThat(ran).hasValue(0);
    }

    private static boolean submit(BlockingPool pool, ExecutorKind executor, Runnable work) {
        return pool.submit(executor, work, () -> {});
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
