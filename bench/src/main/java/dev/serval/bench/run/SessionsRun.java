package dev.serval.bench.run;

import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.Fate;
import dev.serval.bench.load.Offer;
import dev.serval.bench.load.OpenLoad;
import dev.serval.bench.load.Script;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.FilePeer;
import dev.serval.bench.peer.JvmMemory;
import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Postgres;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Chart;
import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.SessionHeap;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.Table;
import dev.serval.bench.report.TableResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.SessionsCell;
import dev.serval.bench.scenario.SessionsCell.Store;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/// Measures the sessions of servers with one kind of store, one server after the other.
final class SessionsRun {
    private static final List<String> HEAP = List.of("-Xms32m", "-Xmx1g");
    private static final int QUICK_SHARE = 20;
    private static final int GROWING_USERS = 32;
    private static final double PIECE_SECONDS = 0.5;
    private static final int GROWTH_SECONDS_MAX = 300;
    private static final int SAMPLES = 4;

    /// Every server looks for expired sessions at least as often as every 10 s.
    static final int EXPIRY_SECONDS = 12;

    /// The timeout of the sessions that meet a restart, whose length does not matter.
    private static final int RESTART_TIMEOUT_SECONDS = 600;

    private static final int RESTART_SHARE = 10;

    /// The sessions that are asked before and after a restart.
    private static final int ASKED = 500;

    private static final String EXPIRED = "live heap after they have expired";

    private final Contest contest;
    private final Bench bench;
    private final SessionsCell cell;
    private final OpenLoad.Terms terms;
    private final List<Gap> gaps = new ArrayList<>();

    SessionsRun(Contest contest, SessionsCell cell) throws IOException {
        this.contest = contest;
        this.bench = contest.bench();
        this.cell = cell;
        this.terms = bench.terms(cell.addresses(), cell.patienceMillis(), cell.patienceMillis());
    }

    /// Returns the timeouts of a run, in a quick run only the last one.
    static List<Integer> timeouts(SessionsCell cell, Settings settings) {
        if (settings.paper()) {
            return cell.paperTimeouts();
        }
        int size = cell.timeouts().size();
        return cell.timeouts().subList(settings.isQuick() ? size - 1 : 0, size);
    }

    /// Returns up to how many sessions they grow with a timeout.
    static int count(SessionsCell cell, Settings settings, int timeout) {
        boolean first = timeout == timeouts(cell, settings).getFirst();
        int all = settings.isQuick() ? cell.sessions() / QUICK_SHARE : cell.sessions();
        return first ? all : all / SAMPLES;
    }

    List<CellResult> run() throws IOException {
        if (cell.store() != Store.DATABASE) {
            return measured("");
        }
        try (Postgres database = Postgres.start()) {
            return measured(database.address());
        }
    }

    private List<CellResult> measured(String database) throws IOException {
        List<Peer> peers = new ArrayList<>();
        for (Peer peer : contest.peers(cell)) {
            Optional<Peer> keeping = keeping(peer, database);
            keeping.ifPresent(one -> peers.add(JvmPeers.with(one, HEAP)));
            if (keeping.isEmpty()) {
                String why = "it has no store of sessions of this kind";
                gaps.add(new Gap(cell.name(), peer.name(), Gap.Kind.NOT_MEASURED, why));
            }
        }
        List<CellResult> results = new ArrayList<>();
        List<Integer> timeouts = timeouts(cell, bench.settings());
        for (boolean logout : List.of(true, false)) {
            results.add(ramp(peers, timeouts.getFirst(), logout));
        }
        List<Life> lives = new ArrayList<>();
        for (int timeout : timeouts) {
            for (Peer peer : peers) {
                bench.attempt(
                        peer.name(),
                        () -> lives.add(life(peer, timeout)),
                        why -> gaps.add(Gap.failed(cell.name(), peer.name(), why)));
            }
        }
        results.add(result(timeouts, lives));
        return results;
    }

    private TableResult result(List<Integer> timeouts, List<Life> lives) {
        List<Row> rows = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        for (int timeout : timeouts) {
            List<Life> some = lives.stream().filter(life -> life.timeout() == timeout).toList();
            rows.add(row(some, timeout, SessionHeap.MEASURE, "bytes", Life::heapBytes));
            rows.add(row(some, timeout, EXPIRED, "MB", life -> life.expired().heapMegabytes()));
            rows.add(row(some, timeout, "answer after a restart", "s", Life::answerSeconds));
            charts.add(chart(some, timeout, "live heap", Sample::heapMegabytes));
            charts.add(chart(some, timeout, "resident memory", Sample::residentMegabytes));
        }
        boolean failed =
                gaps.stream()
                        .anyMatch(gap ->
                                gap.kind() == Gap.Kind.FAILED
                                        && gap.peer().equals(contest.subject()));
        return new TableResult(
                cell.name(),
                cell.title(),
                failed ? Verdict.FAIL : Verdict.NONE,
                rows,
                charts,
                Map.of("Sessions; memory is live heap / resident in MB", table(lives)),
                List.of(),
                gaps,
                notes());
    }

    private Table table(List<Life> lives) {
        return Table.of(lives)
                .text(
                        "cell, server, timeout",
                        l -> "%s, %s, %d s".formatted(cell.name(), l.peer(), l.timeout()))
                .count("made", l -> l.grown().sessions())
                .figure("made/s", Life::perSecond, 0)
                .figure(SessionHeap.COLUMN, Life::heapBytes, 0)
                .text("before", l -> l.samples().getFirst().text())
                .text("grown", l -> l.grown().text())
                .text("expired", l -> l.expired().text())
                .figure("stop s", Life::stopSeconds, 1)
                .figure("answer after s", Life::answerSeconds, 2)
                .figure("kept %", Life::keptPercent, 0)
                .table();
    }

    private Row row(
            List<Life> lives,
            int timeout,
            String measure,
            String unit,
            ToDoubleFunction<Life> figure) {
        Map<String, Statistics> values = new LinkedHashMap<>();
        for (Life life : lives) {
            values.put(life.peer(), Statistics.of(List.of(figure.applyAsDouble(life))));
        }
        String name = cell.name() + ", timeout " + timeout + " s";
        return new Row(name, measure, unit, Row.Better.LOWER, values);
    }

    private Chart chart(
            List<Life> lives, int timeout, String what, ToDoubleFunction<Sample> figure) {
        List<Chart.Line> lines = new ArrayList<>();
        for (Life life : lives) {
            lines.add(Chart.Line.of(life.peer(), life.samples(), Sample::sessions, figure));
        }
        return new Chart(
                "%s: %s as sessions grow, timeout %d s".formatted(cell.name(), what, timeout),
                new Chart.Axis("sessions made", "", false),
                new Chart.Axis(what, "MB", false),
                lines);
    }

    private Optional<Peer> keeping(Peer peer, String database) throws IOException {
        String store = cell.store().name().toLowerCase(Locale.ROOT);
        return switch (peer) {
            case FilePeer file -> file.keeping(store, database).map(Peer.class::cast);
            case ServalPeer serval -> {
                String place =
                        switch (cell.store()) {
                            case MEMORY -> store;
                            case FILES -> "files=" + bench.stage().folder().resolve("sessions");
                            case DATABASE -> database;
                        };
                yield Optional.of(serval.named(serval.name(), List.of("--sessions", place)));
            }
            default -> Optional.empty();
        };
    }

    private CellResult ramp(List<Peer> peers, int timeout, boolean logout) throws IOException {
        return new RampRun(bench, cell.ramp(logout), script(timeout, logout))
                .run(contest.subject(), contest.entries(peers), port -> target(port, timeout));
    }

    private static Client.Target target(int port, int timeout) {
        Request request =
                new Request("/session?" + timeout, Request.Body.NONE, 0, Request.Answer.COUNT);
        return new Client.Target(port, request.page(), request);
    }

    /// Returns the paper's script: two pages with images, and a page that ends the session.
    private Script script(int timeout, boolean logout) throws IOException {
        byte[] image = Files.readAllBytes(bench.stage().site().root().resolve(cell.image()));
        Script.Burst images =
                new Script.Burst(
                        Collections.nCopies(
                                cell.images(), new Script.Ask("/" + cell.image(), image)),
                        cell.thinkSeconds());
        List<Script.Burst> bursts = new ArrayList<>();
        bursts.add(Script.Burst.of(page("?" + timeout, 1)));
        bursts.add(images);
        bursts.add(Script.Burst.of(page("", 2)));
        bursts.add(images);
        if (logout) {
            bursts.add(Script.Burst.of(page("?logout", 3)));
        }
        return new Script(bursts);
    }

    /// Returns the request for a page, which answers with its number in the session.
    private static Script.Ask page(String query, int number) {
        byte[] right = Request.counted(number).getBytes(StandardCharsets.US_ASCII);
        return new Script.Ask("/session" + query, right);
    }

    /// The memory of a server.
    ///
    /// @param sessions that were made before
    /// @param heapMegabytes live objects, after a full collection
    private record Sample(long sessions, double residentMegabytes, double heapMegabytes) {
        String text() {
            return Digits.of(heapMegabytes, 0) + " / " + Digits.of(residentMegabytes, 0);
        }
    }

    /// What sessions with one timeout did to a server.
    ///
    /// @param samples while they grow; the first one is before the first session
    /// @param perSecond sessions that were made in a second
    /// @param expired after all have expired
    /// @param answerSeconds from the start to an answer in a session of before the restart
    private record Life(
            String peer,
            int timeout,
            List<Sample> samples,
            double perSecond,
            Sample expired,
            double stopSeconds,
            double answerSeconds,
            double keptPercent) {
        Sample grown() {
            return samples.getLast();
        }

        double heapBytes() {
            return SessionHeap.bytes(
                    Chart.Line.of(peer, samples, Sample::sessions, Sample::heapMegabytes).points());
        }
    }

    private Life life(Peer peer, int timeout) throws IOException {
        int count = count(cell, bench.settings(), timeout);
        List<Sample> samples = new ArrayList<>();
        List<String> cookies;
        double perSecond;
        Sample expired;
        long stopping;
        try (RunningPeer server = contest.start(peer)) {
            samples.add(sample(server, 0));
            perSecond = grow(server, timeout, count, samples);
            LockSupport.parkNanos((timeout + EXPIRY_SECONDS) * 1_000_000_000L);
            expired = sample(server, samples.getLast().sessions());
            grow(server, RESTART_TIMEOUT_SECONDS, count / RESTART_SHARE, new ArrayList<>());
            Client.Target target = target(server.port(), RESTART_TIMEOUT_SECONDS);
            cookies = Browser.sessions(target, ASKED);
            int kept = Browser.counting(target, cookies, 2);
            if (kept < ASKED) {
                throw new BenchFailure(ASKED - kept + " sessions were lost before the restart");
            }
            stopping = System.nanoTime();
        }
        long start = System.nanoTime();
        try (RunningPeer server = contest.start(peer)) {
            Client.Target target = target(server.port(), RESTART_TIMEOUT_SECONDS);
            int kept = Browser.counting(target, cookies.subList(0, 1), 3);
            long answered = System.nanoTime();
            kept += Browser.counting(target, cookies.subList(1, ASKED), 3);
            return new Life(
                    peer.name(),
                    timeout,
                    samples,
                    perSecond,
                    expired,
                    (start - stopping) / 1e9,
                    (answered - start) / 1e9,
                    100.0 * kept / ASKED);
        }
    }

    /// Makes sessions with two requests each, so that their ids have come back, and returns how many
    /// it made in a second.
    private double grow(RunningPeer server, int timeout, int count, List<Sample> samples)
            throws IOException {
        Script two =
                new Script(
                        List.of(
                                Script.Burst.of(page("?" + timeout, 1)),
                                Script.Burst.of(page("", 2))));
        long made = 0;
        double seconds = 0;
        try (OpenLoad load = OpenLoad.of(two, target(server.port(), timeout), terms)) {
            while (made < count && seconds < GROWTH_SECONDS_MAX) {
                long right = load.run(Offer.closed(GROWING_USERS, PIECE_SECONDS)).count(Fate.RIGHT);
                BenchFailure.require(right > 0, "made no more than " + made + " sessions");
                made += right;
                seconds += PIECE_SECONDS;
                if (made * SAMPLES >= (long) count * samples.size()) {
                    samples.add(sample(server, made));
                }
            }
        }
        return made / seconds;
    }

    private Sample sample(RunningPeer server, long sessions) throws IOException {
        double resident = bench.proc().statusBytes(server.pid(), "VmRSS") / 1e6;
        double heap = JvmMemory.heapBytes(server.pid()) / 1e6;
        bench.say(
                "%s  %-8s %d sessions made: %.0f MB resident, %.0f MB of live objects",
                cell.name(), server.name(), sessions, resident, heap);
        return new Sample(sessions, resident, heap);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(
                "a session of the ramps is two pages with %d images at once and %.1f s of thinking"
                                .formatted(cell.images(), cell.thinkSeconds())
                        + " after each, or one more page for the logout; it is right if all its answers"
                        + " are, and its latency is the time that its client waits");
        notes.add(
                "timeouts in s: %s; the paper's: %s; in the table, a session has two requests"
                        .formatted(timeouts(cell, bench.settings()), cell.paperTimeouts()));
        notes.add(
                "\"expired\" is %d s after the timeout; \"kept\" is of %d other sessions; the heap"
                                .formatted(EXPIRY_SECONDS, ASKED)
                        + " may grow to 1 GB");
        if (cell.store() == Store.DATABASE) {
            notes.add("PostgreSQL runs on the client's CPUs, without fsync");
        }
        return notes.stream().map(note -> cell.name() + ": " + note).toList();
    }
}
