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
import dev.serval.bench.report.AbsentResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.TailResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.scenario.TodayCell;
import dev.serval.bench.war.Item;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/// Measures the cells of scenario `today`: servlets with what they need, what idle connections cost,
/// and the distribution of latencies.
final class TodayRuns {
    /// The initial heap of the launcher. A server with the fixed heap of other cells would hide what
    /// connections need.
    private static final List<String> SMALL_HEAP = List.of("-Xms32m");

    /// Descriptors that are needed beside those of the connections.
    private static final int RESERVE = 1000;

    private static final Figure MEMORY =
            new Figure(
                    "memory", "memory of an idle one", "bytes", beside -> List.of(beside.bytes()));

    private static final List<Figure> FIGURES =
            List.of(
                    new Figure(
                            "cpu",
                            "CPU per request",
                            "µs",
                            beside -> beside.each(Round::cpuMicrosPerRequest)),
                    new Figure("ratio", "CPU with ÷ without them", "ratio", Beside::ratios),
                    new Figure(
                            "p99",
                            "p99",
                            "ms",
                            beside -> beside.each(round -> round.p99Micros() / 1e3)),
                    MEMORY);

    private final Contest contest;
    private final Bench bench;

    TodayRuns(Contest contest) {
        this.contest = contest;
        this.bench = contest.bench();
    }

    /// Measures a cell.
    List<? extends CellResult> run(TodayCell cell) throws IOException {
        return switch (cell) {
            case TodayCell.Servlet servlet -> List.of(servlet(servlet));
            case TodayCell.Crowd crowd -> crowd(crowd);
            case TodayCell.Tail tail -> List.of(tail(tail));
        };
    }

    private static Cell.Load load(Cell cell, String file, int connections, Gate gate) {
        return Cell.Load.plain(
                cell.name(), cell.title(), file, connections, Cell.ClientKind.WRK, gate);
    }

    /// Measures a servlet, if there is the database that it needs.
    private CellResult servlet(TodayCell.Servlet cell) throws IOException {
        Cell.Load load = load(cell, cell.request(), cell.connections(), cell.gate());
        if (!cell.database()) {
            return contest.compared(contest.peers(cell), load);
        }
        if (Postgres.programs(Postgres.INSTALLED).isEmpty()) {
            return absent(cell);
        }
        try (Postgres database = Postgres.start(bench.stage(), Item.TABLE)) {
            bench.progress().printf("%s  %s%n", cell.name(), database.version());
            List<String> option = List.of("-D" + Item.DATABASE + "=" + database.address());
            List<Peer> peers =
                    contest.peers(cell).stream()
                            .filter(JvmPeers::isJava)
                            .map(peer -> JvmPeers.with(peer, option))
                            .toList();
            return contest.compared(peers, load);
        }
    }

    static AbsentResult absent(TodayCell.Servlet cell) {
        return new AbsentResult(cell.name(), cell.title(), Gap.Kind.NOT_MEASURED, Postgres.NEEDED);
    }

    /// The figures of a server beside idle connections.
    ///
    /// @param bytes of memory for an idle connection
    /// @param heapBytes the part of them that is live heap, or NaN if the server has no JVM
    private record Beside(List<Round> without, List<Round> with, double bytes, double heapBytes) {
        List<Double> each(ToDoubleFunction<Round> figure) {
            return with.stream().map(figure::applyAsDouble).toList();
        }

        List<Double> ratios() {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < with.size(); i++) {
                ratios.add(
                        with.get(i).cpuMicrosPerRequest() / without.get(i).cpuMicrosPerRequest());
            }
            return ratios;
        }
    }

    /// A figure of a server beside idle connections, for a result of its own.
    private record Figure(
            String suffix, String measure, String unit, Function<Beside, List<Double>> of) {}

    private List<PeersResult> crowd(TodayCell.Crowd cell) throws IOException {
        Work work = contest.work(load(cell, cell.file(), cell.busy(), Gate.NONE));
        int descriptors = bench.proc().descriptorsMax();
        int count = possible(cell.idle(), descriptors);
        List<Course<Beside>> courses = new ArrayList<>();
        for (Peer peer : contest.peers(cell)) {
            Course<Beside> course = new Course<>(peer.name());
            courses.add(course);
            course.attempt(bench.progress(), () -> course.rounds().add(beside(peer, work, count)));
        }
        List<String> notes = notes(cell.idle(), descriptors);
        List<String> ofMemory = new ArrayList<>(notes);
        ofMemory.add(
                "growth of RssAnon of the process tree, in servers in Java after full collections and"
                        + " with an initial heap of 32 MB");
        courses.stream()
                .filter(Course::sound)
                .map(course -> heapNote(course.name(), course.rounds().getFirst().heapBytes()))
                .flatMap(Optional::stream)
                .forEach(ofMemory::add);
        return FIGURES.stream()
                .map(one -> result(cell, one, courses, one.equals(MEMORY) ? ofMemory : notes))
                .toList();
    }

    /// Returns how many idle connections are possible. Client and server each have their own
    /// descriptors, with the same limit.
    private static int possible(int wanted, int descriptors) {
        return Math.min(wanted, descriptors - RESERVE);
    }

    /// Returns what a report says about the number of idle connections.
    static List<String> notes(int wanted, int descriptors) {
        int count = possible(wanted, descriptors);
        return count == wanted
                ? List.of(count + " idle connections")
                : List.of(
                        "%d idle connections, not %d, because a process may open only %d descriptors:"
                                        .formatted(count, wanted, descriptors)
                                + " ulimit -n "
                                + (wanted + RESERVE));
    }

    private PeersResult result(
            TodayCell.Crowd cell, Figure figure, List<Course<Beside>> courses, List<String> notes) {
        return new PeersResult(
                cell.name() + "-" + figure.suffix(),
                cell.title() + ": " + figure.measure(),
                figure.unit(),
                PeersResult.Limit.orNone(PeersResult.Kind.RATIO_TO_SMALLEST, 0, 0),
                contest.subject(),
                courses.stream()
                        .map(course ->
                                course.sound()
                                        ? new PeersResult.PeerValues(
                                                course.name(),
                                                figure.of().apply(course.rounds().getFirst()),
                                                null)
                                        : new PeersResult.PeerValues(
                                                course.name(), List.of(), course.failure()))
                        .toList(),
                notes);
    }

    private static Optional<String> heapNote(String server, double heapBytes) {
        return Double.isNaN(heapBytes)
                ? Optional.empty()
                : Optional.of(
                        String.format(Locale.ROOT, "%s: %.0f bytes are heap", server, heapBytes));
    }

    /// Measures a server: first what its memory grows by when connections are opened, which also
    /// lets its pools grow, and then rounds without and with such connections in turn.
    private Beside beside(Peer peer, Work work, int count) throws IOException {
        boolean java = JvmPeers.isJava(peer);
        try (RunningPeer server = contest.start(java ? JvmPeers.with(peer, SMALL_HEAP) : peer)) {
            Client.Target target = work.target(server.port());
            contest.loads().warm(work, server);
            double bytes;
            double heap = java ? JvmMemory.heapBytes(server.pid()) : Double.NaN;
            long before = bench.proc().treeBytes(server.pid(), "RssAnon");
            try (IdleConnections idle = IdleConnections.open(target, count)) {
                heap = (java ? JvmMemory.heapBytes(server.pid()) - heap : heap) / count;
                bytes = (double) (bench.proc().treeBytes(server.pid(), "RssAnon") - before) / count;
                idle.requireAll();
            }
            bench.progress()
                    .printf(
                            Locale.ROOT,
                            "%s  %-16s %d idle connections, %.0f bytes for each%n",
                            work.load().name(),
                            server.name(),
                            count,
                            bytes);
            List<Round> without = new ArrayList<>();
            List<Round> with = new ArrayList<>();
            for (int number = 0; number < bench.settings().rounds(); number++) {
                without.add(contest.loads().measured(work, server).getLast());
                try (IdleConnections idle = IdleConnections.open(target, count)) {
                    with.add(contest.loads().measured(work, server).getLast());
                    idle.requireAll();
                }
            }
            return new Beside(without, with, bytes, heap);
        }
    }

    /// Returns the length of the loads of a cell together.
    static double seconds(TodayCell.Tail cell, Settings settings) {
        return Math.min(cell.secondsMax(), 2.0 * settings.rounds() * settings.seconds());
    }

    private TailResult tail(TodayCell.Tail cell) throws IOException {
        Work work = contest.work(load(cell, cell.file(), cell.users(), Gate.NONE));
        long timeoutNanos = cell.timeoutMillis() * 1_000_000L;
        OpenLoad.Terms terms =
                new OpenLoad.Terms(
                        cell.addresses(),
                        timeoutNanos,
                        timeoutNanos,
                        bench.proc().descriptorsMax() - RESERVE);
        Ceiling.Generator generator = target -> OpenLoad.keeping(target, terms);
        double ceiling = Ceiling.of(bench, generator);
        List<TailResult.Server> servers = new ArrayList<>();
        for (Peer peer : contest.peers(cell)) {
            try (RunningPeer server = contest.start(peer)) {
                contest.loads().warm(work, server);
                servers.add(tail(cell, server, generator, work.target(server.port())));
            } catch (IOException | BenchFailure e) {
                String failure = String.valueOf(e.getMessage());
                bench.progress().printf("%s failed: %s%n", peer.name(), failure);
                servers.add(TailResult.Server.failed(peer.name(), failure));
            }
        }
        return new TailResult(
                cell.name(),
                cell.title(),
                contest.subject(),
                cell.share(),
                servers,
                List.of(
                        String.format(
                                Locale.ROOT,
                                "%.0f s in %d rounds; the capacity is that of %d users who wait; all on"
                                        + " connections that stay open, from %d addresses",
                                seconds(cell, bench.settings()),
                                bench.settings().rounds(),
                                cell.users(),
                                cell.addresses()),
                        Ceiling.note(ceiling)));
    }

    private TailResult.Server tail(
            TodayCell.Tail cell,
            RunningPeer server,
            Ceiling.Generator generator,
            Client.Target target)
            throws IOException {
        int seconds = bench.settings().seconds();
        int rounds = bench.settings().rounds();
        try (OpenLoad load = generator.on(target)) {
            load.run(Offer.closed(cell.users(), seconds)); // warms up with the generator's pace
            double capacity = load.run(Offer.closed(cell.users(), seconds)).rightPerSecond();
            if (capacity == 0) {
                throw new BenchFailure("no right answer to " + cell.users() + " users");
            }
            Offer offer =
                    Offer.open(cell.share() * capacity, seconds(cell, bench.settings()) / rounds);
            Meter.Reading before = bench.meter().read(server);
            List<Fates> all = load.run(Collections.nCopies(rounds, offer));
            Meter.Reading after = bench.meter().read(server);
            long requests = all.stream().mapToLong(Fates::all).sum();
            double cpuNanos = after.server() - before.server();
            double time =
                    (after.nanos() - before.nanos())
                            * (double) bench.stage().cpus().server().size();
            TailResult.Server result =
                    new TailResult.Server(
                            server.name(),
                            capacity,
                            requests / (rounds * offer.seconds()),
                            requests,
                            all.stream().mapToLong(Fates::failed).sum(),
                            latencies(all),
                            cpuNanos / 1e3 / requests,
                            cpuNanos / time,
                            all.stream().mapToDouble(Fates::lateShare).average().orElse(0),
                            all.stream().anyMatch(Fates::isOfTheGenerator),
                            bench.meter().disturbed(before, after),
                            null);
            progress(cell, result);
            return result;
        }
    }

    private static List<TailResult.Latency> latencies(List<Fates> all) {
        Histogram sum = all.getFirst().rightMicros().copy();
        all.stream().skip(1).forEach(fates -> sum.add(fates.rightMicros()));
        return TailResult.latencies(
                percentile -> millis(sum, percentile),
                all.stream()
                        .<Function<Double, Double>>map(
                                fates -> percentile -> millis(fates.rightMicros(), percentile))
                        .toList());
    }

    /// Returns a percentile in milliseconds, or NaN if less than one latency is beyond it.
    static double millis(Histogram micros, double percentile) {
        boolean known = micros.getTotalCount() * (1 - percentile / 100) >= 1 - 1e-9;
        return known ? micros.getValueAtPercentile(percentile) / 1e3 : Double.NaN;
    }

    private void progress(TodayCell.Tail cell, TailResult.Server server) {
        bench.progress()
                .printf(
                        Locale.ROOT,
                        "%s  %-16s capacity %.0f/s; at %.0f/s p50 %.2f ms, p99 %.2f ms, p99.99 %.2f ms,"
                                + " CPU busy %.0f %%%s%s%n",
                        cell.name(),
                        server.peer(),
                        server.capacity(),
                        server.offered(),
                        server.millis(50),
                        server.millis(99),
                        server.millis(99.99),
                        100 * server.busy(),
                        server.ofTheGenerator() ? ", the generator was at its end" : "",
                        server.disturbed() ? "  disturbed" : "");
    }
}
