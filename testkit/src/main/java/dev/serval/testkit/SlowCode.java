package dev.serval.testkit;

import java.util.concurrent.locks.LockSupport;

/// Code that is slow on purpose: the application or the client of a test whose subject is slowness.
/// A test itself never waits for a time, but for a condition, with `Await`. Stateless.
public final class SlowCode {
    private SlowCode() {}

    /// Parks the calling thread for at least `nanos`. A Worker parks with a time limit, as
    /// application code does that sleeps.
    ///
    /// @param nanos how long, in nanoseconds
    public static void takes(long nanos) {
        long begin = System.nanoTime();
        for (long past = 0; past < nanos; past = System.nanoTime() - begin) {
            LockSupport.parkNanos(nanos - past);
        }
    }
}
