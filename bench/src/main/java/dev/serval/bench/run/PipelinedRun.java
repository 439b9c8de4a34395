package dev.serval.bench.run;

import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.PipelinedLoad;
import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.JvmWork;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Round;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.PipelinedCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Sends pipelined requests to each server, and counts what its JVM does meanwhile. All servers run
/// at the same time, so that their runs can be interleaved.
record PipelinedRun(Contest contest, PipelinedCell cell) {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final double MEBIBYTE = 1 << 20;
    private static final double MILLION = 1e6;

    /// A figure of a run.
    enum Measure {
        ELAPSED("elapsed for a million requests", "s", true),
        CPU("CPU per request", "µs", true),
        JIT("JIT compilation for a million requests", "ms", false),
        COLLECTIONS("collections for a million requests", "pauses", false),
        COLLECTING("time in collections for a million requests", "ms", false),
        ALLOCATED("allocated for a million requests", "MiB", true),
        SURVIVED("survived collections for a million requests", "MiB", false),
        OLD("growth of the old generation for a million requests", "MiB", false);

        final String title;
        final String unit;

        /// Whether a run of fewer requests has its part of the figure. The JIT compiler does not work
        /// ten times as long for ten times the requests, and collections come in whole numbers.
        final boolean grows;

        Measure(String title, String unit, boolean grows) {
            this.title = title;
            this.unit = unit;
            this.grows = grows;
        }
    }

    /// A run.
    ///
    /// @param figures those of a JVM only if the server has one
    /// @param clientShare CPU time of the client ÷ elapsed time
    private record Run(Map<Measure, Double> figures, double clientShare, boolean disturbed) {
        double figure(Measure measure) {
            return figures.getOrDefault(measure, Double.NaN);
        }
    }

    List<PeersResult> run() {
        Set<String> settled = new HashSet<>();
        List<Course<Run>> courses =
                contest.together(
                        contest.peers(cell).stream().map(this::prepared).toList(),
                        contest.settings().rounds(),
                        server -> {
                            Rounds<Run> rounds = warm(server);
                            if (rounds.settled()) {
                                settled.add(server.name());
                            }
                            return rounds::next;
                        });
        List<String> notes = new ArrayList<>();
        notes.add(
                String.format(
                        "%s; %,d requests in a run; JVMs with the parallel collector and a heap of %d MB",
                        cell.title(), requests(), cell.heapMegabytes()));
        for (Course<Run> course : courses) {
            if (course.sound()) {
                notes.add(note(course, settled.contains(course.name())));
            }
        }
        return Stream.of(Measure.values())
                .filter(measure -> measure.grows || requests() == cell.requests())
                .map(measure ->
                        result(measure, courses, measure == Measure.ELAPSED ? notes : List.of()))
                .toList();
    }

    private int requests() {
        return cell.requests(contest.settings());
    }

    /// Returns a peer whose JVM, if it has one, notes its collections.
    private Peer prepared(Peer peer) {
        return JvmPeers.isJava(peer)
                ? GcLog.peer(peer, Cell.Collector.PARALLEL, cell.heapMegabytes(), log(peer.name()))
                : peer;
    }

    private Path log(String peer) {
        return contest.stage().folder().resolve(cell.name() + "-" + peer + ".gc.log");
    }

    private Rounds<Run> warm(RunningPeer server) throws IOException {
        Path log = log(server.name());
        boolean java = Files.exists(log);
        Client.Target target =
                contest.work(cell, cell.file(), 1, Cell.ClientKind.OWN).target(server.port());
        Browser.require(target);
        Rounds<Run> rounds =
                new Rounds<>(
                        contest.settings(),
                        phase ->
                                java && phase == Round.Phase.MEASURED
                                        ? measured(server, target, log)
                                        : run(server, target, phase),
                        Run::disturbed);
        rounds.warmUp(List.of(run -> run.figure(Measure.ELAPSED)));
        return rounds;
    }

    private Run run(RunningPeer server, Client.Target target, Round.Phase phase)
            throws IOException {
        Meter.Reading before = contest.meter().read(server);
        double seconds = PipelinedLoad.send(target, requests(), PATIENCE_MILLIS) / 1e9;
        Meter.Reading after = contest.meter().read(server);
        long cpu = after.server() - before.server();
        Map<Measure, Double> figures = new EnumMap<>(Measure.class);
        figures.put(Measure.ELAPSED, seconds * MILLION / requests());
        figures.put(Measure.CPU, cpu / 1e3 / requests());
        contest.say(
                "%s  %-18s %-8s %8.2f µs/request %9.0f requests/s",
                cell.name(),
                server.name(),
                phase.word(),
                figures.get(Measure.CPU),
                requests() / seconds);
        return new Run(
                figures,
                (after.suite() - before.suite() - cpu) / 1e9 / seconds,
                contest.meter().disturbed(before, after));
    }

    /// Adds what the JVM did meanwhile.
    private Run measured(RunningPeer server, Client.Target target, Path log) throws IOException {
        JvmWork before = JvmWork.read(server.pid());
        Run run = run(server, target, Round.Phase.MEASURED);
        JvmWork after = JvmWork.read(server.pid());
        GcLog collections = GcLog.read(log);
        List<GcLog.Pause> pauses = collections.pauses(before.atMillis(), after.atMillis());
        GcLog.Moved moved = collections.moved(before.atMillis(), after.atMillis());
        double allocated = after.youngBytes() - before.youngBytes() + moved.cleared();
        Map<Measure, Double> figures = new EnumMap<>(Measure.class);
        figures.put(Measure.JIT, after.compiledMillis() - before.compiledMillis());
        figures.put(Measure.COLLECTIONS, (double) pauses.size());
        figures.put(Measure.COLLECTING, pauses.stream().mapToDouble(GcLog.Pause::millis).sum());
        figures.put(Measure.ALLOCATED, allocated / MEBIBYTE * MILLION / requests());
        figures.put(Measure.SURVIVED, moved.survived() / MEBIBYTE);
        figures.put(Measure.OLD, moved.grown() / MEBIBYTE);
        figures.putAll(run.figures());
        return new Run(figures, run.clientShare(), run.disturbed());
    }

    private static String note(Course<Run> course, boolean settled) {
        long disturbed = course.rounds().stream().filter(Run::disturbed).count();
        return "%s: the client used %.0f %% of a CPU%s%s"
                .formatted(
                        course.name(),
                        100 * course.median(Run::clientShare),
                        disturbed == 0
                                ? ""
                                : "; other programs disturbed %d runs".formatted(disturbed),
                        settled ? "" : "; it had not settled when the warm-up ended");
    }

    /// Returns the result of a measure. A peer that failed is in the first only.
    private PeersResult result(Measure measure, List<Course<Run>> courses, List<String> notes) {
        return new PeersResult(
                cell.name() + "-" + measure.name().toLowerCase(Locale.ROOT),
                measure.title,
                measure.unit,
                PeersResult.Limit.orNone(PeersResult.Kind.RATIO_TO_SMALLEST, 0, 0),
                contest.subject(),
                courses.stream()
                        .filter(course -> course.sound() || measure == Measure.ELAPSED)
                        .map(course -> course.values(run -> run.figure(measure)))
                        .filter(peer -> peer.values().stream().noneMatch(value -> value.isNaN()))
                        .toList(),
                notes,
                cell.published().stream()
                        .filter(figure -> figure.measure().equals(measure.title))
                        .toList());
    }
}
