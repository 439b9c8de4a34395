package dev.serval.bench.load;

import dev.serval.bench.peer.Site;
import java.io.IOException;

/// Makes the load of a cell.
public sealed interface Client permits Wrk, Ab, OwnClient {
    /// What is asked for.
    ///
    /// @param port on the loopback address
    /// @param page the file
    record Target(int port, Site.Page page) {}

    /// What came of it.
    ///
    /// @param requests answered completely and rightly
    /// @param contentBytes of them
    /// @param errors refused connections, wrong answers, time-outs
    /// @param nanos it took
    /// @param p99Micros 99th percentile of latency in microseconds, or NaN if the client has none
    record Tally(long requests, long contentBytes, long errors, long nanos, double p99Micros) {}

    /// Keeps the target busy for so many seconds.
    Tally run(Target target, Cell.Load load, int seconds) throws IOException;
}
