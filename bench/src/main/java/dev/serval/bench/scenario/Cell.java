package dev.serval.bench.scenario;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.serval.bench.hello.Hog;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LatencyResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One line of a scenario: what to measure, and the limits of the result.
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
    @JsonSubTypes.Type(value = Cell.Slow.class, name = "slow"),
    @JsonSubTypes.Type(value = Cell.Allocation.class, name = "allocation"),
    @JsonSubTypes.Type(value = Cell.Memory.class, name = "memory"),
    @JsonSubTypes.Type(value = Cell.Start.class, name = "start"),
    @JsonSubTypes.Type(value = Cell.Variant.class, name = "variant"),
    @JsonSubTypes.Type(value = Cell.Application.class, name = "application"),
    @JsonSubTypes.Type(value = Cell.Overload.class, name = "overload"),
})
public sealed interface Cell {
    /// Returns the cell's name on the command line and in tables.
    String name();

    /// Returns what the cell measures, as text.
    String title();

    /// The client that makes the load.
    enum ClientKind {
        /// The `wrk` program, or the own client if wrk is not installed.
        WRK,
        /// The `ab` program, or the own client if ab is not installed.
        AB,
        /// [OwnClient], for what wrk and ab cannot do.
        OWN
    }

    /// The size of a request head.
    enum HeadKind {
        /// Request line and Host, as load generators send them.
        SHORT,
        /// The head of a browser, about 450 bytes.
        BROWSER
    }

    /// Sends the same requests to every peer. The result is the server's CPU time per request.
    ///
    /// @param file the requested file, or the name of a request of the scenario
    /// @param requestsPerConnection requests after which a connection is closed and replaced; 0 for
    ///     no limit
    /// @param pipeline requests sent before an answer is awaited
    /// @param references peers: the subject is compared with the cheapest of them. If empty, the
    ///     scenario's references apply
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
        /// Rejects a load that the clients cannot make.
        public Load {
            if (connections < 1 || pipeline < 1 || requestsPerConnection < 0) {
                throw new BenchFailure(name + ": counts must be positive");
            }
            if (requestsPerConnection % pipeline != 0) {
                throw new BenchFailure(
                        name + ": requestsPerConnection must be a multiple of pipeline");
            }
            boolean othersCan =
                    pipeline == 1 && requestsPerConnection <= 1 && head == HeadKind.SHORT;
            if (client != ClientKind.OWN && !othersCan) {
                throw new BenchFailure(
                        name + ": wrk and ab cannot make this load, use client \"own\"");
            }
        }

        /// Makes a load of plain requests for a file on connections that stay open.
        public static Load plain(
                String name,
                String title,
                String file,
                int connections,
                ClientKind client,
                Gate gate) {
            return new Load(
                    name, title, file, connections, 0, 1, client, HeadKind.SHORT, List.of(), gate);
        }
    }

    /// A cell that measures Serval alone.
    sealed interface OfServal extends Cell {}

    /// Measures how soon the subject is ready after the start of its process.
    ///
    /// @param starts number of starts; the median counts
    /// @param launcher whether `./serval run` starts it, with its cache of classes; otherwise `java
    ///     -jar` without that cache
    record Ready(String name, String title, int starts, boolean launcher, double gateSeconds)
            implements OfServal {}

    /// Measures the subject's resident memory after load.
    ///
    /// @param after load cells that it serves first
    /// @param gateMegabytes the limit, in MB of 10^6 bytes
    record Resident(String name, String title, List<String> after, double gateMegabytes)
            implements OfServal {}

    /// Measures the cost of idle connections for the subject: the memory of each, and the CPU time
    /// of other requests.
    ///
    /// @param beside load cell that is measured with and without them
    /// @param gateRatio limit of the CPU time per request with ÷ without them
    record Idle(
            String name,
            String title,
            int connections,
            String beside,
            double gateBytes,
            double gateRatio)
            implements OfServal {}

    /// A cell that measures the engine with a handler, as [dev.serval.bench.peer.HelloPeer] starts
    /// it.
    sealed interface OfHandlers extends Cell {}

    /// Measures the bytes that a server process allocates per request. The limit applies to the
    /// subject.
    record Allocated(String name, String title, String of, double gateBytes)
            implements OfHandlers {}

    /// Measures the CPU time of servers that have served load and are now idle.
    ///
    /// @param after load cell that they serve first
    /// @param gatePercent the subject's limit, in percent of a CPU
    record Rest(String name, String title, String after, int seconds, double gatePercent)
            implements OfHandlers {
        /// Rejects a rest of less than a second.
        public Rest {
            if (seconds < 1) {
                throw new BenchFailure(name + ": a rest must take a second or more");
            }
        }
    }

    /// Compares two loops of the subject with one. It compares requests per second if the server
    /// can have two CPUs and the client has others. Otherwise it compares CPU time per request.
    record Loops(String name, String title, String of) implements OfHandlers {}

    /// Measures the latency of static files, requested at fixed instants, beside application code
    /// that keeps its thread. It measures with and without preemption of the loops.
    ///
    /// @param file the requested file
    /// @param perSecond requests per second on all connections together
    /// @param hogs numbers of clients that request it at the same time; each number is a row
    /// @param prototype results of the prototype, shown beside
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
        /// Rejects a load that cannot be made.
        public Latency {
            if (connections < 1 || perSecond < 1 || hogs.stream().anyMatch(count -> count < 0)) {
                throw new BenchFailure(name + ": counts must be positive");
            }
        }

        public LatencyResult.@Nullable Published prototype(int count) {
            return prototype.stream().filter(p -> p.hogs() == count).findFirst().orElse(null);
        }
    }

    /// A cell that compares Serval with servlet containers. Its results have a figure for each.
    sealed interface OfContainers extends Cell {}

    /// Measures a slow application under users who think between their requests. The results are
    /// the throughput, the 99th percentile ÷ that of an ideal queue, and the 99th percentile of
    /// small files beside this load ÷ without it. A limit of 0 is none.
    ///
    /// @param cpuMillis CPU time of a request
    /// @param thinkSeconds mean think time of a user
    /// @param roundsMax most rounds, because these take long
    /// @param file requested beside, 100 times a second
    /// @param gateRate lowest throughput ÷ that of the best peer
    /// @param gateP99 limit of the 99th percentile ÷ that of the ideal queue
    /// @param gateFile limit of the file's 99th percentile beside the load ÷ without it
    record Slow(
            String name,
            String title,
            int cpuMillis,
            int users,
            double thinkSeconds,
            int seconds,
            int roundsMax,
            String file,
            double gateRate,
            double gateP99,
            double gateFile)
            implements OfContainers {
        /// Rejects a load that cannot be made.
        public Slow {
            boolean positive = cpuMillis > 0 && users > 0 && seconds > 0 && roundsMax > 0;
            if (!positive || !(thinkSeconds > 0)) {
                throw new BenchFailure(name + ": counts must be positive");
            }
        }
    }

    /// Measures the bytes that each server process allocates per request.
    ///
    /// @param aimBytes what the subject should reach
    record Allocation(String name, String title, String of, double gateBytes, double aimBytes)
            implements OfContainers {}

    /// Measures the memory of each server process after load: resident, and the heap after a full
    /// collection.
    ///
    /// @param after load cell that it serves first
    /// @param gateRatio limit of the subject's ÷ the smallest of the others
    record Memory(String name, String title, String after, double gateRatio)
            implements OfContainers {}

    /// Measures the time from the start of each server to its first answer from a WAR: in the first
    /// start with an empty work folder, and in the second with that of the first. A limit of 0 is
    /// none.
    ///
    /// @param starts number of starts of each kind; the median counts
    /// @param gateFirst limit of the subject's first start ÷ that of the fastest other
    /// @param gateSecond the same for the second start
    record Start(
            String name,
            String title,
            WarKind war,
            int starts,
            double gateSeconds,
            double gateFirst,
            double gateSecond)
            implements OfContainers {}

    /// A WAR whose start is measured.
    enum WarKind {
        /// An application with one page and nothing else.
        EMPTY,
        /// About 50 MB with 100 jars.
        BIG,
        /// The application of Spring MVC in folder `applications`.
        SPRING
    }

    /// Sends the same requests to the subject with and without a setting. The result is the CPU
    /// time per request with ÷ without it.
    record Variant(String name, String title, Setting setting, String of, Gate gate)
            implements OfContainers {}

    /// A setting of the subject.
    enum Setting {
        /// Sessions are stored in files.
        SESSIONS_IN_FILES,
        /// 1,000 users log in by BASIC.
        LOGIN
    }

    /// Sends the same requests for notes to the application of Spring MVC, on the subject and on
    /// the peers that read WARs. The result is the CPU time per request.
    record Application(String name, String title, int connections, Gate gate)
            implements OfContainers {}

    /// Offers multiples of its capacity to each server, with a new connection for each request. The
    /// results are the goodput, how requests are refused, and the time until the server is as before.
    ///
    /// @param cpuMicros CPU time of a request
    /// @param multiples of the capacity, ascending
    /// @param addresses loopback addresses from which the clients come
    /// @param deadlineMillis an answer that comes later is no goodput
    /// @param patienceMillis time after which a client goes away
    /// @param gateGoodput the lowest goodput beyond the capacity ÷ the greatest of all multiples
    /// @param gateRecoverySeconds limit of the time until the server is as before
    record Overload(
            String name,
            String title,
            int cpuMicros,
            List<Double> multiples,
            int addresses,
            int deadlineMillis,
            int patienceMillis,
            double gateGoodput,
            double gateRecoverySeconds)
            implements OfContainers {
        /// Rejects a load that cannot be made.
        public Overload {
            boolean positive =
                    cpuMicros > 0 && addresses > 0 && deadlineMillis > 0 && !multiples.isEmpty();
            if (!positive || multiples.stream().anyMatch(multiple -> !(multiple > 0))) {
                throw new BenchFailure(name + ": counts must be positive");
            }
            if (patienceMillis < deadlineMillis) {
                throw new BenchFailure(name + ": clients must wait until the deadline");
            }
        }
    }
}
