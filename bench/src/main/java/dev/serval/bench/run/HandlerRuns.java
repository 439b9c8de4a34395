package dev.serval.bench.run;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.HelloPeer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// Measures the engine with a handler, apart from CPU time per request: what it allocates, what it
/// uses at rest, what a second loop brings, and (with [LatencyRun]) how application code delays
/// other requests.
record HandlerRuns(HelloPeer subject, Contest contest) {
    private static final long SECOND_NANOS = 1_000_000_000;

    /// For a while after load, a JVM still compiles and its pools still end threads.
    private static final int CALM_SECONDS = 2;

    /// Measures a cell.
    CellResult run(Cell.OfHandlers cell) {
        return switch (cell) {
            case Cell.Allocated allocated -> allocated(allocated, contest.work(allocated.of()));
            case Cell.Rest rest -> rest(rest, contest.work(rest.after()));
            case Cell.Loops loops -> loops(loops, contest.work(loops.of()));
            case Cell.Latency latency -> new LatencyRun(contest.bench()).run(latency, subject);
        };
    }

    private SingleResult allocated(Cell.Allocated cell, Work work) {
        return contest.single(
                cell,
                "bytes",
                cell.gateBytes(),
                what -> {
                    Map<String, List<Double>> bytes = new LinkedHashMap<>();
                    List<Round> rounds = new ArrayList<>();
                    for (HelloPeer peer : contest.peers(HelloPeer.class)) {
                        try (RunningPeer server = peer.start(contest.stage())) {
                            bytes.put(
                                    peer.name(),
                                    contest.loads()
                                            .growth(
                                                    work,
                                                    server,
                                                    one -> Counts.of(one).allocatedBytes(),
                                                    rounds));
                        }
                    }
                    List<Double> own = bytes.getOrDefault(subject.name(), List.of());
                    String note = "all threads of the process, as counted by its JVM; ";
                    return SingleResult.of(what, own, note + others("%.0f", bytes), rounds);
                });
    }

    /// Returns the medians of the other peers as text.
    private String others(String format, Map<String, List<Double>> figures) {
        List<String> others = new ArrayList<>();
        figures.forEach((peer, values) -> {
            if (!peer.equals(subject.name())) {
                double median = Statistics.of(values).median();
                others.add(peer + " " + format.formatted(median));
            }
        });
        return String.join(", ", others);
    }

    /// Measures all peers at the same time, because the time of each is counted by its own threads.
    private SingleResult rest(Cell.Rest cell, Work after) {
        List<RunningPeer> running = new ArrayList<>();
        try {
            return contest.single(
                    cell,
                    "% of a CPU",
                    cell.gatePercent(),
                    what -> {
                        for (HelloPeer peer : contest.peers(HelloPeer.class)) {
                            running.add(peer.start(contest.stage()));
                            contest.loads().warm(after, running.getLast());
                        }
                        pause(CALM_SECONDS);
                        Map<String, List<Double>> percents = percents(running, cell.seconds());
                        return SingleResult.of(
                                what,
                                percents.getOrDefault(subject.name(), List.of()),
                                cell.seconds() + " s; " + others("%.3f", percents));
                    });
        } finally {
            running.forEach(RunningPeer::close);
        }
    }

    private Map<String, List<Double>> percents(List<RunningPeer> running, int seconds)
            throws IOException {
        List<Map<Long, Long>> before = new ArrayList<>();
        for (RunningPeer server : running) {
            before.add(contest.proc().threadCpuNanos(server.pid()));
        }
        pause(seconds);
        Map<String, List<Double>> percents = new LinkedHashMap<>();
        for (int i = 0; i < running.size(); i++) {
            Map<Long, Long> earlier = before.get(i);
            long nanos = 0;
            for (Map.Entry<Long, Long> thread :
                    contest.proc().threadCpuNanos(running.get(i).pid()).entrySet()) {
                nanos += thread.getValue() - earlier.getOrDefault(thread.getKey(), 0L);
            }
            percents.put(running.get(i).name(), List.of(100.0 * nanos / (seconds * SECOND_NANOS)));
        }
        return percents;
    }

    private SingleResult loops(Cell.Loops cell, Work work) {
        Cpus wide = contest.stage().cpus().spread();
        String unit = isParallel(wide) ? "requests/s, 2 ÷ 1" : "CPU per request, 2 ÷ 1";
        Bench bench = contest.bench().on(contest.stage().on(wide));
        return contest.single(cell, unit, Double.NaN, what -> loops(cell, work, bench, what));
    }

    private SingleResult loops(Cell.Loops cell, Work work, Bench wide, SingleResult.Measured what)
            throws IOException {
        boolean parallel = isParallel(wide.stage().cpus());
        HelloPeer two = subject.withLoops(2);
        LoadResult result;
        try (RunningPeer single = subject.start(wide.stage());
                RunningPeer pair = two.start(wide.stage())) {
            LoadRun on = parallel ? LoadRun.on(wide) : contest.loads();
            result =
                    on.run(
                            work.as(cell.name(), work.load().title(), Gate.NONE),
                            List.of(single, pair),
                            new LoadResult.Comparison(two.name(), List.of(subject.name()), null));
        }
        for (Figures figures : result.figures()) {
            if (figures.failure() != null) {
                throw new BenchFailure(figures.peer() + ": " + figures.failure());
            }
        }
        Figures one = result.figures().getFirst();
        Figures both = result.figures().getLast();
        double cpu = both.cpuMicros().median() / one.cpuMicros().median();
        double throughput = both.requestsPerSecond() / one.requestsPerSecond();
        return SingleResult.of(
                what,
                List.of(parallel ? throughput : cpu),
                note(parallel, one, both),
                result.rounds());
    }

    private static boolean isParallel(Cpus cpus) {
        return cpus.server().size() > 1 && cpus.pinned();
    }

    private static String note(boolean parallel, Figures one, Figures two) {
        String figures =
                String.format(
                        "one loop %.2f µs per request and %.0f requests/s, two %.2f and %.0f",
                        one.cpuMicros().median(),
                        one.requestsPerSecond(),
                        two.cpuMicros().median(),
                        two.requestsPerSecond());
        return parallel
                ? figures + "; server on two CPUs, client on others"
                : figures
                        + "; with fewer than four CPUs (or no taskset) the server has one CPU, and"
                        + " two loops cannot answer more than one on it, so CPU per request is"
                        + " compared";
    }

    private static void pause(int seconds) {
        long end = System.nanoTime() + seconds * SECOND_NANOS;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
