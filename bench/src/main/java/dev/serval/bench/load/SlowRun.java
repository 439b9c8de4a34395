package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.servlet.Request;
import dev.serval.bench.slow.BurnTime;
import dev.serval.bench.slow.IdealQueue;
import dev.serval.bench.slow.ThinkLoad;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/// Measures a slow application under users who think between their requests, and small files
/// beside it. All peers run at the same time, each round loads one of them, and the rounds are
/// interleaved.
///
/// The ideal queue has the instants at which the requests of the round were sent, and the CPU time
/// that the code of the application took on the server's CPU right before the round.
final class SlowRun {
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

    private final Bench bench;
    private final String subject;

    SlowRun(Bench bench, String subject) {
        this.bench = bench;
        this.subject = subject;
    }

    /// The figures of a round. Latencies are in milliseconds.
    ///
    /// @param rate answered requests per second
    /// @param ideal the 99th percentile of the queue in which requests run one after another
    /// @param shared the same if they share the CPU
    /// @param alone the file's 99th percentile without the load
    /// @param beside the same beside the load
    /// @param cpuMillis CPU time of the server per request
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

    /// The rounds of one peer so far.
    private static final class Course {
        private final Peer peer;
        private final List<Measured> rounds = new ArrayList<>();
        private Optional<RunningPeer> server = Optional.empty();
        private String failure = "";

        Course(Peer peer) {
            this.peer = peer;
        }

        PeersResult.PeerValues values(ToDoubleFunction<Measured> figure) {
            return failure.isEmpty()
                    ? new PeersResult.PeerValues(peer.name(), each(figure), null)
                    : new PeersResult.PeerValues(peer.name(), List.of(), failure);
        }

        private List<Double> each(ToDoubleFunction<Measured> figure) {
            return rounds.stream().map(figure::applyAsDouble).toList();
        }

        private double median(ToDoubleFunction<Measured> figure) {
            return Statistics.of(each(figure)).median();
        }

        String note() {
            long disturbed = rounds.stream().filter(Measured::disturbed).count();
            return String.format(
                    Locale.ROOT,
                    "%s: p50 %.0f ms, p99 %.0f ms (ideal %.0f, sharing %.0f), file %.2f ms alone and"
                            + " %.2f ms beside, %.2f ms of CPU per request%s",
                    peer.name(),
                    median(Measured::p50),
                    median(Measured::p99),
                    median(Measured::ideal),
                    median(Measured::shared),
                    median(Measured::alone),
                    median(Measured::beside),
                    median(Measured::cpuMillis),
                    disturbed == 0 ? "" : ", disturbed rounds: " + disturbed);
        }
    }

    List<PeersResult> run(Cell.Slow cell, List<Peer> peers) throws IOException {
        Cpus cpus = bench.stage().cpus();
        long steps = BurnTime.steps(cell.cpuMillis() * 1_000_000L, cpus);
        List<Course> courses = peers.stream().map(Course::new).toList();
        Site.Page file = bench.stage().site().page(cell.file());
        try {
            for (Course course : courses) {
                guarded(course, () -> startAndWarm(course, steps, file));
            }
            int rounds = Math.min(bench.settings().rounds(), cell.roundsMax());
            for (int number = 0; number < rounds; number++) {
                for (int i = 0; i < courses.size(); i++) {
                    Course course = courses.get((i + number) % courses.size());
                    guarded(course, () -> round(cell, course, steps));
                }
            }
        } finally {
            courses.forEach(course -> course.server.ifPresent(RunningPeer::close));
        }
        return results(cell, courses);
    }

    /// A step for one peer.
    private interface Step {
        void take() throws IOException;
    }

    /// Takes the step unless the peer has failed. A failing peer leaves the cell.
    private void guarded(Course course, Step step) {
        if (!course.failure.isEmpty()) {
            return;
        }
        try {
            step.take();
        } catch (IOException | BenchFailure e) {
            course.failure = String.valueOf(e.getMessage());
            bench.progress().printf("%s failed: %s%n", course.peer.name(), course.failure);
        }
    }

    private void startAndWarm(Course course, long steps, Site.Page file) throws IOException {
        RunningPeer server = course.peer.start(bench.stage());
        course.server = Optional.of(server);
        Request request =
                new Request(PATH + "?" + steps, Request.Body.NONE, 0, Request.Answer.PIECES);
        Optional<String> fault =
                AnswerCheck.fault(new Client.Target(server.port(), request.page(), request));
        if (fault.isPresent()) {
            throw new BenchFailure(fault.get());
        }
        try (ThinkLoad load = ThinkLoad.open(page(server, steps, file), WARM_UP_USERS, SEED)) {
            load.run(WARM_UP_THINK_SECONDS, WARM_UP_NANOS, PATIENCE_NANOS);
        }
    }

    private static ThinkLoad.Page page(RunningPeer server, long steps, Site.Page file) {
        Request request =
                new Request(PATH + "?" + steps, Request.Body.NONE, 0, Request.Answer.PIECES);
        return new ThinkLoad.Page(
                server.port(),
                request.path(),
                request.expected().length,
                file.path(),
                file.length());
    }

    private void round(Cell.Slow cell, Course course, long steps) throws IOException {
        RunningPeer server = course.server.orElseThrow();
        long demand = BurnTime.nanos(steps, bench.stage().cpus());
        Site.Page file = bench.stage().site().page(cell.file());
        try (PacedLoad files =
                        PacedLoad.open(new Client.Target(server.port(), file), FILE_CONNECTIONS);
                ThinkLoad users = ThinkLoad.open(page(server, steps, file), cell.users(), SEED)) {
            PacedLoad.Outcome alone = files.run(FILES_PER_SECOND, FILE_SECONDS);
            Measured measured = loaded(cell, server, demand, new Loads(users, files, p99(alone)));
            course.rounds.add(measured);
            bench.progress().printf("%s  %s%n", cell.name(), course.note());
        }
    }

    /// The loads of a round.
    ///
    /// @param alone the file's 99th percentile without the load, in milliseconds
    private record Loads(ThinkLoad users, PacedLoad files, double alone) {}

    private Measured loaded(Cell.Slow cell, RunningPeer server, long demand, Loads loads)
            throws IOException {
        Meter meter = new Meter(bench.proc(), bench.stage().cpus(), bench.settings());
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
        if (count == 0) {
            throw new BenchFailure("no slow request was sent");
        }
        Arrays.sort(counted, 0, count);
        return counted[Math.ceilDiv(percent * count, 100) - 1] / 1e6;
    }

    private List<PeersResult> results(Cell.Slow cell, List<Course> courses) {
        List<String> notes =
                courses.stream()
                        .filter(course -> course.failure.isEmpty())
                        .map(Course::note)
                        .toList();
        return List.of(
                result(
                        cell,
                        new What("-rate", "requests per second", "requests/s"),
                        PeersResult.Limit.orNone(
                                PeersResult.Kind.RATIO_TO_GREATEST, cell.gateRate(), 0),
                        courses.stream().map(c -> c.values(Measured::rate)).toList(),
                        notes),
                result(
                        cell,
                        new What("-p99", "p99 ÷ that of the ideal queue", "ratio"),
                        value(cell.gateP99()),
                        courses.stream().map(c -> c.values(m -> m.p99() / m.ideal())).toList(),
                        List.of()),
                result(
                        cell,
                        new What("-file", "p99 of a file beside it ÷ without it", "ratio"),
                        value(cell.gateFile()),
                        courses.stream().map(c -> c.values(m -> m.beside() / m.alone())).toList(),
                        List.of()));
    }

    /// A figure of the cell.
    private record What(String suffix, String title, String unit) {}

    private static PeersResult.Limit value(double gate) {
        return PeersResult.Limit.orNone(PeersResult.Kind.VALUE, gate, 0);
    }

    private PeersResult result(
            Cell.Slow cell,
            What what,
            PeersResult.Limit limit,
            List<PeersResult.PeerValues> values,
            List<String> notes) {
        return new PeersResult(
                cell.name() + what.suffix(),
                cell.title() + ": " + what.title(),
                what.unit(),
                limit,
                subject,
                values,
                notes);
    }
}
