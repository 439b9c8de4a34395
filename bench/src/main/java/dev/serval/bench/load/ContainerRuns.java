package dev.serval.bench.load;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JvmMemory;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Round;
import dev.serval.bench.servlet.ServletPeer;
import dev.serval.bench.start.StartRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Measures servlet containers, apart from CPU time per request: what they allocate and keep, and
/// (with [SlowRun] and [StartRun]) slow applications and starts.
final class ContainerRuns {
    private static final int TIMEOUT_MILLIS = 10_000;

    /// The initial heap of the launcher. With the fixed heap of the other cells, all servers would
    /// have touched the same heap.
    private static final String SMALL_HEAP = "-Xms32m";

    private final List<Peer> peers;
    private final String subject;
    private final Bench bench;
    private final LoadRun loads;

    /// Makes the measurements of these peers.
    ContainerRuns(List<Peer> peers, String subject, Bench bench, LoadRun loads) {
        this.peers = peers;
        this.subject = subject;
        this.bench = bench;
        this.loads = loads;
    }

    /// Measures a cell.
    ///
    /// @param work returns the work of a load cell by its name
    List<? extends CellResult> run(Cell.OfContainers cell, Function<String, Work> work)
            throws IOException {
        return switch (cell) {
            case Cell.Allocation allocation ->
                    List.of(allocation(allocation, work.apply(allocation.of())));
            case Cell.Memory memory -> memory(memory, work.apply(memory.after()));
            case Cell.Slow slow -> new SlowRun(bench, subject).run(slow, forSlowRequests());
            case Cell.Start start -> start(start);
            case Cell.Variant variant ->
                    List.of(
                            new VariantRun(peers, subject, bench, loads)
                                    .run(variant, work.apply(variant.of())));
            case Cell.Application application ->
                    List.of(new ApplicationRun(peers, subject, bench, loads).run(application));
        };
    }

    /// The values of a peer so far.
    private static final class Course {
        private final Peer peer;
        private final List<Double> first = new ArrayList<>();
        private final List<Double> second = new ArrayList<>();
        private String failure = "";

        Course(Peer peer) {
            this.peer = peer;
        }

        PeersResult.PeerValues values(List<Double> values) {
            return failure.isEmpty()
                    ? new PeersResult.PeerValues(peer.name(), values, null)
                    : new PeersResult.PeerValues(peer.name(), List.of(), failure);
        }
    }

    private PeersResult allocation(Cell.Allocation cell, Work work) {
        List<Course> courses = peers.stream().map(Course::new).toList();
        for (Course course : courses) {
            try (RunningPeer server = course.peer.start(bench.stage())) {
                loads.warm(work, server);
                for (int number = 0; number < bench.settings().rounds(); number++) {
                    long before = allocatedBytes(server);
                    List<Round> rounds = loads.measured(work, server);
                    long bytes = allocatedBytes(server) - before;
                    long requests = rounds.stream().mapToLong(Round::requests).sum();
                    course.first.add((double) bytes / requests);
                }
            } catch (IOException | BenchFailure e) {
                course.failure = String.valueOf(e.getMessage());
            }
        }
        return new PeersResult(
                cell.name(),
                cell.title(),
                "bytes",
                PeersResult.Limit.orNone(PeersResult.Kind.VALUE, cell.gateBytes(), cell.aimBytes()),
                subject,
                courses.stream().map(course -> course.values(course.first)).toList(),
                List.of("all threads of the process, as counted by its JVM"));
    }

    /// Requests the counter of the JVM from the application, which works with every container.
    private static long allocatedBytes(RunningPeer server) throws IOException {
        HttpConnection.Answer answer =
                HttpConnection.get(server.port(), "/allocated", TIMEOUT_MILLIS);
        String text = new String(answer.content(), StandardCharsets.US_ASCII);
        if (!text.matches("\\d{1,18}")) {
            throw new BenchFailure("answered " + answer.status() + " to /allocated: " + text);
        }
        return Long.parseLong(text);
    }

    /// Measures a new process of each peer in each round. Rounds of the peers are interleaved.
    private List<PeersResult> memory(Cell.Memory cell, Work after) {
        List<Course> courses = new ArrayList<>();
        for (Peer peer : peers) {
            smallHeap(peer).ifPresent(small -> courses.add(new Course(small)));
        }
        for (int number = 0; number < bench.settings().rounds(); number++) {
            for (Course course : courses) {
                memory(course, after);
            }
        }
        PeersResult.Limit limit =
                PeersResult.Limit.orNone(PeersResult.Kind.RATIO_TO_SMALLEST, cell.gateRatio(), 0);
        return List.of(
                new PeersResult(
                        cell.name() + "-resident",
                        cell.title() + ": VmRSS",
                        "MB",
                        limit,
                        subject,
                        courses.stream().map(course -> course.values(course.first)).toList(),
                        List.of("read right after the load, with an initial heap of 32 MB")),
                new PeersResult(
                        cell.name() + "-heap",
                        cell.title() + ": heap after a full collection",
                        "MB",
                        limit,
                        subject,
                        courses.stream().map(course -> course.values(course.second)).toList(),
                        List.of()));
    }

    private void memory(Course course, Work after) {
        try (RunningPeer server = course.peer.start(bench.stage())) {
            loads.warm(after, server);
            double resident = bench.proc().statusBytes(server.pid(), "VmRSS") / 1e6;
            double heap = JvmMemory.heapBytes(server.pid()) / 1e6;
            course.first.add(resident);
            course.second.add(heap);
            bench.progress()
                    .printf(
                            "%s: %.0f MB resident, %.1f MB of live objects%n",
                            course.peer.name(), resident, heap);
        } catch (IOException | BenchFailure e) {
            course.failure = String.valueOf(e.getMessage());
        }
    }

    private static Optional<Peer> smallHeap(Peer peer) {
        return switch (peer) {
            case ServalPeer serval -> Optional.of(serval.with(SMALL_HEAP));
            case ServletPeer container -> Optional.of(container.with(List.of(SMALL_HEAP)));
            default -> Optional.empty();
        };
    }

    private List<Peer> forSlowRequests() {
        List<Peer> all = new ArrayList<>();
        for (Peer peer : peers) {
            if (peer instanceof ServletPeer container) {
                all.addAll(container.forSlowRequests());
            } else {
                all.add(peer);
            }
        }
        return all;
    }

    private List<PeersResult> start(Cell.Start cell) throws IOException {
        List<ServletPeer> others = new ArrayList<>();
        for (Peer peer : peers) {
            if (peer instanceof ServletPeer container && container.readsWars()) {
                others.add(container);
            }
        }
        StartRun.Plan plan =
                new StartRun.Plan(
                        cell.name(),
                        cell.title(),
                        switch (cell.war()) {
                            case EMPTY -> StartRun.War.EMPTY;
                            case BIG -> StartRun.War.BIG;
                            case SPRING -> StartRun.War.SPRING;
                        },
                        cell.starts(),
                        cell.gateSeconds(),
                        cell.gateFirst(),
                        cell.gateSecond());
        boolean withSubject = peers.stream().anyMatch(ServalPeer.class::isInstance);
        return new StartRun(bench.stage(), bench.proc(), bench.progress())
                .run(plan, withSubject, others);
    }
}
