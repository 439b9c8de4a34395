package dev.serval.bench.load;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.serval.bench.hello.Hog;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LatencyResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One line of a scenario: what is measured, and the bounds of the figure.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Cell.Load.class, name = "load"),
    @JsonSubTypes.Type(value = Cell.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = Cell.Resident.class, name = "resident"),
    @JsonSubTypes.Type(value = Cell.Idle.class, name = "idle"),
    @JsonSubTypes.Type(value = Cell.Allocated.class, name = "allocated"),
    @JsonSubTypes.Type(value = Cell.Rest.class, name = "rest"),
    @JsonSubTypes.Type(value = Cell.Loops.class, name = "loops"),
    @JsonSubTypes.Type(value = Cell.Latency.class, name = "latency"),
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
        /// The `ab` program, or the own client if ab is not installed.
        AB,
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
    /// @param references peers: the subject is compared with the cheapest of them. If empty, the
    ///     scenario's references apply
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
            List<String> references,
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
            boolean othersCan =
                    pipeline == 1 && requestsPerConnection <= 1 && head == HeadKind.SHORT;
            if (client != ClientKind.OWN && !othersCan) {
                throw new BenchFailure(name + ": wrk and ab cannot do this, name the own client");
            }
        }

        /// Makes a cell whose references are the scenario's.
        public Load(
                String name,
                String title,
                String file,
                int connections,
                int requestsPerConnection,
                int pipeline,
                ClientKind client,
                HeadKind head,
                Gate gate) {
            this(
                    name,
                    title,
                    file,
                    connections,
                    requestsPerConnection,
                    pipeline,
                    client,
                    head,
                    List.of(),
                    gate);
        }
    }

    /// How soon the subject is ready after its process was started.
    ///
    /// @param name as above
    /// @param title as above
    /// @param starts of which the median counts
    /// @param launcher whether it is started by `./serval run`, with its cache of classes; else by
    ///     `java -jar` alone
    /// @param gateSeconds bound
    record Ready(String name, String title, int starts, boolean launcher, double gateSeconds)
            implements Cell {}

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

    /// What is measured of the engine with a handler, as [dev.serval.bench.peer.HelloPeer] starts it.
    sealed interface OfHandlers extends Cell {}

    /// What a server process allocates for a request; the subject's has the bound.
    ///
    /// @param name as above
    /// @param title as above
    /// @param of load cell whose requests are made
    /// @param gateBytes bound
    record Allocated(String name, String title, String of, double gateBytes)
            implements OfHandlers {}

    /// CPU time of servers that have served and have nothing to do any more.
    ///
    /// @param name as above
    /// @param title as above
    /// @param after load cell they serve first
    /// @param seconds of rest
    /// @param gatePercent bound of the subject's, in percent of a CPU
    record Rest(String name, String title, String after, int seconds, double gatePercent)
            implements OfHandlers {
        /// Refuses no rest.
        public Rest {
            if (seconds < 1) {
                throw new BenchFailure(name + ": a rest takes a second or more");
            }
        }
    }

    /// Two loops of the subject against one: requests a second where the server can have two CPUs and
    /// the client others; CPU per request where not.
    ///
    /// @param name as above
    /// @param title as above
    /// @param of load cell whose requests are made
    record Loops(String name, String title, String of) implements OfHandlers {}

    /// How long static files take, asked for at fixed instants, beside application code that keeps
    /// its thread; with loops that are preempted and without.
    ///
    /// @param name as above
    /// @param title as above
    /// @param file that is asked for
    /// @param connections it is asked for on
    /// @param perSecond requests in all
    /// @param hog the application code
    /// @param hogs clients that ask for it at a time; each number is a row
    /// @param prototype what was measured before, shown beside
    record Latency(
            String name,
            String title,
            String file,
            int connections,
            int perSecond,
            Hog hog,
            List<Integer> hogs,
            List<LatencyResult.Published> prototype)
            implements OfHandlers {
        /// Refuses what cannot be sent.
        public Latency {
            if (connections < 1 || perSecond < 1 || hogs.stream().anyMatch(count -> count < 0)) {
                throw new BenchFailure(name + ": counts must be positive");
            }
        }

        LatencyResult.@Nullable Published prototype(int count) {
            return prototype.stream().filter(p -> p.hogs() == count).findFirst().orElse(null);
        }
    }
}
