package dev.serval.bench.load;

/// One arrival of an [OpenLoad]: a request or a session. Used again for later arrivals. Owned by the
/// load's thread.
sealed interface Trip permits Flight, Visit {
    /// Begins the trip. It notes its end, and then returns to the load.
    ///
    /// @param plannedAt its instant, in nanoseconds after the start
    void begin(Fates into, long startNanos, long plannedAt);
}
