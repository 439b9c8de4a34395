package dev.serval.testkit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Bounded waiting: the one place where tests sleep. A wait ends as soon as its condition holds, so
/// the bound may be generous; past it the test fails with a sentence. Stateless.
public final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long PAUSE_MILLIS = 2;

    private Await() {}

    /// Waits up to 20 s until `condition` holds.
    ///
    /// @param what what is waited for, for the failure's sentence
    public static void until(String what, BooleanSupplier condition) {
        until(what, PATIENCE, condition);
    }

    /// Waits up to `patience` until `condition` holds.
    public static void until(String what, Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited " + patience + " in vain until " + what);
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
                throw new AssertionError("waited " + PATIENCE + " in vain until " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting until " + what, e);
        }
    }
}
