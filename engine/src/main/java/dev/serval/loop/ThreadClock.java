package dev.serval.loop;

/// Measures how long threads have computed. One thread asks.
@FunctionalInterface
public interface ThreadClock {
    /// The answer if the time of a thread cannot be measured.
    long UNKNOWN = -1;

    /// Measures no thread.
    ThreadClock NONE = _ -> UNKNOWN;

    /// Returns for how long a processor has run that thread since it started, or [#UNKNOWN].
    ///
    /// @param thread the number that the system gave the thread; 0 for the caller's
    long nanos(int thread);
}
