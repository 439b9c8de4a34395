package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.loop.Clock;
import dev.serval.testkit.Await;
import dev.serval.testkit.BrokenLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many pieces of work the pool runs at a time, and in which order.
@Timeout(60)
final class CarrierPoolTest {
    private static final long SPARE_NANOS = 10_000_000_000L;
    private static final int LOOKS = 20;

    private final Time time = new Time();
    private final AtomicLong looks = new AtomicLong();
    private volatile boolean blocked;
    private volatile boolean fails; // the look at a thread
    private final CountDownLatch free = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private CarrierPool pool = pool(8, 2);

    private static final class Time implements Clock {
        volatile long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long epochMillis() {
            return 0;
        }
    }

    /// Says of each thread what the test wants.
    private static final class Said implements ThreadActivity {
        private final BooleanSupplier blocked;

        Said(BooleanSupplier blocked) {
            this.blocked = blocked;
        }

        @Override
        public boolean isBlocked() {
            return blocked.getAsBoolean();
        }

        @Override
        public void close() {}
    }

    private CarrierPool pool(int threadsMax, int processors) {
        return new CarrierPool(
                threadsMax,
                processors,
                SPARE_NANOS,
                time,
                () ->
                        new Said(() -> {
                            looks.incrementAndGet();
                            if (fails) {
                                throw new NoClassDefFoundError("meant: a look that fails");
                            }
                            return blocked;
                        }));
    }

    @AfterEach
    void end() {
        free.countDown();
        pool.shutdown();
        Await.until("the threads end", () -> pool.threads() == 0);
    }

    private void keep(int pieces) {
        for (int i = 0; i < pieces; i++) {
            pool.execute(() -> {
                running.incrementAndGet();
                Await.open("the end of the test", free);
            });
        }
    }

    private void awaitLooks() {
        long from = looks.get();
        Await.until("looks of the monitor", () -> looks.get() >= from + LOOKS);
    }

    /// Work that finds no thread waits for the monitor's next look. If memory has run out by then,
    /// the monitor itself could not start any more.
    @Test
    void monitorStartsWithTheFirstPiece() {
        long before = monitors();
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(ran::countDown);
        Await.open("the piece has run", ran);
        assertThat(monitors()).isEqualTo(before + 1);
    }

    private static long monitors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("serval-carrier-monitor"))
                .count();
    }

    @Test
    void runsAsManyPiecesAsThereAreProcessors() {
        keep(6);
        Await.until("two pieces", () -> running.get() == 2);
        awaitLooks();
        assertThat(running).hasValue(2);
        assertThat(pool.isFull()).isFalse();
        free.countDown();
        Await.until("the others", () -> running.get() == 6);
        // At the start, one thread may be about to rest when the next piece needs another one.
        assertThat(pool.threads()).isBetween(2, 3);
    }

    @Test
    void runsOthersBesidePiecesThatBlock() {
        keep(6);
        Await.until("two pieces", () -> running.get() == 2);
        awaitLooks();
        blocked = true;
        Await.until("all pieces", () -> running.get() == 6);
    }

    @Test
    void runsOthersBesidePiecesThatAreLong() {
        keep(6);
        Await.until("two pieces", () -> running.get() == 2);
        awaitLooks();
        time.nanos = CarrierPool.LONG_NANOS;
        Await.until("two others", () -> running.get() == 4);
        awaitLooks();
        assertThat(running).hasValue(4);
        time.nanos = 2 * CarrierPool.LONG_NANOS;
        Await.until("all", () -> running.get() == 6);
    }

    @Test
    void hasNoMoreThreadsThanAllowed() {
        blocked = true;
        keep(12);
        Await.until("eight pieces", () -> running.get() == 8);
        awaitLooks();
        assertThat(running).hasValue(8);
        assertThat(pool.threads()).isEqualTo(8);
        assertThat(pool.isFull()).isTrue();
        free.countDown();
        Await.until("the others", () -> running.get() == 12);
    }

    @Test
    void runsAsManyAsProcessorsAgainAfterPiecesThatBlocked() {
        blocked = true;
        keep(8);
        Await.until("eight pieces", () -> running.get() == 8);
        blocked = false;
        free.countDown();
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Await.until("the pool rests", () -> pool.active() == 0 && pool.allowed() == 2);
        CountDownLatch go = new CountDownLatch(1);
        for (int i = 0; i < 8; i++) {
            pool.execute(() -> {
                most.accumulateAndGet(together.incrementAndGet(), Math::max);
                Await.open("the start", go);
                together.decrementAndGet();
            });
        }
        awaitLooks();
        go.countDown();
        Await.until("the pool rests", () -> pool.active() == 0);
        assertThat(most).hasValue(2);
    }

    @Test
    void runsWhatHasBegunFirst() {
        pool.shutdown();
        pool = pool(1, 1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        pool.execute(() -> Await.open("the start", go));
        pool.execute(() -> order.add("new 1"));
        pool.resume(() -> order.add("begun 1"));
        pool.execute(() -> order.add("new 2"));
        pool.resume(() -> order.add("begun 2"));
        go.countDown();
        Await.until("all", () -> order.size() == 4);
        assertThat(order).containsExactly("begun 1", "begun 2", "new 1", "new 2");
    }

    @Test
    void runsNewWorkBesideARequestThatYieldsAllTheTime() {
        pool.shutdown();
        pool = pool(1, 1);
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(
                new Runnable() {
                    @Override
                    public void run() {
                        if (done.getCount() > 0) {
                            pool.resume(this);
                        }
                    }
                });
        pool.execute(done::countDown);
        Await.open("the new work", done);
    }

    @Test
    void survivesAPieceThatFails() {
        pool.shutdown();
        pool = pool(1, 1);
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(() -> {
            throw new IllegalStateException("meant: work that fails");
        });
        pool.execute(done::countDown);
        Await.open("the next piece", done);
        assertThat(pool.threads()).isEqualTo(1);
    }

    @Test
    void monitorSurvivesALookAndALoggerThatFail() {
        try (BrokenLog log = new BrokenLog(CarrierPool.class)) {
            fails = true;
            keep(6);
            Await.until("looks that failed", () -> log.messages() > 1);
            fails = false;
            blocked = true;
            Await.until("all pieces", () -> running.get() == 6);
        }
    }

    @Test
    void threadStaysCountedIfAPieceAndTheLoggerFail() {
        try (BrokenLog log = new BrokenLog(CarrierPool.class)) {
            for (int i = 0; i < 6; i++) {
                pool.execute(() -> {
                    throw new NoClassDefFoundError("meant: a piece that fails");
                });
            }
            Await.until("all have failed", () -> log.messages() == 6);
            Await.until("no thread is active", () -> pool.active() == 0);
            keep(2);
            Await.until("two pieces", () -> running.get() == 2);
        }
    }

    @Test
    void threadStartsThoughItsActivityCannotBeRead() {
        pool.shutdown();
        pool =
                new CarrierPool(
                        2,
                        2,
                        SPARE_NANOS,
                        time,
                        () -> {
                            throw new NoClassDefFoundError("meant: no activity");
                        });
        keep(4);
        Await.until("two pieces", () -> running.get() == 2);
        free.countDown();
        Await.until("the others", () -> running.get() == 4);
        Await.until("no thread is active", () -> pool.active() == 0);
    }

    @Test
    void runsWhatWaitsAtTheEndAndRefusesMore() {
        keep(6);
        pool.shutdown();
        assertThatThrownBy(() -> pool.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class);
        free.countDown();
        Await.until("all", () -> running.get() == 6);
    }

    @ParameterizedTest
    @CsvSource({
        "'12 (java) R 1 2', true",
        "'12 (java) S 1 2', false",
        "'12 (java) D 1 2', false",
        "'12 (a) S (b) R 1 2', true",
        "'12 (a) R (b) S 1 2', false",
        "'12 (java)', false",
        "'', false"
    })
    void readsTheStateAfterTheName(String text, boolean runnable) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(ThreadActivity.Linux.isRunnable(bytes, bytes.length)).isEqualTo(runnable);
    }

    @Test
    void seesAThreadThatWaitsAndOneThatComputes() throws InterruptedException {
        AtomicInteger known = new AtomicInteger();
        ThreadActivity[] seen = new ThreadActivity[2];
        boolean[] stop = new boolean[1];
        Thread waits =
                Thread.ofPlatform()
                        .start(() -> {
                            seen[0] = ThreadActivity.ofCurrent();
                            known.incrementAndGet();
                            Await.open("the end", free);
                        });
        Thread computes =
                Thread.ofPlatform()
                        .start(() -> {
                            seen[1] = ThreadActivity.ofCurrent();
                            known.incrementAndGet();
                            while (free.getCount() > 0) {
                                stop[0] = !stop[0];
                            }
                        });
        Await.until("both", () -> known.get() == 2);
        Await.until("the one that waits", () -> seen[0].isBlocked());
        Await.until("the one that computes", () -> !seen[1].isBlocked());
        free.countDown();
        waits.join();
        computes.join();
        seen[0].close();
        seen[1].close();
    }
}
