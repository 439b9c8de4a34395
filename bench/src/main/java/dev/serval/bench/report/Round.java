package dev.serval.bench.report;

/// One timed stretch of load on one peer, as it was measured.
///
/// @param peer whose round it is
/// @param phase what the round was for
/// @param seconds of load, by the client's clock
/// @param p99Micros 99th percentile of latency in microseconds, or NaN if the client has none
/// @param requests answered completely
/// @param contentBytes of the answers, without their heads
/// @param errors refused connections, wrong answers, time-outs
/// @param cpuNanos of the peer's whole process tree
/// @param othersShare CPU time that anybody else used on the server's CPU, as a share of the round
/// @param clientOthersShare likewise on the client's CPU; 0 where nothing is pinned
/// @param disturbed whether one of the shares was past its bound
public record Round(
        String peer,
        Phase phase,
        double seconds,
        double p99Micros,
        long requests,
        long contentBytes,
        long errors,
        long cpuNanos,
        double othersShare,
        double clientOthersShare,
        boolean disturbed) {
    /// What a round was for.
    public enum Phase {
        /// Until figures settle; never counted.
        WARM_UP,
        /// Counted, unless disturbed.
        MEASURED
    }

    /// The suite's figure: CPU microseconds of the server per request; NaN without requests.
    public double cpuMicrosPerRequest() {
        return requests == 0 ? Double.NaN : cpuNanos / 1e3 / requests;
    }

    /// Requests answered in a second.
    public double requestsPerSecond() {
        return requests / seconds;
    }

    /// Content bytes in a second.
    public double bytesPerSecond() {
        return contentBytes / seconds;
    }
}
