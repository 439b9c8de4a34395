package dev.serval.bench.load;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.Gate;
import java.util.List;

/// One line of a scenario: what is measured, and the bounds of the figure.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Cell.Load.class, name = "load"),
    @JsonSubTypes.Type(value = Cell.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = Cell.Resident.class, name = "resident"),
    @JsonSubTypes.Type(value = Cell.Idle.class, name = "idle"),
})
public sealed interface Cell {
    /// What the command line and tables call it.
    String name();

    /// In words.
    String title();

    /// Which client makes the load.
    enum ClientKind {
        /// The `wrk` program; the own client where it is not installed.
        WRK,
        /// [OwnClient], for what wrk cannot do.
        OWN
    }

    /// How much a request head carries.
    enum HeadKind {
        /// Request line and Host, as load generators send.
        SHORT,
        /// What a browser sends, some 450 bytes.
        BROWSER
    }

    /// The same requests to every peer; the figure is server CPU per request.
    ///
    /// @param name as above
    /// @param title as above
    /// @param file that is asked for
    /// @param connections at the same time
    /// @param requestsPerConnection then it closes and opens another; 0 for no bound
    /// @param pipeline requests sent before an answer is awaited
    /// @param client that makes the load
    /// @param head of the requests
    /// @param gate bounds
    record Load(
            String name,
            String title,
            String file,
            int connections,
            int requestsPerConnection,
            int pipeline,
            ClientKind client,
            HeadKind head,
            Gate gate)
            implements Cell {
        /// Refuses what the clients cannot do.
        public Load {
            if (connections < 1 || pipeline < 1 || requestsPerConnection < 0) {
                throw new BenchFailure(name + ": counts must be positive");
            }
            if (requestsPerConnection % pipeline != 0) {
                throw new BenchFailure(name + ": a connection must end with a whole pipeline");
            }
            boolean wrkCan = pipeline == 1 && requestsPerConnection <= 1 && head == HeadKind.SHORT;
            if (client == ClientKind.WRK && !wrkCan) {
                throw new BenchFailure(name + ": wrk cannot do this, name the own client");
            }
        }
    }

    /// How soon the subject is ready after its process was started.
    ///
    /// @param name as above
    /// @param title as above
    /// @param starts of which the median counts
    /// @param gateSeconds bound
    record Ready(String name, String title, int starts, double gateSeconds) implements Cell {}

    /// The subject's resident memory after load.
    ///
    /// @param name as above
    /// @param title as above
    /// @param after load cells it serves first
    /// @param gateMegabytes bound, in MB of 10^6 bytes
    record Resident(String name, String title, List<String> after, double gateMegabytes)
            implements Cell {}

    /// What idle connections cost the subject: memory each, and the CPU of others beside them.
    ///
    /// @param name as above
    /// @param title as above
    /// @param connections idle after one request each
    /// @param beside load cell that is measured with and without them
    /// @param gateBytes heap and buffers of one
    /// @param gateRatio CPU per request with ÷ without
    record Idle(
            String name,
            String title,
            int connections,
            String beside,
            double gateBytes,
            double gateRatio)
            implements Cell {}
}
