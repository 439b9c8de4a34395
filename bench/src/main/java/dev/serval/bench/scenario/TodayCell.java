package dev.serval.bench.scenario;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.Gate;
import java.util.List;

/// The kinds of cells of scenario `today`, which any scenario may have.
public sealed interface TodayCell extends Cell.OfServers {
    /// Sends the same requests to the peers with servlets. The result is the CPU time per request.
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

    /// Measures what idle connections cost each server: memory, and the CPU time of requests on
    /// other connections, with and without them. A limit of 0 is none.
    ///
    /// @param file requested by all connections, by the idle ones once
    /// @param busy connections that request all the time
    /// @param idle connections, or fewer if there are too few descriptors
    /// @param gateBytes limit of the subject's memory for one of them
    /// @param gateRatio limit of its CPU time per request with ÷ without them
    record Crowd(
            String name,
            String title,
            List<String> peers,
            String file,
            int busy,
            int idle,
            double gateBytes,
            double gateRatio)
            implements TodayCell {
        /// Rejects an empty crowd.
        public Crowd {
            BenchFailure.require(busy > 0 && idle > 0, name + ": counts must be positive");
        }
    }

    /// Offers a part of its capacity to each server, in an open loop on connections that stay open.
    /// The result is the distribution of latencies.
    ///
    /// @param file the requested file, or the name of a request of the scenario
    /// @param users of the closed loop that finds the capacity
    /// @param share of the capacity
    record Tail(String name, String title, List<String> peers, String file, int users, double share)
            implements TodayCell {
        /// Rejects a load that cannot be made.
        public Tail {
            BenchFailure.require(
                    users > 0 && share > 0 && share <= 1,
                    name + ": there must be users, and a share up to 1");
        }
    }
}
