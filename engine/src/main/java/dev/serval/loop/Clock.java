package dev.serval.loop;

/// Where a loop's time comes from, so that a test can be the clock.
public interface Clock {
    /// The machine's clocks.
    Clock SYSTEM =
            new Clock() {
                @Override
                public long nanos() {
                    return System.nanoTime();
                }

                @Override
                public long epochMillis() {
                    return System.currentTimeMillis();
                }
            };

    /// Monotonic, in nanoseconds from an arbitrary origin.
    long nanos();

    /// Wall clock, in milliseconds since 1970.
    long epochMillis();
}
