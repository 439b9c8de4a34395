package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.HelloPeer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/// Measures the engine with a handler, apart from CPU time per request: what it allocates, what it
/// uses at rest, what a second loop brings, and (with [LatencyRun]) how application code delays
/// other requests.
final class HandlerRuns {
    private static final long SECOND_NANOS = 1_000_000_000;

    /// For a while after load, a JVM still compiles and its pools still end threads.
    private static final int CALM_SECONDS = 2;

    private final List<HelloPeer> peers;
    private final HelloPeer subject;
    private final Bench bench;
    private final LoadRun loads;
    private final Function<Stage, LoadRun> loadsOn;

    /// Makes the measurements of these peers.
    ///
    /// @param peers the present peers
    /// @param subject one of them
    /// @param loadsOn makes a LoadRun for another stage
    HandlerRuns(
            List<HelloPeer> peers,
            HelloPeer subject,
            Bench bench,
            LoadRun loads,
            Function<Stage, LoadRun> loadsOn) {
        this.peers = peers;
        this.subject = subject;
        this.bench = bench;
        this.loads = loads;
        this.loadsOn = loadsOn;
    }

    /// Measures a cell.
    ///
    /// @param work returns the work of a load cell by its name
    CellResult run(Cell.OfHandlers cell, Function<String, Work> work) {
        return switch (cell) {
            case Cell.Allocated allocated -> allocated(allocated, work.apply(allocated.of()));
            case Cell.Rest rest -> rest(rest, work.apply(rest.after()));
            case Cell.Loops loops -> loops(loops, work.apply(loops.of()));
            case Cell.Latency latency -> new LatencyRun(bench).run(latency, subject);
        };
    }

    private SingleResult allocated(Cell.Allocated cell, Work work) {
        SingleResult.Measured what =
                new SingleResult.Measured(cell.name(), cell.title(), "bytes", cell.gateBytes());
        List<Double> values = new ArrayList<>();
        List<Round> all = new ArrayList<>();
        List<String> others = new ArrayList<>();
        try {
            for (HelloPeer peer : peers) {
                List<Round> rounds = new ArrayList<>();
                List<Double> bytes = allocated(peer, work, rounds);
                all.addAll(rounds);
                if (peer.name().equals(subject.name())) {
                    values.addAll(bytes);
                } else {
                    others.add(
                            String.format(
                                    Locale.ROOT,
                                    "%s %.0f",
                                    peer.name(),
                                    Statistics.of(bytes).median()));
                }
            }
        } catch (IOException | BenchFailure e) {
            return SingleResult.failed(what, String.valueOf(e.getMessage()));
        }
        return SingleResult.of(
                what,
                values,
                "all threads of the process, as counted by its JVM; " + String.join(", ", others),
                all);
    }

    private List<Double> allocated(HelloPeer peer, Work work, List<Round> rounds)
            throws IOException {
        List<Double> bytes = new ArrayList<>();
        try (RunningPeer server = peer.start(bench.stage())) {
            loads.warm(work, server);
            for (int number = 0; number < bench.settings().rounds(); number++) {
                Counts before = Counts.of(server);
                List<Round> measured = loads.measured(work, server);
                Counts after = Counts.of(server);
                long requests = measured.stream().mapToLong(Round::requests).sum();
                bytes.add((double) (after.allocatedBytes() - before.allocatedBytes()) / requests);
                rounds.addAll(measured);
            }
        }
        return bytes;
    }

    /// Measures all peers at the same time, because the time of each is counted by its own threads.
    private SingleResult rest(Cell.Rest cell, Work after) {
        SingleResult.Measured what =
                new SingleResult.Measured(
                        cell.name(), cell.title(), "% of a CPU", cell.gatePercent());
        List<RunningPeer> running = new ArrayList<>();
        try {
            for (HelloPeer peer : peers) {
                RunningPeer server = peer.start(bench.stage());
                running.add(server);
                loads.warm(after, server);
            }
            pause(CALM_SECONDS);
            Map<String, Double> percents = percents(running, cell.seconds());
            List<String> others = new ArrayList<>();
            percents.forEach((peer, percent) -> {
                if (!peer.equals(subject.name())) {
                    others.add(String.format(Locale.ROOT, "%s %.3f", peer, percent));
                }
            });
            return SingleResult.of(
                    what,
                    List.of(percents.getOrDefault(subject.name(), Double.NaN)),
                    String.format(Locale.ROOT, "%d s; ", cell.seconds())
                            + String.join(", ", others));
        } catch (IOException | BenchFailure e) {
            return SingleResult.failed(what, String.valueOf(e.getMessage()));
        } finally {
            running.forEach(RunningPeer::close);
        }
    }

    private Map<String, Double> percents(List<RunningPeer> running, int seconds)
            throws IOException {
        List<Map<Long, Long>> before = new ArrayList<>();
        for (RunningPeer server : running) {
            before.add(bench.proc().threadCpuNanos(server.pid()));
        }
        pause(seconds);
        Map<String, Double> percents = new LinkedHashMap<>();
        for (int i = 0; i < running.size(); i++) {
            Map<Long, Long> earlier = before.get(i);
            long nanos = 0;
            for (Map.Entry<Long, Long> thread :
                    bench.proc().threadCpuNanos(running.get(i).pid()).entrySet()) {
                nanos += thread.getValue() - earlier.getOrDefault(thread.getKey(), 0L);
            }
            percents.put(running.get(i).name(), 100.0 * nanos / (seconds * SECOND_NANOS));
        }
        return percents;
    }

    private SingleResult loops(Cell.Loops cell, Work work) {
        Cpus wide = bench.stage().cpus().spread();
        boolean parallel = wide.server().size() > 1 && wide.pinned();
        Stage stage = bench.stage().on(wide);
        String unit = parallel ? "requests/s, 2 ÷ 1" : "CPU per request, 2 ÷ 1";
        SingleResult.Measured what =
                new SingleResult.Measured(cell.name(), cell.title(), unit, Double.NaN);
        HelloPeer two = subject.withLoops(2);
        List<RunningPeer> running = new ArrayList<>();
        LoadResult result;
        try {
            running.add(subject.start(stage));
            running.add(two.start(stage));
            LoadResult.Comparison comparison =
                    new LoadResult.Comparison(two.name(), List.of(subject.name()), null);
            LoadRun on = parallel ? loadsOn.apply(stage) : loads;
            result = on.run(work.as(cell.name(), Gate.NONE), running, comparison);
        } catch (IOException | BenchFailure e) {
            return SingleResult.failed(what, String.valueOf(e.getMessage()));
        } finally {
            running.forEach(RunningPeer::close);
        }
        for (Figures figures : result.figures()) {
            if (figures.failure() != null) {
                return SingleResult.failed(what, figures.peer() + ": " + figures.failure());
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

    private static String note(boolean parallel, Figures one, Figures two) {
        String figures =
                String.format(
                        Locale.ROOT,
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
