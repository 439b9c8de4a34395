package dev.serval.bench.scenario;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.Gate;
import java.util.List;

/// The kinds of cells of scenario `today`, which any scenario may have.
public sealed interface TodayCell extends Cell.OfServers {
    /// Sends the same requests to the peers that have servlets. The result is the CPU time per
    /// request.
    ///
    /// @param request the name of a request of the scenario
    /// @param database whether a PostgreSQL is started for the servlet
    record Servlet(
            String name,
            String title,
            List<String> peers,
            String request,
            boolean database,
            int connections,
            Gate gate)
            implements TodayCell {}

    /// Measures what idle connections cost each server: its memory for one of them, and the CPU time
    /// and the 99th percentile of requests on other connections, with and without them.
    ///
    /// @param file requested by all connections, by the idle ones once
    /// @param busy connections that request all the time
    /// @param idle connections, or fewer if there are too few descriptors
    record Crowd(String name, String title, List<String> peers, String file, int busy, int idle)
            implements TodayCell {
        /// Rejects a crowd of nobody.
        public Crowd {
            if (busy < 1 || idle < 1) {
                throw new BenchFailure(name + ": counts must be positive");
            }
        }
    }

    /// Offers a part of its capacity to each server, in an open loop on connections that stay open.
    /// The result is the distribution of latencies.
    ///
    /// @param file the requested file, or the name of a request of the scenario
    /// @param users of the closed loop that finds the capacity
    /// @param share of the capacity
    /// @param addresses loopback addresses from which the clients come
    /// @param timeoutMillis time after which a client goes away
    /// @param secondsMax the longest load
    record Tail(
            String name,
            String title,
            List<String> peers,
            String file,
            int users,
            double share,
            int addresses,
            int timeoutMillis,
            int secondsMax)
            implements TodayCell {
        /// Rejects a load that cannot be made.
        public Tail {
            boolean positive = users > 0 && addresses > 0 && timeoutMillis > 0 && secondsMax > 0;
            if (!positive || !(share > 0 && share <= 1)) {
                throw new BenchFailure(name + ": counts must be positive, and the share up to 1");
            }
        }
    }
}
