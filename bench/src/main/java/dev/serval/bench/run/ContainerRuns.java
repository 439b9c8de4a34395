package dev.serval.bench.run;

import dev.serval.bench.peer.FilePeer;
import dev.serval.bench.peer.JvmMemory;
import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Measures servlet containers, apart from CPU time per request: what they allocate and keep, and
/// (with [SlowRun] and [StartRun]) slow applications and starts.
record ContainerRuns(Contest contest) {
    /// A small initial heap. With the fixed heap of the other cells, all servers would
    /// have touched the same heap.
    private static final List<String> SMALL_HEAP = List.of("-Xms32m");

    /// Measures a cell.
    List<? extends CellResult> run(Cell.OfContainers cell) throws IOException {
        return switch (cell) {
            case Cell.Allocation allocation -> List.of(allocation(allocation));
            case Cell.Memory memory -> memory(memory);
            case Cell.Slow slow -> new SlowRun(contest).run(slow, slowPeers());
            case Cell.Start start -> new StartRun(contest.bench()).run(start, contest);
            case Cell.Variant variant -> List.of(new ApplicationRuns(contest).variant(variant));
            case Cell.Overload overload -> List.of(new OverloadRun(contest).run(overload));
            case Cell.Application application ->
                    List.of(new ApplicationRuns(contest).application(application));
        };
    }

    private PeersResult allocation(Cell.Allocation cell) {
        Work work = contest.work(cell.of());
        List<Course<Double>> courses = new ArrayList<>();
        for (Peer peer : contest.peers()) {
            Course<Double> course = new Course<>(peer.name());
            courses.add(course);
            course.attempt(
                    contest.bench().progress(),
                    () -> course.rounds().addAll(allocated(peer, work)));
        }
        return Course.result(
                new Course.Figure(cell, "", "", "bytes"),
                PeersResult.Limit.orNone(PeersResult.Kind.VALUE, cell.gateBytes(), cell.aimBytes()),
                contest.subject(),
                courses,
                bytes -> bytes,
                List.of("all threads of the process, as counted by its JVM"));
    }

    private List<Double> allocated(Peer peer, Work work) throws IOException {
        try (RunningPeer server = peer.start(contest.stage())) {
            return contest.loads().growth(work, server, Counts::allocatedBy, new ArrayList<>());
        }
    }

    /// The memory of a process in MB.
    private record Megabytes(double resident, double heap) {}

    /// Measures a new process of each peer in each round. Rounds of the peers are interleaved.
    private List<PeersResult> memory(Cell.Memory cell) {
        Work after = contest.work(cell.after());
        Map<Peer, Course<Megabytes>> courses = new LinkedHashMap<>();
        for (Peer peer : contest.peers()) {
            if (JvmPeers.isJava(peer)) {
                courses.put(JvmPeers.with(peer, SMALL_HEAP), new Course<>(peer.name()));
            }
        }
        for (int number = 0; number < contest.settings().rounds(); number++) {
            courses.forEach((peer, course) ->
                    course.attempt(
                            contest.bench().progress(),
                            () -> course.rounds().add(memory(peer, after))));
        }
        List<Course<Megabytes>> all = List.copyOf(courses.values());
        PeersResult.Limit limit = PeersResult.Limit.toSmallest(cell.gateRatio());
        return List.of(
                Course.result(
                        new Course.Figure(cell, "-resident", ": VmRSS", "MB"),
                        limit,
                        contest.subject(),
                        all,
                        Megabytes::resident,
                        List.of("read right after the load, with an initial heap of 32 MB")),
                Course.result(
                        new Course.Figure(cell, "-heap", ": heap after a full collection", "MB"),
                        limit,
                        contest.subject(),
                        all,
                        Megabytes::heap,
                        List.of()));
    }

    private Megabytes memory(Peer peer, Work after) throws IOException {
        try (RunningPeer server = peer.start(contest.stage())) {
            contest.loads().warm(after, server);
            double resident = contest.proc().statusBytes(server.pid(), "VmRSS") / 1e6;
            double heap = JvmMemory.heapBytes(server.pid()) / 1e6;
            contest.say(
                    "%s: %.0f MB resident, %.1f MB of live objects", peer.name(), resident, heap);
            return new Megabytes(resident, heap);
        }
    }

    private List<Peer> slowPeers() {
        List<Peer> all = new ArrayList<>();
        for (Peer peer : contest.peers()) {
            if (peer instanceof FilePeer container) {
                all.addAll(container.forSlowRequests());
            } else {
                all.add(peer);
            }
        }
        return all;
    }
}
