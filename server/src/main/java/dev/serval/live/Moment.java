package dev.serval.live;

import dev.serval.policy.LoadMode;

/// What a server did in one period of a [Span], such as a second. Immutable.
///
/// @param epochMillis the end of the period
/// @param seconds how long it really was
/// @param requests requests that ended
/// @param failures those of them with a status of 5xx that were not refused
/// @param refusals requests and connections that were refused
/// @param medianNanos half of the requests took no longer; 0 without requests
/// @param p99Nanos 99 of 100 requests took no longer; 0 without requests
/// @param state what was the case at the end of its seconds
record Moment(
        long epochMillis,
        double seconds,
        long requests,
        long failures,
        long refusals,
        long medianNanos,
        long p99Nanos,
        State state) {
    /// What can be seen at an instant; the largest values of the period.
    ///
    /// @param connections open connections
    /// @param heapBytes heap in use
    /// @param mode the load mode
    record State(int connections, long heapBytes, LoadMode mode) {
        /// Returns the larger values of both.
        State and(State other) {
            return new State(
                    Math.max(connections, other.connections),
                    Math.max(heapBytes, other.heapBytes),
                    mode.compareTo(other.mode) >= 0 ? mode : other.mode);
        }
    }

    /// Returns a rate.
    double perSecond(long events) {
        return seconds <= 0 ? 0 : events / seconds;
    }
}
