package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JacksonInject;

/// One timed load on one peer, as it was measured.
///
/// @param seconds length of the load, by the client's clock
/// @param p99Micros 99th percentile of latency in microseconds, or NaN if the client has none
/// @param contentBytes of the answers, without their heads
/// @param errors refused connections, wrong answers and timeouts
/// @param clientCpuNanos CPU time of the client's processor for the suite and what it has started: the
///     client, and a database or an upstream. NaN in files of earlier versions
/// @param othersShare CPU time of other processes on the server's CPU, as a share of the round
/// @param clientOthersShare the same on the client's CPU; 0 if nothing is pinned
/// @param disturbed whether one of the shares was above its limit
public record Round(
        String peer,
        Phase phase,
        double seconds,
        double p99Micros,
        long requests,
        long contentBytes,
        long errors,
        long cpuNanos,
        @JacksonInject(Round.UNKNOWN) double clientCpuNanos,
        double othersShare,
        double clientOthersShare,
        boolean disturbed) {
    /// The name of the value of a component that a file does not have.
    public static final String UNKNOWN = "unknown";

    /// The purpose of a round.
    public enum Phase {
        /// Runs until the figures settle; never counted.
        WARM_UP("warm-up"),
        /// Counted, unless disturbed.
        MEASURED("round");

        private final String word;

        Phase(String word) {
            this.word = word;
        }

        /// Returns the word for the progress.
        public String word() {
            return word;
        }
    }

    /// Returns the server's CPU time per request in microseconds. NaN without requests, and if the
    /// server needed less than a tick of the kernel's count, which is 10 ms.
    public double cpuMicrosPerRequest() {
        return requests == 0 || cpuNanos == 0 ? Double.NaN : cpuNanos / 1e3 / requests;
    }

    /// Returns the CPU time of the client's processor per request in microseconds, or NaN.
    public double clientMicrosPerRequest() {
        return requests == 0 ? Double.NaN : clientCpuNanos / 1e3 / requests;
    }

    /// Returns the CPU time of both processors per request in microseconds, or NaN.
    public double bothMicrosPerRequest() {
        return cpuMicrosPerRequest() + clientMicrosPerRequest();
    }

    /// Returns the answered requests per second.
    public double requestsPerSecond() {
        return requests / seconds;
    }

    /// Returns the content bytes per second.
    public double bytesPerSecond() {
        return contentBytes / seconds;
    }
}
