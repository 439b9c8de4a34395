package dev.serval.metrics;

/// A request that has ended, as metrics see it. It is a view of an exchange, valid during the call that
/// gets it.
public interface EndedRequest {
    /// Returns the number of its mount, by which the server knows mounts in its metrics.
    int mount();

    /// Returns the final status; 0 if it ended without one.
    int status();

    /// Returns whether the server itself has refused it, because of a limit or its load.
    boolean isRefused();

    /// Returns the time in nanoseconds from the end of its head to the end of its response; 0 if both
    /// were in the same turn of the loop; less than 0 for a tunnel, whose time says nothing.
    long totalNanos();

    /// Returns the time of a phase in nanoseconds; 0 if it was not measured.
    long nanos(RequestPhase phase);

    /// Returns its [PathGroup]. Called only for slow requests.
    long group();

    /// Returns the method and the path for people, without the query. Called only for slow requests.
    String name();

    /// Returns the wall clock at the end.
    long endedEpochSeconds();
}
