package dev.serval.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Waits with a time limit; the only place where tests sleep. A wait ends as soon as its condition
/// holds, so the limit may be generous. After the limit the test fails with a message. Also waits
/// for threads that do something [at the same time][#together]. Stateless.
public final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long PAUSE_MILLIS = 2;

    private Await() {}

    /// Waits up to 20 s until `condition` holds.
    ///
    /// @param what names the condition in the failure message
    public static void until(String what, BooleanSupplier condition) {
        until(what, PATIENCE, condition);
    }

    /// Waits up to `patience` until `condition` holds.
    public static void until(String what, Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("timed out after " + patience + " waiting until " + what);
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting until " + what, e);
            }
        }
    }

    /// Waits up to 20 s for the latch to open.
    public static void open(String what, CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("timed out after " + PATIENCE + " waiting until " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting until " + what, e);
        }
    }

    /// What one of several threads does.
    public interface Part<T> {
        /// Does it.
        ///
        /// @param number from 0
        T run(int number) throws Exception;
    }

    /// Runs a part in each of so many threads, which begin at the same time. Returns their results
    /// in the order of their numbers.
    public static <T> List<T> together(int count, Part<T> part) throws Exception {
        List<T> results = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(count);
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<T>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                all.add(
                        threads.submit(() -> {
                            start.countDown();
                            start.await();
                            return part.run(number);
                        }));
            }
            for (Future<T> each : all) {
                results.add(each.get());
            }
        }
        return results;
    }
}
