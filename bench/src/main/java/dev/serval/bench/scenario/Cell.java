package dev.serval.bench.scenario;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.serval.bench.hello.Hog;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LatencyResult;
import dev.serval.bench.report.Published;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One line of a scenario: what to measure, and the limits of the result.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Cell.Load.class, name = "load"),
    @JsonSubTypes.Type(value = Cell.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = Cell.Resident.class, name = "resident"),
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
    @JsonSubTypes.Type(value = Cell.Quiet.class, name = "quiet"),
    @JsonSubTypes.Type(value = Cell.Lasting.class, name = "lasting"),
    @JsonSubTypes.Type(value = Cell.Burst.class, name = "burst"),
    @JsonSubTypes.Type(value = Cell.Ramp.class, name = "ramp"),
    @JsonSubTypes.Type(value = TodayCell.Servlet.class, name = "servlet"),
    @JsonSubTypes.Type(value = TodayCell.Crowd.class, name = "crowd"),
    @JsonSubTypes.Type(value = TodayCell.Tail.class, name = "tail"),
    @JsonSubTypes.Type(value = PipelinedCell.class, name = "pipelined"),
    @JsonSubTypes.Type(value = SessionsCell.class, name = "sessions"),
    @JsonSubTypes.Type(value = ShopCell.class, name = "shop"),
    @JsonSubTypes.Type(value = ProtocolCell.class, name = "protocol"),
})
public sealed interface Cell {
    /// Returns the cell's name on the command line and in tables.
    String name();

    /// Returns what the cell measures, as text.
    String title();

    /// Returns a load of this cell: plain requests for a file on connections that stay open.
    default Load plain(String file, int connections, ClientKind client, Gate gate) {
        return Load.plain(name(), title(), file, connections, client, gate);
    }

    /// The client that makes the load.
    enum ClientKind {
        /// The `wrk` program, or the own client if wrk is not installed.
        WRK("wrk"),
        /// The `ab` program, or the own client if ab is not installed.
        AB("apache2-utils"),
        /// The own client, for what wrk and ab cannot do.
        OWN(""),
        /// The `h2load` program: HTTP/2.
        H2LOAD("nghttp2-client"),
        /// The `httperf` program: new connections at a constant rate, with one request each.
        HTTPERF("httperf"),
        /// `openssl s_time` with a whole TLS handshake for each request.
        FULL("openssl"),
        /// The same with handshakes that resume a session.
        RESUMED("openssl");

        private final String debianPackage;

        ClientKind(String debianPackage) {
            this.debianPackage = debianPackage;
        }

        /// Returns the Debian package of the program; empty for the own client.
        public String debianPackage() {
            return debianPackage;
        }
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
    /// @param more more files: the connections request the first file and these in turn, and each
    ///     connection always the same one. Empty for one file
    /// @param requestsPerConnection requests after which a connection is closed and replaced; 0 for
    ///     no limit
    /// @param pipeline requests sent before an answer is awaited
    /// @param references peers: the subject is compared with the cheapest of them. If empty, the
    ///     scenario's references apply
    /// @param published figures of a paper for the same load
    record Load(
            String name,
            String title,
            String file,
            List<String> more,
            int connections,
            int requestsPerConnection,
            int pipeline,
            ClientKind client,
            HeadKind head,
            List<String> references,
            Gate gate,
            List<Published> published)
            implements Cell {
        /// Rejects a load that the clients cannot make.
        public Load {
            boolean positive = connections > 0 && pipeline > 0 && requestsPerConnection >= 0;
            BenchFailure.require(positive, name + ": counts must be positive");
            BenchFailure.require(
                    requestsPerConnection % pipeline == 0,
                    name + ": requestsPerConnection must be a multiple of pipeline");
            boolean othersCan =
                    (pipeline == 1 || client == ClientKind.H2LOAD)
                            && requestsPerConnection <= 1
                            && head == HeadKind.SHORT
                            && more.isEmpty();
            BenchFailure.require(
                    client == ClientKind.OWN || othersCan,
                    name + ": wrk and ab cannot make this load, use client \"own\"");
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
                    name,
                    title,
                    file,
                    List.of(),
                    connections,
                    0,
                    1,
                    client,
                    HeadKind.SHORT,
                    List.of(),
                    gate,
                    List.of());
        }

        /// Returns the same requests as the load of another cell.
        public Load as(String cell, String what, Gate limits) {
            return new Load(
                    cell,
                    what,
                    file,
                    more,
                    connections,
                    requestsPerConnection,
                    pipeline,
                    client,
                    head,
                    references,
                    limits,
                    List.of());
        }

        /// Returns all files, in the order of the connections.
        public List<String> files() {
            return Stream.concat(Stream.of(file), more.stream()).toList();
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
            BenchFailure.require(seconds >= 1, name + ": a rest must take a second or more");
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
            boolean positive = connections > 0 && perSecond > 0;
            BenchFailure.require(
                    positive && hogs.stream().allMatch(count -> count >= 0),
                    name + ": counts must be positive");
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
            BenchFailure.require(positive && thinkSeconds > 0, name + ": counts must be positive");
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

    /// Measures the time from the start of each server to its first answer from a WAR, and the memory
    /// there: in the first start with an empty work folder, and in the second with that of the first.
    /// A limit of 0 is none.
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
        SPRING,
        /// The document root with the suite's own servlets, as an exploded WAR. Servers that read no
        /// WAR take part with their way to serve it.
        SUITE
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
            BenchFailure.require(
                    positive && multiples.stream().allMatch(multiple -> multiple > 0),
                    name + ": counts must be positive");
            BenchFailure.require(
                    patienceMillis >= deadlineMillis,
                    name + ": clients must wait until the deadline");
        }
    }

    /// A cell that starts each server by itself, and measures one after the other or with settings
    /// of its own.
    sealed interface OfServers extends Cell
            permits Quiet,
                    Lasting,
                    Burst,
                    Ramp,
                    TodayCell,
                    PipelinedCell,
                    SessionsCell,
                    ShopCell,
                    ProtocolCell {
        /// Returns the peers that can do what the cell asks for, or none for all of the scenario.
        List<String> peers();
    }

    /// Measures a load cell again with servers that write no access log, in a scenario whose servers
    /// write one.
    record Quiet(String name, String title, List<String> peers, String of, Gate gate)
            implements OfServers {}

    /// Repeats a load cell for long on servers in Java: with each collector, and with an ample heap
    /// and the smallest that works. The results are the throughput over time ÷ that of the load
    /// cell, the heap over time, and the pauses of the collector.
    ///
    /// @param of a load cell for the suite's own client
    /// @param collectors in the order of the tables
    /// @param ampleMegabytes the ample heap
    /// @param heaps smaller heaps in MB, ascending, of which the smallest that works is found
    /// @param paperSeconds the length in the paper's form
    /// @param gateRatio lowest throughput ÷ that of the load cell
    record Lasting(
            String name,
            String title,
            List<String> peers,
            String of,
            List<Collector> collectors,
            int ampleMegabytes,
            List<Integer> heaps,
            int paperSeconds,
            double gateRatio,
            List<Published> published)
            implements OfServers {
        /// Rejects heaps that cannot be searched.
        public Lasting {
            boolean ascending = true;
            int last = 0;
            for (int heap : heaps) {
                ascending &= heap > last;
                last = heap;
            }
            BenchFailure.require(
                    !collectors.isEmpty() && ascending && ampleMegabytes > last,
                    name + ": heaps must ascend to the ample one, with a collector");
            BenchFailure.require(paperSeconds > 0, name + ": counts must be positive");
        }
    }

    /// A garbage collector of the JVM.
    enum Collector {
        /// One thread that stops the others.
        SERIAL("UseSerialGC"),
        /// Threads that stop the others.
        PARALLEL("UseParallelGC"),
        /// The JVM's default.
        G1("UseG1GC"),
        /// Collects beside the application.
        ZGC("UseZGC");

        private final String flag;

        Collector(String flag) {
            this.flag = flag;
        }

        /// Returns the options that select it, whatever earlier options have selected.
        public List<String> options() {
            return Stream.concat(
                            Stream.of(values())
                                    .filter(other -> other != this)
                                    .map(other -> "-XX:-" + other.flag),
                            Stream.of("-XX:+" + flag))
                    .toList();
        }
    }

    /// Has `ab` send a number of requests on kept connections, again and again. The results are the
    /// mean and the spread of its figures, failed requests, and answers that did not keep their
    /// connection.
    ///
    /// @param file the requested file, or the name of a plain request of the scenario
    /// @param requests of each run of ab
    /// @param runs the most runs; fewer if the settings ask for fewer rounds
    record Burst(
            String name,
            String title,
            List<String> peers,
            String file,
            int requests,
            int connections,
            int runs,
            List<Published> published)
            implements OfServers {
        /// Rejects a load that ab cannot make.
        public Burst {
            BenchFailure.require(
                    connections > 0 && requests >= connections && runs > 0,
                    name + ": counts must be positive, and requests suffice");
        }
    }

    /// Offers rising rates of new connections with one request each, in an open loop. The results
    /// are the reply rate at each rate, the highest rate without an error, and what a server does
    /// beyond it.
    ///
    /// @param file the requested file, or the name of a request of the scenario
    /// @param usual the steps by default
    /// @param paper the steps in the paper's form
    /// @param factor of each step to the next beyond the last planned rate
    /// @param timeoutMillis time after which a client goes away
    /// @param addresses loopback addresses from which the clients come
    /// @param gateReplies lowest reply rate at twice the highest rate without an error ÷ the peak
    record Ramp(
            String name,
            String title,
            List<String> peers,
            String file,
            Steps usual,
            Steps paper,
            double factor,
            int timeoutMillis,
            int addresses,
            double gateReplies,
            List<Published> published)
            implements OfServers {
        /// Rejects a load that cannot be made.
        public Ramp {
            BenchFailure.require(
                    timeoutMillis > 0 && addresses > 0 && factor > 1,
                    name + ": counts must be positive, and the factor above 1");
        }

        /// The planned steps of a ramp.
        ///
        /// @param from the first rate, in connections per second
        /// @param to the last rate
        /// @param by the difference of two rates
        /// @param seconds length of a step
        /// @param pauseMillis between two steps
        /// @param sampleMillis the reply rate is counted for each piece of this length
        public record Steps(
                int from, int to, int by, int seconds, int pauseMillis, int sampleMillis) {
            /// Rejects steps that do not rise or have no whole sample.
            public Steps {
                boolean rises = from > 0 && to >= from && by > 0;
                boolean sampled = sampleMillis > 0 && seconds * 1000 >= sampleMillis;
                BenchFailure.require(
                        rises && sampled && pauseMillis >= 0,
                        "the steps of a ramp must rise, with a whole sample");
            }

            /// Returns the planned rates.
            public List<Double> rates() {
                return DoubleStream.iterate(from, rate -> rate <= to, rate -> rate + by)
                        .boxed()
                        .toList();
            }

            /// Returns these steps, none longer than a time in seconds that has a whole sample.
            public Steps atMost(int most) {
                return new Steps(from, to, by, Math.min(seconds, most), pauseMillis, sampleMillis);
            }

            /// Returns the first and the last of these rates in steps of another length, for a quick
            /// run.
            public Steps quick(int otherSeconds) {
                return new Steps(
                        from,
                        to,
                        Math.max(by, to - from),
                        otherSeconds,
                        Math.min(pauseMillis, otherSeconds * 100),
                        Math.min(sampleMillis, otherSeconds * 1000));
            }
        }
    }
}
