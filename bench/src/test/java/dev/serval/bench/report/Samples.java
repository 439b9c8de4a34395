package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A report made by hand, with every kind of result and with text that is dangerous in HTML.
public final class Samples {
    /// Text that must be escaped wherever it stands.
    public static final String NASTY = "<script>alert('1 & 2')</script> | \"x\"";

    private Samples() {}

    /// Returns the report.
    public static Report report() {
        return report("2026-01-02T03:04:05Z", cells());
    }

    /// Returns a report of these cells.
    public static Report report(String date, List<CellResult> cells) {
        Environment environment =
                new Environment(
                        date,
                        "0123456789abcdef0123456789abcdef01234567",
                        "6.1.0",
                        "Some CPU of 2.6 GHz",
                        "server on CPU 0, client on CPU 1",
                        8192,
                        "25+36",
                        new TreeMap<>(Map.of("nginx", "1.22", "serval", "0.1")),
                        new TreeMap<>(Map.of("rounds", "3", "seconds", "1")));
        List<PeerFacts> peers =
                List.of(
                        new PeerFacts("serval", true, "0.1", "serval run FOLDER", ""),
                        new PeerFacts("nginx", false, "1.22", "worker_processes 1; # " + NASTY, ""),
                        new PeerFacts("jetty", true, "12.1", "NIO", ""),
                        new PeerFacts("floor", false, "1", "", ""),
                        new PeerFacts("h2o", false, "", "", "h2o is missing: apt-get install h2o"));
        return new Report(
                "sample",
                "A sample of everything " + NASTY,
                "The paper of 1996, table 2",
                environment,
                peers,
                cells,
                List.of("a note " + NASTY));
    }

    /// Returns a result of each kind, and several of some.
    public static List<CellResult> cells() {
        List<CellResult> cells = new ArrayList<>();
        cells.add(load("4k-keep-alive", 8, 10, 12));
        cells.add(load("four-wide-words-with-hyphens", 20, 10, 30));
        cells.add(load("equal", 10, 10.5, 25));
        cells.add(load("failing", Double.NaN, 10, 25));
        cells.add(
                load("before", 8, 10, 12)
                        .with(BeforeResult.of("serval", List.of(1.0, 1.01), 1.03)));
        cells.add(
                SingleResult.of(
                        new SingleResult.Measured("ready", "Ready line", "s", 0.4),
                        List.of(0.3, 0.35, 0.5),
                        "each from a new process"));
        cells.add(
                SingleResult.failed(
                        new SingleResult.Measured("rss", "Memory", "MB", Double.NaN), "it ended"));
        cells.add(latency());
        cells.add(memory());
        cells.add(overload());
        cells.add(burst());
        cells.add(series());
        cells.add(ramp());
        cells.add(tail());
        cells.add(table());
        cells.add(
                new AbsentResult(
                        "osp-4", "Four cores", Gap.Kind.NOT_MEASURED, "it needs four CPUs"));
        cells.add(new AbsentResult("broken", "Broken", Gap.Kind.FAILED, NASTY));
        return cells;
    }

    private static LoadResult load(String cell, double serval, double nginx, double jetty) {
        List<Round> rounds = new ArrayList<>();
        List<Figures> figures = new ArrayList<>();
        add("serval", serval, rounds, figures);
        add("nginx", nginx, rounds, figures);
        add("jetty", jetty, rounds, figures);
        add("floor", 5, rounds, figures);
        return LoadResult.of(
                cell,
                "4 KB by 64 connections",
                new Gate(0.85, 0.75, 0),
                new LoadResult.Comparison("serval", List.of("nginx"), "floor"),
                figures,
                rounds);
    }

    private static void add(String peer, double micros, List<Round> all, List<Figures> figures) {
        if (Double.isNaN(micros)) {
            figures.add(Figures.failed(peer, "12 errors"));
            return;
        }
        List<Round> own = LoadResultTest.rounds(peer, micros, micros * 0.9, micros * 1.1);
        all.addAll(own);
        figures.add(Figures.of(peer, own, 3, true));
    }

    private static final List<Published> PAPER =
            List.of(new Published("Apache 1.1.1", "requests per second", 35, "1/s", "2.a"));

    private static BurstResult burst() {
        return new BurstResult(
                "burst",
                "Bursts of ab",
                "serval",
                List.of(
                        new BurstResult.Server(
                                "serval",
                                List.of(new BurstResult.Run(8000, 2.5, 0, 0, 12, Double.NaN, true)),
                                null),
                        new BurstResult.Server("nginx", List.of(), "ab is missing")),
                PAPER,
                List.of("30 runs"));
    }

    private static SeriesResult series() {
        return new SeriesResult(
                "lasting",
                "Two flows for long",
                "serval",
                0.95,
                600,
                List.of(
                        new SeriesResult.Course(
                                "serval",
                                "g1",
                                true,
                                256,
                                1000,
                                990,
                                12.5,
                                new SeriesResult.Pauses(3, 4.5, 2.25),
                                List.of(
                                        new SeriesResult.Moment(1, 980, Double.NaN),
                                        new SeriesResult.Moment(2, 1000, 7)),
                                true,
                                null),
                        SeriesResult.Course.failed("tomcat", "zgc", false, 8, "no start")),
                PAPER,
                List.of("a note"));
    }

    private static TableResult table() {
        Statistics bytes = Statistics.of(List.of(2500.0));
        return new TableResult(
                "sessions-files",
                "Sessions in files",
                Verdict.NONE,
                List.of(
                        new Row(
                                "sessions-files",
                                "heap of a session",
                                "bytes",
                                Row.Better.LOWER,
                                Map.of("serval", bytes))),
                List.of(
                        new Chart(
                                "sessions-files: live heap as sessions grow",
                                new Chart.Axis("sessions made", "", false),
                                new Chart.Axis("live heap", "MB", false),
                                List.of(
                                        new Chart.Line(
                                                "serval",
                                                List.of(
                                                        new Chart.Point(0, 10),
                                                        new Chart.Point(2000, 15)))))),
                Map.of(
                        "Sessions",
                        new Table(List.of("server", "kept %"), List.of(List.of("serval", "100")))),
                List.of(new Published("Xitami", "sessions", 5, "1/s", "table 1")),
                List.of(new Gap("sessions-files", "undertow", Gap.Kind.NOT_MEASURED, "no store")),
                List.of("sessions-files: as measured"));
    }

    private static RampResult ramp() {
        return new RampResult(
                "ramp",
                "A page at rising rates",
                "serval",
                0.9,
                9000,
                List.of(
                        new RampResult.Server(
                                "serval", 1, List.of(at(100, 0), at(200, 100)), false, 1024, null),
                        new RampResult.Server("nginx", 1, List.of(), false, 0, "no start")),
                PAPER,
                List.of("1 s for each step"));
    }

    private static RampResult.Step at(double rate, long refused) {
        return new RampResult.Step(
                rate,
                rate,
                RampResult.Replies.of(new double[] {rate - refused}),
                1.5,
                2.5,
                refused == 0 ? 3.5 : Double.NaN,
                new TreeMap<>(Map.of("503", refused, "timeout", 0L)),
                refused,
                0,
                0.001,
                false,
                12.5,
                40,
                false);
    }

    private static TailResult tail() {
        return new TailResult(
                "half",
                "A file at half of the capacity",
                "serval",
                List.of(
                        tail("serval", 0.2, false),
                        tail("jetty", 0.3, false),
                        tail("nginx", 0.1, true),
                        TailResult.Server.failed("tomcat", "no start")),
                List.of("30 s in 3 rounds"));
    }

    /// Returns a server whose latency grows with the percentiles, to thirty times the median.
    private static TailResult.Server tail(String peer, double median, boolean late) {
        List<TailResult.Latency> latencies = new ArrayList<>();
        for (double p : new double[] {0, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99}) {
            double millis = median * (1 - Math.log10(1 - p / 100) * 7);
            latencies.add(new TailResult.Latency(p, new Statistics(millis, millis, 2 * millis)));
        }
        return new TailResult.Server(
                peer, 20_000, 10_000, 0, latencies, 15.5, 0.45, late, peer.equals("jetty"), null);
    }

    private static LatencyResult latency() {
        LatencyResult.Measured without = measured(40, 80);
        LatencyResult.Measured with = measured(1, 4);
        return new LatencyResult(
                "beside-spin",
                "Files beside code that computes",
                List.of(
                        new LatencyResult.Step(1, without, with, null),
                        new LatencyResult.Step(
                                4,
                                without,
                                with,
                                new LatencyResult.Published(
                                        4, null, new LatencyResult.Millis(0.8, 5, 14))),
                        new LatencyResult.Step(16, without, with, null)),
                null);
    }

    private static LatencyResult.Measured measured(double p50, double p99) {
        return new LatencyResult.Measured(
                new LatencyResult.Millis(p50, p99, 2 * p99), 1000, 1, 20, 3, true);
    }

    private static PeersResult memory() {
        return new PeersResult(
                "memory-heap",
                "Memory: heap after a full collection",
                "MB",
                new PeersResult.Limit(PeersResult.Kind.RATIO_TO_SMALLEST, 0.8, Double.NaN),
                "serval",
                List.of(
                        new PeersResult.PeerValues("serval", List.of(10.0, 11.0), null),
                        new PeersResult.PeerValues("jetty", List.of(20.0, 22.0), null),
                        new PeersResult.PeerValues("tomcat", List.of(), "it did not start")),
                List.of("by jcmd"),
                List.of(
                        new Published(
                                "Jetty 9",
                                "Memory: heap after a full collection",
                                5.5,
                                "MB",
                                "Used Heap Size")));
    }

    private static OverloadResult overload() {
        return new OverloadResult(
                "cpu-5",
                "A servlet that needs 5 ms",
                "serval",
                0.9,
                1,
                List.of(
                        server("serval", 180, 170, Double.NaN),
                        server("jetty", 175, 60, 0.5),
                        new OverloadResult.Server("tomcat", 0, List.of(), "did not start")),
                List.of("8 s for each step"));
    }

    private static OverloadResult.Server server(
            String peer, double peak, double last, double recovery) {
        return new OverloadResult.Server(
                peer,
                200,
                List.of(step(0.5, 100, 0), step(1, peak, 0.1), step(10, last, recovery)),
                null);
    }

    private static OverloadResult.Step step(double multiple, double goodput, double recovery) {
        return new OverloadResult.Step(
                multiple,
                200 * multiple,
                goodput,
                multiple < 1 ? 12.5 : Double.POSITIVE_INFINITY,
                new TreeMap<>(Map.of("503", 7L, "timeout", 2L)),
                Double.NaN,
                0.001,
                false,
                recovery,
                false);
    }
}
