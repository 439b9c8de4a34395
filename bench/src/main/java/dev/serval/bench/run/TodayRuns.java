package dev.serval.bench.run;

import dev.serval.bench.load.Client;
import dev.serval.bench.load.Fates;
import dev.serval.bench.load.IdleConnections;
import dev.serval.bench.load.Offer;
import dev.serval.bench.load.OpenLoad;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JvmMemory;
import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Postgres;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.TailResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.scenario.TodayCell;
import dev.serval.bench.war.Item;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Measures the cells of scenario `today`: servlets with what they need, what idle connections cost,
/// and the distribution of latencies.
record TodayRuns(Contest contest) {
    /// Some servers need more than the heap of other cells for 10,000 connections.
    private static final List<String> LARGE_HEAP = List.of("-Xmx1g");

    private static final List<String> TRACKED =
            List.of("-Xmx1g", "-XX:NativeMemoryTracking=summary");

    /// Connections that let a server load its classes before its memory is read.
    private static final int FIRST = 100;

    /// Idle connections cannot make requests cheaper; less than this is neither scatter nor warm-up.
    private static final double PLAUSIBLE_MIN = 0.1;

    /// Descriptors that are needed beside those of the connections.
    private static final int RESERVE = 1000;

    private static final OpenLoad.Terms TERMS =
            new OpenLoad.Terms(16, 5_000_000_000L, 5_000_000_000L, 10_000);

    private static final int TAIL_SECONDS_MAX = 60;

    /// The share of the generator's ceiling at which its own pauses are not yet the latency.
    private static final double CEILING_SHARE_MAX = 0.25;

    /// The percentiles of curves.
    private static final List<Double> CURVE =
            List.of(
                    0.0, 25.0, 50.0, 75.0, 90.0, 95.0, 97.5, 99.0, 99.5, 99.75, 99.9, 99.95, 99.975,
                    99.99, 99.995, 99.999);

    /// Measures a cell.
    List<? extends CellResult> run(TodayCell cell) throws IOException {
        return switch (cell) {
            case TodayCell.Servlet servlet -> List.of(servlet(servlet));
            case TodayCell.Crowd crowd -> crowd(crowd);
            case TodayCell.Tail tail -> List.of(tail(tail));
        };
    }

    /// Measures a servlet, with the database that it needs. The database is on the client's
    /// CPU, as everything that the suite does not move.
    private CellResult servlet(TodayCell.Servlet cell) throws IOException {
        Cell.Load load =
                cell.plain(cell.request(), cell.connections(), Cell.ClientKind.WRK, cell.gate());
        if (!cell.database()) {
            return contest.compared(contest.peers(cell), load);
        }
        try (Postgres database = Postgres.start()) {
            try (Connection connection = DriverManager.getConnection(database.address())) {
                connection.createStatement().execute(Item.TABLE);
            }
            List<String> option = List.of("-D" + Item.DATABASE + "=" + database.address());
            return contest.compared(
                    contest.peers(cell).stream()
                            .filter(JvmPeers::isJava)
                            .map(peer -> JvmPeers.with(peer, option))
                            .toList(),
                    load);
        } catch (SQLException e) {
            throw new IOException("the database: " + e.getMessage(), e);
        }
    }

    /// The rounds of a server without idle connections and with them.
    private record Beside(List<Round> without, List<Round> with) {}

    private List<CellResult> crowd(TodayCell.Crowd cell) throws IOException {
        Work work = contest.work(cell, cell.file(), cell.busy(), Cell.ClientKind.WRK);
        int descriptors = contest.proc().descriptorsMax();
        int count = possible(cell.idle(), descriptors);
        List<Course<Beside>> courses = new ArrayList<>();
        List<Course<Double>> memories = new ArrayList<>();
        List<Figures> figures = new ArrayList<>();
        List<Round> rounds = new ArrayList<>();
        for (Peer peer : contest.peers(cell)) {
            Course<Double> memory = new Course<>(peer.name());
            memories.add(memory);
            memory.attempt(
                    contest.bench().progress(),
                    () -> memory.rounds().add(bytes(peer, work, count)));
            Course<Beside> course = new Course<>(peer.name());
            courses.add(course);
            course.attempt(
                    contest.bench().progress(),
                    () -> course.rounds().add(sound(peer, beside(peer, work, count))));
            course.rounds().forEach(beside -> rounds.addAll(beside.with()));
            figures.add(
                    course.sound()
                            ? figures(peer.name(), course.rounds().getFirst().with())
                            : Figures.failed(peer.name(), course.failure()));
        }
        List<String> notes = List.of(note(cell.idle(), descriptors));
        return List.of(
                LoadResult.of(
                        cell.name(),
                        cell.title(),
                        Gate.NONE,
                        contest.comparison(work.load()),
                        figures,
                        rounds),
                Course.result(
                        new Course.Figure(
                                cell, "-cpu", ": CPU per request with ÷ without", "ratio"),
                        PeersResult.Limit.of(cell.gateRatio()),
                        contest.subject(),
                        courses,
                        this::ratio,
                        notes),
                Course.result(
                        new Course.Figure(cell, "-memory", ": memory of an idle one", "bytes"),
                        PeersResult.Limit.of(cell.gateBytes()),
                        contest.subject(),
                        memories,
                        bytes -> bytes,
                        notes));
    }

    private Figures figures(String peer, List<Round> rounds) {
        return Figures.of(peer, rounds, contest.settings().rounds(), true);
    }

    private Beside sound(Peer peer, Beside beside) {
        requireSound(figures(peer.name(), beside.without()));
        requireSound(figures(peer.name(), beside.with()));
        requireIdle(cpuMicros(beside.without()), cpuMicros(beside.with()));
        return beside;
    }

    /// @throws BenchFailure if the server worked on something else in the rounds without idle
    ///     connections, as on those of the round before, so that the ratio says nothing
    static void requireIdle(double withoutMicros, double withMicros) {
        BenchFailure.require(
                withMicros >= PLAUSIBLE_MIN * withoutMicros,
                "%.1f µs of CPU per request without idle connections, but %.1f µs with them"
                        .formatted(withoutMicros, withMicros));
    }

    /// @throws BenchFailure if the rounds had errors, so that their CPU time says nothing
    static void requireSound(Figures figures) {
        @Nullable String failure = figures.failure();
        if (failure != null) {
            throw new BenchFailure(failure);
        }
    }

    private double ratio(Beside beside) {
        return cpuMicros(beside.with()) / cpuMicros(beside.without());
    }

    private double cpuMicros(List<Round> rounds) {
        return figures("", rounds).cpuMicros().median();
    }

    /// Returns how many idle connections are possible. Client and server each have their own
    /// descriptors, with the same limit.
    private static int possible(int wanted, int descriptors) {
        return Math.min(wanted, descriptors - RESERVE);
    }

    /// Returns what a report says about the number of idle connections.
    static String note(int wanted, int descriptors) {
        int count = possible(wanted, descriptors);
        return count
                + " idle connections"
                + (count == wanted
                        ? ""
                        : ", because a process may open only %d descriptors: ulimit -n %d"
                                .formatted(descriptors, wanted + RESERVE));
    }

    /// Measures a server, in rounds without and with idle connections in turn.
    private Beside beside(Peer peer, Work work, int count) throws IOException {
        List<Round> without = new ArrayList<>();
        List<Round> with = new ArrayList<>();
        try (RunningPeer server = contest.start(with(peer, LARGE_HEAP))) {
            Client.Target target = work.target(server.port());
            // Once before the rounds, so that the server's pools have grown in both cases.
            IdleConnections.open(target, count).close();
            contest.loads().warm(work, server);
            for (int number = 0; number < contest.settings().rounds(); number++) {
                without.addAll(contest.loads().measured(work, server));
                try (IdleConnections idle = IdleConnections.open(target, count)) {
                    with.addAll(contest.loads().measured(work, server));
                    idle.requireAll();
                }
            }
        }
        return new Beside(without, with);
    }

    private static Peer with(Peer peer, List<String> options) {
        return JvmPeers.isJava(peer) ? JvmPeers.with(peer, options) : peer;
    }

    /// Returns what the memory of a new server grows by, for each of some connections. It is another
    /// process than that of the rounds, since tracking native memory costs CPU time.
    private double bytes(Peer peer, Work work, int count) throws IOException {
        try (RunningPeer server = contest.start(with(peer, TRACKED))) {
            Client.Target target = work.target(server.port());
            IdleConnections.open(target, FIRST).close();
            long before = memory(peer, server);
            try (IdleConnections idle = IdleConnections.open(target, count)) {
                double bytes = (double) (memory(peer, server) - before) / count;
                idle.requireAll();
                contest.say("%s  %-16s %.0f bytes", work.load().name(), peer.name(), bytes);
                return bytes;
            }
        }
    }

    /// Returns the memory of a server: live heap and direct memory in Java, and otherwise what no file
    /// has.
    private long memory(Peer peer, RunningPeer server) throws IOException {
        return JvmPeers.isJava(peer)
                ? JvmMemory.of(server.pid()).bytes()
                : contest.proc().treeBytes(server.pid(), "RssAnon");
    }

    /// Returns the length of the loads of a tail together.
    static double seconds(Settings settings) {
        return Math.min(TAIL_SECONDS_MAX, settings.rounds() * settings.seconds());
    }

    private TailResult tail(TodayCell.Tail cell) throws IOException {
        Work work = contest.work(cell, cell.file(), cell.users(), Cell.ClientKind.WRK);
        double ceiling = Ceiling.of(contest.bench(), target -> OpenLoad.keeping(target, TERMS));
        List<TailResult.Server> servers =
                contest.inTurn(
                        contest.peers(cell),
                        server -> {
                            contest.loads().warm(work, server);
                            return tail(cell, server, work.target(server.port()), ceiling);
                        },
                        TailResult.Server::failed);
        return new TailResult(
                cell.name(),
                cell.title(),
                contest.subject(),
                servers,
                List.of(
                        "offered is %.2f of the server's own capacity, which %d users who wait find, but at most %.2f of the generator's ceiling"
                                .formatted(cell.share(), cell.users(), CEILING_SHARE_MAX),
                        "%.0f s in %d rounds; the generator was at its end with servers marked g"
                                .formatted(
                                        seconds(contest.settings()), contest.settings().rounds()),
                        Ceiling.note(ceiling)));
    }

    /// Returns the requests per second at which a server's latency is measured.
    static double offered(double share, double capacity, double ceiling) {
        return Math.min(share * capacity, CEILING_SHARE_MAX * ceiling);
    }

    private TailResult.Server tail(
            TodayCell.Tail cell, RunningPeer server, Client.Target target, double ceiling)
            throws IOException {
        int rounds = contest.settings().rounds();
        Offer users = Offer.closed(cell.users(), contest.settings().seconds());
        try (OpenLoad load = OpenLoad.keeping(target, TERMS)) {
            double capacity = load.run(List.of(users, users)).getLast().rightPerSecond();
            BenchFailure.require(capacity > 0, "no right answer to " + cell.users() + " users");
            double offered = offered(cell.share(), capacity, ceiling);
            Offer offer = Offer.open(offered, seconds(contest.settings()) / rounds);
            load.run(List.of(offer)); // not counted: both sides compile code for such a load
            Meter.Reading before = contest.meter().read(server);
            List<Fates> all = load.run(Collections.nCopies(rounds, offer));
            Meter.Reading after = contest.meter().read(server);
            double cpuNanos = after.server() - before.server();
            long nanos = (after.nanos() - before.nanos()) * contest.stage().cpus().server().size();
            TailResult.Server result =
                    new TailResult.Server(
                            server.name(),
                            capacity,
                            offered,
                            all.stream().mapToLong(Fates::failed).sum(),
                            latencies(all.stream().map(Fates::rightMicros).toList()),
                            cpuNanos / 1e3 / all.stream().mapToLong(Fates::all).sum(),
                            cpuNanos / nanos,
                            all.stream().anyMatch(Fates::isOfTheGenerator),
                            contest.meter().disturbed(before, after),
                            null);
            contest.say(
                    "%s  %-16s %.0f requests/s, p50 %.2f ms, p99.9 %.2f ms",
                    cell.name(),
                    server.name(),
                    offered,
                    result.at(50).median(),
                    result.at(99.9).median());
            return result;
        }
    }

    /// Returns the latencies of all rounds at the percentiles beyond which there is at least one, with
    /// the extremes of the rounds with a right answer.
    static List<TailResult.Latency> latencies(List<Histogram> rounds) {
        Histogram sum = rounds.getFirst().copy();
        rounds.stream().skip(1).forEach(sum::add);
        List<TailResult.Latency> latencies = new ArrayList<>();
        for (double percentile : CURVE) {
            if (sum.getTotalCount() * (1 - percentile / 100) >= 1 - 1e-9) {
                Statistics each =
                        Statistics.of(
                                rounds.stream()
                                        .filter(one -> one.getTotalCount() > 0)
                                        .map(one -> millis(one, percentile))
                                        .toList());
                double all = millis(sum, percentile);
                latencies.add(
                        new TailResult.Latency(
                                percentile, new Statistics(all, each.min(), each.max())));
            }
        }
        return latencies;
    }

    private static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }
}
