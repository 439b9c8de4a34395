package dev.serval.bench.load;

import dev.serval.bench.peer.Site;
import java.io.IOException;

/// Makes the load of a cell.
public sealed interface Client permits Wrk, Ab, OwnClient {
    /// The target of a load.
    ///
    /// @param port the server's port on the loopback address
    /// @param page the requested file
    record Target(int port, Site.Page page) {}

    /// The result of a load.
    ///
    /// @param requests answered completely and correctly
    /// @param contentBytes of these answers
    /// @param errors refused connections, wrong answers and timeouts
    /// @param nanos length of the load
    /// @param p99Micros 99th percentile of latency in microseconds, or NaN if the client has none
    record Tally(long requests, long contentBytes, long errors, long nanos, double p99Micros) {}

    /// Sends requests to the target for this time.
    Tally run(Target target, Cell.Load load, int seconds) throws IOException;
}
