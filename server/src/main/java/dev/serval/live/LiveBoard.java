package dev.serval.live;

import dev.serval.LoadView;
import dev.serval.LoopView;
import dev.serval.Serval;
import dev.serval.backend.PoolFigures;
import dev.serval.command.Version;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.handler.Mapping;
import dev.serval.live.Board.Cell;
import dev.serval.live.Board.Table;
import dev.serval.live.Board.Tile;
import dev.serval.live.Board.Tone;
import dev.serval.metrics.MountFigures;
import dev.serval.metrics.RequestPhase;
import dev.serval.metrics.SlowRequest;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.servlet.WebApp;
import dev.serval.site.LiveSite;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/// Reads a server and makes the board of it. Any thread that may wait for a second.
final class LiveBoard {
    private static final int RECENT = 10; // seconds, for the tiles
    private static final int SLOW_MAX = 20;
    private static final int ROWS_MAX = 50;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MIB = 1 << 20;
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final LiveSite site;
    private final Histories histories;
    private final String ownMount;
    private final long startNanos;

    /// Creates what makes boards.
    ///
    /// @param ownMount the mount of administration, whose requests are not shown as slow ones
    LiveBoard(LiveSite site, Histories histories, String ownMount, long startNanos) {
        this.site = site;
        this.histories = histories;
        this.ownMount = ownMount;
        this.startNanos = startNanos;
    }

    /// Reads the board.
    ///
    /// @param span the time that its charts show
    /// @throws InterruptedException if the caller is interrupted
    Board read(Span span) throws InterruptedException {
        Serval serval = site.serval();
        List<Moment> lately = histories.of(Span.TEN_MINUTES).read();
        Curve curve = Curve.of(span, histories.of(span).read());
        List<LoopView> loops = serval.loopViews();
        String title =
                "Serval "
                        + Version.TEXT
                        + ", process "
                        + ProcessHandle.current().pid()
                        + ", running for "
                        + Texts.age(Duration.ofNanos(System.nanoTime() - startNanos));
        return new Board(
                title,
                CLOCK.format(Instant.now()),
                tiles(lately, loops),
                charts(curve),
                span,
                curve.modes(),
                List.of(
                        mounts(serval),
                        slow(serval),
                        applications(),
                        pools(),
                        refusals(serval),
                        loops(loops)));
    }

    private List<Tile> tiles(List<Moment> moments, List<LoopView> loops) {
        List<Moment> recent = moments.subList(Math.max(0, moments.size() - RECENT), moments.size());
        double rate = mean(recent, one -> one.perSecond(one.requests()));
        double failures = mean(recent, one -> one.perSecond(one.failures()));
        double refusals = mean(recent, one -> one.perSecond(one.refusals()));
        long median = quantile(recent, 0.5, Moment::medianNanos);
        long p99 = quantile(recent, 0.99, Moment::p99Nanos);
        int workers = loops.stream().mapToInt(LoopView::workers).sum();
        int ready = loops.stream().mapToInt(LoopView::readyWorkers).sum();
        Runtime jvm = Runtime.getRuntime();
        return List.of(
                load(site.serval().load()),
                tile("rate", "Requests a second", Texts.digits(rate), "of the last 10 seconds"),
                tile("median", "Median time", Texts.time(median), "99 %: " + Texts.time(p99)),
                tile(
                        "connections",
                        "Connections",
                        Integer.toString(site.serval().connections()),
                        "of clients"),
                tile(
                        "workers",
                        "In applications",
                        Integer.toString(workers),
                        ready + " wait for a thread"),
                toned("failures", "Errors a second", failures, "5xx, without refusals"),
                toned("refused", "Refused a second", refusals, "requests and connections"),
                tile(
                        "heap",
                        "Heap",
                        Texts.mebibytes(jvm.totalMemory() - jvm.freeMemory()),
                        "of " + Texts.mebibytes(jvm.maxMemory())));
    }

    private static Tile load(LoadView load) {
        Tone tone =
                switch (load.mode()) {
                    case LIGHT, NORMAL -> Tone.GOOD;
                    case HEAVY -> Tone.WARN;
                    case CRITICAL -> Tone.BAD;
                };
        String note =
                "delay "
                        + Texts.time(load.delayNanos())
                        + ", "
                        + load.connectionsPercent()
                        + " % of connections";
        return new Tile("load", "Load mode", load.mode().text(), note, tone);
    }

    private static Tile tile(String id, String name, String value, String note) {
        return new Tile(id, name, value, note, Tone.PLAIN);
    }

    private static Tile toned(String id, String name, double value, String note) {
        return new Tile(id, name, Texts.digits(value), note, value > 0 ? Tone.BAD : Tone.GOOD);
    }

    /// Returns a time that this part of the requests did not exceed, as far as the times of the moments
    /// tell: a moment counts as its requests do, so that a second with one slow request is not all.
    private static long quantile(List<Moment> moments, double part, ToLongFunction<Moment> nanos) {
        double needed = part * moments.stream().mapToLong(Moment::requests).sum();
        long seen = 0;
        for (Moment one : moments.stream().sorted(Comparator.comparingLong(nanos)).toList()) {
            seen += one.requests();
            if (seen >= needed) {
                return nanos.applyAsLong(one);
            }
        }
        return 0;
    }

    private static double mean(List<Moment> moments, ToDoubleFunction<Moment> value) {
        return moments.stream().mapToDouble(value).average().orElse(0);
    }

    private static List<Board.Chart> charts(Curve curve) {
        return List.of(
                new Board.Chart(
                        "chart-rate",
                        "Requests a second",
                        "/s",
                        List.of(curve.line("all", one -> one.perSecond(one.requests())))),
                new Board.Chart(
                        "chart-time",
                        "Time of requests",
                        "ms",
                        List.of(
                                curve.line("median", one -> one.medianNanos() / NANOS_PER_MILLI),
                                curve.line("99 %", one -> one.p99Nanos() / NANOS_PER_MILLI))),
                new Board.Chart(
                        "chart-trouble",
                        "Errors and refusals a second",
                        "/s",
                        List.of(
                                curve.line("5xx", one -> one.perSecond(one.failures())),
                                curve.line("refused", one -> one.perSecond(one.refusals())))),
                new Board.Chart(
                        "chart-connections",
                        "Connections",
                        "",
                        List.of(curve.line("open", one -> one.state().connections()))),
                new Board.Chart(
                        "chart-heap",
                        "Heap",
                        "MiB",
                        List.of(curve.line("in use", one -> one.state().heapBytes() / MIB))));
    }

    private static Table mounts(Serval serval) {
        List<List<Cell>> rows = new ArrayList<>();
        for (MountFigures mount : serval.metrics().mounts()) {
            long all = mount.requests();
            if (all > 0 && rows.size() < ROWS_MAX) {
                rows.add(
                        List.of(
                                Cell.of(mount.mount()),
                                Cell.of(all),
                                worth(mount.refused()),
                                Cell.of(mount.errors(4)),
                                problem(mount.errors(5)),
                                Cell.of(Texts.time(mount.times().quantileNanos(0.5))),
                                Cell.of(Texts.time(mount.times().quantileNanos(0.99)))));
            }
        }
        return new Table(
                "mounts",
                "Mounts",
                List.of("Mount", "Requests", "Refused", "4xx", "5xx", "Median", "99 %"),
                rows,
                "No request has ended yet.");
    }

    private Table slow(Serval serval) {
        List<List<Cell>> rows = new ArrayList<>();
        for (SlowRequest one : serval.metrics().slowest(SLOW_MAX, ownMount)) {
            rows.add(
                    List.of(
                            Cell.of(one.name()),
                            Cell.of(one.status() == 0 ? "none" : Integer.toString(one.status())),
                            Cell.of(Texts.time(one.totalNanos())),
                            new Cell(phases(one), Tone.PLAIN, shares(one)),
                            Cell.of(CLOCK.format(Instant.ofEpochSecond(one.endedEpochSeconds())))));
        }
        return new Table(
                "slow",
                "Slow requests of the last 5 to 10 minutes",
                List.of("Request", "Status", "Time", "Phases", "Ended"),
                rows,
                "No request took more than 10 ms.");
    }

    /// Returns the phases that took a hundredth of the time or more, such as `queue 1.20 s`.
    private static String phases(SlowRequest one) {
        StringBuilder text = new StringBuilder();
        for (RequestPhase phase : RequestPhase.values()) {
            long nanos = one.nanos(phase);
            if (nanos > 0 && nanos >= one.totalNanos() / 100) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(phase.text())
                        .append(' ')
                        .append(Texts.time(nanos));
            }
        }
        return text.toString();
    }

    private static List<Integer> shares(SlowRequest one) {
        List<Integer> shares = new ArrayList<>();
        for (RequestPhase phase : RequestPhase.values()) {
            shares.add((int) (100 * one.nanos(phase) / one.totalNanos()));
        }
        return shares;
    }

    private Table applications() {
        List<List<Cell>> rows = new ArrayList<>();
        site.applications()
                .running()
                .forEach((mount, app) -> {
                    if (rows.size() < ROWS_MAX) {
                        rows.add(application(mount.place().toString(), app));
                    }
                });
        return new Table(
                "applications",
                "Web applications",
                List.of("Application", "In progress", "Requests", "Mean", "Sessions", "Faults"),
                rows,
                "No web application runs.");
    }

    private static List<Cell> application(String name, WebApp app) {
        long requests = 0;
        long nanos = 0;
        for (Mapping.Times times : app.times().values()) {
            requests += times.requests();
            nanos += times.sumNanos();
        }
        return List.of(
                Cell.of(name),
                Cell.of(app.requestsInProgress()),
                Cell.of(requests),
                Cell.of(Texts.time(requests == 0 ? 0 : nanos / requests)),
                Cell.of(app.activeSessions()),
                problem(app.faults()));
    }

    private Table pools() {
        List<List<Cell>> rows = new ArrayList<>();
        for (PoolFigures pool : site.backends().pools()) {
            PoolStatus now = pool.status();
            boolean up =
                    pool.upstreams().isEmpty()
                            ? now.peers() > 0
                            : pool.upstreams().stream().anyMatch(PoolFigures.OfUpstream::up);
            rows.add(
                    List.of(
                            Cell.of(now.name() + " (" + pool.kind() + ")"),
                            up ? Cell.toned("up", Tone.GOOD) : Cell.toned("down", Tone.BAD),
                            Cell.of(now.peers()),
                            Cell.of(now.busy()),
                            Cell.of(now.queued()),
                            Cell.of(now.served()),
                            worth(now.refusals()),
                            problem(now.failures()),
                            Cell.of(Texts.time(now.p99Nanos()))));
            for (PoolFigures.OfUpstream one : pool.upstreams()) {
                rows.add(upstream(one));
            }
        }
        return new Table(
                "pools",
                "Upstreams and peers",
                List.of(
                        "Name",
                        "State",
                        "Connections",
                        "Busy",
                        "Queued",
                        "Served",
                        "Refused",
                        "Failed",
                        "99 %"),
                rows.subList(0, Math.min(rows.size(), ROWS_MAX)),
                "There are no applications in other processes.");
    }

    private static List<Cell> upstream(PoolFigures.OfUpstream one) {
        return List.of(
                Cell.of("› " + one.name()),
                one.up()
                        ? Cell.toned("up", Tone.GOOD)
                        : Cell.toned("rests after failures", Tone.BAD),
                Cell.of(one.open()),
                Cell.of(one.busy()),
                Cell.of(""),
                Cell.of(""),
                Cell.of(""),
                Cell.of(""),
                Cell.of(""));
    }

    private static Table refusals(Serval serval) {
        List<List<Cell>> rows =
                serval.metrics().sums(LabelledCounter.REFUSALS).entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                        .limit(ROWS_MAX)
                        .map(one ->
                                List.of(
                                        Cell.of(Counter.words(one.getKey())),
                                        Cell.of(one.getValue())))
                        .toList();
        return new Table(
                "refusals",
                "Refusals since the start",
                List.of("Reason", "Times"),
                rows,
                "Nothing was refused.");
    }

    private Table loops(List<LoopView> loops) {
        double alive = System.nanoTime() - startNanos;
        List<List<Cell>> rows = new ArrayList<>();
        for (LoopView loop : loops.subList(0, Math.min(loops.size(), ROWS_MAX))) {
            rows.add(
                    List.of(
                            Cell.of(loop.index()),
                            Cell.of(Texts.percent(loop.busyNanos() / alive)),
                            Cell.of(Texts.time(loop.turns().quantileNanos(0.99))),
                            Cell.of(Texts.time(loop.lagNanos())),
                            Cell.of(loop.connections()),
                            Cell.of(loop.workers()),
                            Cell.of(loop.readyWorkers())));
        }
        return new Table(
                "loops",
                "Event loops",
                List.of(
                        "Loop",
                        "Busy since start",
                        "Turn, 99 %",
                        "Lag now",
                        "Connections",
                        "In applications",
                        "Waiting"),
                rows,
                "No event loop answers.");
    }

    private static Cell worth(long count) {
        return Cell.toned(Long.toString(count), count > 0 ? Tone.WARN : Tone.PLAIN);
    }

    private static Cell problem(long count) {
        return Cell.toned(Long.toString(count), count > 0 ? Tone.BAD : Tone.PLAIN);
    }
}
