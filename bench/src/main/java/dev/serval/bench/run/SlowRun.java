package dev.serval.bench.run;

import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.IdealQueue;
import dev.serval.bench.load.Joined;
import dev.serval.bench.load.PacedLoad;
import dev.serval.bench.load.ThinkLoad;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Measures a slow application under users who think between their requests, and small files
/// beside it. All peers run at the same time, each round loads one of them, and the rounds are
/// interleaved.
///
/// The ideal queue has the instants at which the requests of the round were sent, and the CPU time
/// that the code of the application took on the server's CPU right before the round.
record SlowRun(Contest contest) {
    private static final String PATH = "/slow";
    private static final long SLEEP_NANOS = 100_000_000;
    private static final long SEED = 20_261_122;
    private static final int FILES_PER_SECOND = 100;
    private static final int FILE_CONNECTIONS = 10;
    private static final int FILE_SECONDS = 5;
    private static final int WARM_UP_USERS = 4;
    private static final double WARM_UP_THINK_SECONDS = 0.05;
    private static final long WARM_UP_NANOS = 4_000_000_000L;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /// The part of a round at its begin that fills the queue and is not measured.
    private static final double IGNORED_SHARE = 0.1;

    /// The figures of a round. Latencies are in milliseconds.
    ///
    /// @param ideal the 99th percentile of the queue in which requests run one after another
    /// @param shared the same if they share the CPU
    /// @param alone the file's 99th percentile without the load
    /// @param beside the same beside the load
    private record Measured(
            double rate,
            double p50,
            double p99,
            double ideal,
            double shared,
            double alone,
            double beside,
            double cpuMillis,
            boolean disturbed) {}

    private static String note(Course<Measured> course) {
        long disturbed = course.rounds().stream().filter(Measured::disturbed).count();
        return String.format(
                "%s: p50 %.0f ms, p99 %.0f ms (ideal %.0f, sharing %.0f), file %.2f ms alone and"
                        + " %.2f ms beside, %.2f ms of CPU per request%s",
                course.name(),
                course.median(Measured::p50),
                course.median(Measured::p99),
                course.median(Measured::ideal),
                course.median(Measured::shared),
                course.median(Measured::alone),
                course.median(Measured::beside),
                course.median(Measured::cpuMillis),
                disturbed == 0 ? "" : ", disturbed rounds: " + disturbed);
    }

    /// Returns the number of rounds: fewer in a short run, because theirs keep their length.
    static int rounds(Cell.Slow cell, Settings settings) {
        int rounds = settings.rounds() * settings.seconds() / Settings.FULL.seconds();
        return Math.clamp(rounds, 1, cell.roundsMax());
    }

    List<PeersResult> run(Cell.Slow cell, List<Peer> peers) throws IOException {
        long steps = BurnTime.steps(cell.cpuMillis() * 1_000_000L, contest.stage().cpus());
        Request request =
                new Request(PATH + "?" + steps, Request.Body.NONE, 0, Request.Answer.PIECES);
        Site.Page file = contest.stage().site().page(cell.file());
        List<Course<Measured>> courses =
                contest.together(
                        peers,
                        rounds(cell, contest.settings()),
                        server -> {
                            Client.Target slow =
                                    new Client.Target(server.port(), request.page(), request);
                            Client.Target small = new Client.Target(server.port(), file);
                            warm(slow, small);
                            return () -> round(cell, server, steps, slow, small);
                        });
        return results(cell, courses);
    }

    private static void warm(Client.Target slow, Client.Target small) throws IOException {
        Browser.require(slow);
        try (ThinkLoad load = ThinkLoad.open(slow, small, WARM_UP_USERS, SEED)) {
            load.run(WARM_UP_THINK_SECONDS, WARM_UP_NANOS, PATIENCE_NANOS);
        }
    }

    private Measured round(
            Cell.Slow cell, RunningPeer server, long steps, Client.Target slow, Client.Target small)
            throws IOException {
        long demand = BurnTime.nanos(steps, contest.stage().cpus());
        try (PacedLoad files = PacedLoad.open(small, FILE_CONNECTIONS);
                ThinkLoad users = ThinkLoad.open(slow, small, cell.users(), SEED)) {
            PacedLoad.Outcome alone = files.run(FILES_PER_SECOND, FILE_SECONDS);
            Measured measured = loaded(cell, server, demand, new Loads(users, files, p99(alone)));
            Course<Measured> one = new Course<>(server.name());
            one.rounds().add(measured);
            contest.say("%s  %s", cell.name(), note(one));
            return measured;
        }
    }

    /// The loads of a round.
    ///
    /// @param alone the file's 99th percentile without the load, in milliseconds
    private record Loads(ThinkLoad users, PacedLoad files, double alone) {}

    private Measured loaded(Cell.Slow cell, RunningPeer server, long demand, Loads loads)
            throws IOException {
        Meter meter = contest.meter();
        long nanos = cell.seconds() * 1_000_000_000L;
        Meter.Reading before = meter.read(server);
        ThinkLoad.Outcome users;
        PacedLoad.Outcome beside;
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<PacedLoad.Outcome> files =
                    thread.submit(() -> loads.files().run(FILES_PER_SECOND, cell.seconds()));
            users = loads.users().run(cell.thinkSeconds(), nanos, PATIENCE_NANOS);
            beside = Joined.result(files, "a request for a file failed");
        }
        Meter.Reading after = meter.read(server);
        if (users.unanswered() > 0 || beside.unanswered() > 0) {
            throw new BenchFailure(
                    users.unanswered()
                            + " slow requests and "
                            + beside.unanswered()
                            + " files were not answered within 30 to 60 s");
        }
        long from = Math.round(nanos * IGNORED_SHARE);
        IdealQueue queue = new IdealQueue(demand, SLEEP_NANOS);
        long[] sent = users.sentNanos();
        return new Measured(
                (users.answeredBy(nanos) - users.answeredBy(from)) / ((nanos - from) / 1e9),
                percentile(50, from, sent, users.latencyNanos()),
                percentile(99, from, sent, users.latencyNanos()),
                percentile(99, from, sent, queue.oneAfterAnother(sent)),
                percentile(99, from, sent, queue.shared(sent)),
                loads.alone(),
                p99(beside),
                (after.server() - before.server()) / 1e6 / sent.length,
                meter.disturbed(before, after));
    }

    private static double p99(PacedLoad.Outcome outcome) {
        return outcome.micros().getValueAtPercentile(99) / 1e3;
    }

    /// Returns a percentile in milliseconds of the requests that were sent after an instant.
    static double percentile(int percent, long from, long[] sent, long[] latencies) {
        long[] counted = new long[sent.length];
        int count = 0;
        for (int i = 0; i < sent.length; i++) {
            if (sent[i] >= from) {
                counted[count++] = latencies[i];
            }
        }
        BenchFailure.require(count > 0, "no slow request was sent");
        Arrays.sort(counted, 0, count);
        return counted[Math.ceilDiv(percent * count, 100) - 1] / 1e6;
    }

    private List<PeersResult> results(Cell.Slow cell, List<Course<Measured>> courses) {
        List<String> notes = courses.stream().filter(Course::sound).map(SlowRun::note).toList();
        return List.of(
                Course.result(
                        new Course.Figure(cell, "-rate", ": requests per second", "requests/s"),
                        PeersResult.Limit.toGreatest(cell.gateRate()),
                        contest.subject(),
                        courses,
                        Measured::rate,
                        notes),
                Course.result(
                        new Course.Figure(cell, "-p99", ": p99 ÷ that of the ideal queue", "ratio"),
                        PeersResult.Limit.of(cell.gateP99()),
                        contest.subject(),
                        courses,
                        round -> round.p99() / round.ideal(),
                        List.of()),
                Course.result(
                        new Course.Figure(
                                cell, "-file", ": p99 of a file beside it ÷ without it", "ratio"),
                        PeersResult.Limit.of(cell.gateFile()),
                        contest.subject(),
                        courses,
                        round -> round.beside() / round.alone(),
                        List.of()));
    }
}
