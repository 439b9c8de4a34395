package dev.serval.live;

/// What a server did in one second. Immutable.
///
/// @param epochMillis the end of the second
/// @param seconds how long it really was
/// @param requests requests that ended
/// @param failures those of them with a status of 5xx that were not refused
/// @param refusals requests and connections that were refused
/// @param medianNanos half of the requests took no longer; 0 without requests
/// @param p99Nanos 99 of 100 requests took no longer; 0 without requests
/// @param connections open connections at the end
/// @param heapBytes heap in use at the end
record Moment(
        long epochMillis,
        double seconds,
        long requests,
        long failures,
        long refusals,
        long medianNanos,
        long p99Nanos,
        int connections,
        long heapBytes) {
    /// Returns a rate.
    double perSecond(long events) {
        return seconds <= 0 ? 0 : events / seconds;
    }
}
