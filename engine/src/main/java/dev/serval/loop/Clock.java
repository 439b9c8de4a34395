package dev.serval.loop;

/// The source of a loop's time. Tests replace it.
public interface Clock {
    /// The clocks of the machine.
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

    /// Returns monotonic nanoseconds from an arbitrary origin.
    long nanos();

    /// Returns the wall clock in milliseconds since 1970.
    long epochMillis();
}
