package dev.serval.bench.run;

import dev.serval.bench.load.OwnClient;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.SeriesResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/// Repeats a load for long on servers in Java, with each collector and two heaps: an ample one, and
/// the smallest with which the short load costs hardly more. One server after the other.
record LastingRun(Contest contest, Cell.Lasting cell) {
    /// The most pieces of a long load in the report.
    private static final int MOMENTS_MAX = 120;

    private static final OwnClient CLIENT = new OwnClient();

    /// A server with a JVM of its own.
    ///
    /// @param log where the JVM notes its collections
    private record Variant(Peer peer, Cell.Collector collector, boolean ample, int heap, Path log) {
        SeriesResult.Course failed(Exception why) {
            return SeriesResult.Course.failed(
                    peer.name(), word(collector), ample, heap, String.valueOf(why.getMessage()));
        }
    }

    /// The short load, to which the long one is compared.
    private record Brief(double rate, double cpuMicros) {}

    private Work work() {
        return contest.work(cell.of());
    }

    private int seconds() {
        return seconds(cell, contest.settings());
    }

    SeriesResult run() {
        List<SeriesResult.Course> courses = new ArrayList<>();
        for (Peer peer : contest.peers(cell)) {
            if (JvmPeers.isJava(peer)) {
                collectors(cell, contest.settings())
                        .forEach(collector -> courses.addAll(both(peer, collector)));
            }
        }
        return new SeriesResult(
                cell.name(),
                cell.title(),
                contest.subject(),
                cell.gateRatio(),
                seconds(),
                courses,
                cell.published(),
                List.of(
                        "short/s is the median of "
                                + contest.settings().rounds()
                                + " rounds of "
                                + cell.of()
                                + " with the ample heap and the same collector",
                        "a heap works if the server starts, answers without an error, and costs at"
                                + " most 1 ÷ %.2f of the CPU per request with the ample heap"
                                        .formatted(cell.gateRatio()),
                        "heaps in MB that were tried: " + cell.heaps()));
    }

    /// Returns the length of the long load.
    static int seconds(Cell.Lasting cell, Settings settings) {
        return settings.paper() ? cell.paperSeconds() : 2 * settings.rounds() * settings.seconds();
    }

    /// Returns the collectors, in a quick run only the first.
    static List<Cell.Collector> collectors(Cell.Lasting cell, Settings settings) {
        return settings.isQuick() ? cell.collectors().subList(0, 1) : cell.collectors();
    }

    /// Measures a collector with the ample heap and with the smallest.
    private List<SeriesResult.Course> both(Peer peer, Cell.Collector collector) {
        List<SeriesResult.Course> courses = new ArrayList<>();
        Variant ample = variant(peer, collector, true, cell.ampleMegabytes());
        try {
            Brief brief = ample(ample, courses);
            int heap =
                    smallest(
                            cell.heaps(),
                            cell.ampleMegabytes(),
                            megabytes -> works(variant(peer, collector, false, megabytes), brief));
            Variant smallest = variant(peer, collector, false, heap);
            try (RunningPeer server = smallest.peer().start(contest.stage())) {
                contest.loads().warm(work(), server);
                courses.add(lasting(smallest, server, brief));
            } catch (IOException | BenchFailure e) {
                courses.add(failed(smallest, e));
            }
        } catch (IOException | BenchFailure e) {
            courses.add(failed(ample, e));
        }
        return courses;
    }

    private SeriesResult.Course failed(Variant variant, Exception why) {
        contest.say("%s failed: %s", variant.peer().name(), why.getMessage());
        return variant.failed(why);
    }

    private Brief ample(Variant ample, List<SeriesResult.Course> courses) throws IOException {
        try (RunningPeer server = ample.peer().start(contest.stage())) {
            contest.loads().warm(work(), server);
            List<Double> rates = new ArrayList<>();
            List<Double> costs = new ArrayList<>();
            for (int number = 0; number < contest.settings().rounds(); number++) {
                Round round = round(server);
                rates.add(round.requestsPerSecond());
                costs.add(round.cpuMicrosPerRequest());
            }
            Brief brief = new Brief(Statistics.of(rates).median(), Statistics.of(costs).median());
            courses.add(lasting(ample, server, brief));
            return brief;
        }
    }

    private Variant variant(Peer peer, Cell.Collector collector, boolean ample, int heap) {
        String name = "%s-%s-%s-%d.gc.log".formatted(cell.name(), peer.name(), collector, heap);
        Path log = contest.stage().folder().resolve(name.toLowerCase(Locale.ROOT));
        return new Variant(GcLog.peer(peer, collector, heap, log), collector, ample, heap, log);
    }

    /// Returns the smallest heap that works. A heap works if a smaller one does.
    ///
    /// @param ascending heaps below the ample one, which works
    static int smallest(List<Integer> ascending, int ample, IntPredicate works) {
        int low = 0;
        int high = ascending.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (works.test(ascending.get(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == ascending.size() ? ample : ascending.get(low);
    }

    private boolean works(Variant variant, Brief brief) {
        boolean works = false;
        try (RunningPeer server = variant.peer().start(contest.stage())) {
            // A JVM that is not warm costs more than a small heap.
            contest.loads().warm(work(), server);
            Round round = round(server);
            works = round.cpuMicrosPerRequest() * cell.gateRatio() <= brief.cpuMicros();
        } catch (IOException | BenchFailure e) {
            contest.say("%s: %s", variant.peer().name(), firstLine(e));
        }
        contest.say(
                "%s  %-8s %s with %d MB %s",
                cell.name(),
                variant.peer().name(),
                word(variant.collector()),
                variant.heap(),
                works ? "works" : "does not work");
        return works;
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private Round round(RunningPeer server) throws IOException {
        Round round = contest.meter().round(server, CLIENT, work(), Round.Phase.MEASURED);
        if (round.errors() > 0 || round.requests() == 0) {
            throw new BenchFailure(
                    round.errors() + " errors and " + round.requests() + " answers in a round");
        }
        return round;
    }

    private SeriesResult.Course lasting(Variant variant, RunningPeer server, Brief brief)
            throws IOException {
        Meter.Reading before = contest.meter().read(server);
        long start = System.currentTimeMillis();
        OwnClient.Course course =
                CLIENT.course(work().target(server.port()), work().load(), seconds());
        long end = System.currentTimeMillis();
        Meter.Reading after = contest.meter().read(server);
        long errors = course.tally().errors();
        BenchFailure.require(errors == 0, errors + " errors during the long load");
        GcLog log = GcLog.read(variant.log());
        List<GcLog.Pause> pauses = log.pauses(start, end);
        double rate = course.tally().requests() / (course.tally().nanos() / 1e9);
        contest.say(
                "%s  %-8s %-8s %4d MB %9.0f requests/s, %.2f of the short load, %d pauses",
                cell.name(),
                server.name(),
                word(variant.collector()),
                variant.heap(),
                rate,
                rate / brief.rate(),
                pauses.size());
        return new SeriesResult.Course(
                server.name(),
                word(variant.collector()),
                variant.ample(),
                variant.heap(),
                brief.rate(),
                rate,
                (after.server() - before.server()) / 1e3 / course.tally().requests(),
                new SeriesResult.Pauses(
                        pauses.size(),
                        pauses.stream().mapToDouble(GcLog.Pause::millis).sum(),
                        pauses.stream().mapToDouble(GcLog.Pause::millis).max().orElse(0)),
                moments(course.perSecond(), log, start),
                contest.meter().disturbed(before, after),
                null);
    }

    private static String word(Cell.Collector collector) {
        return collector.name().toLowerCase(Locale.ROOT);
    }

    /// Returns the course of a load in pieces of whole seconds.
    static List<SeriesResult.Moment> moments(List<Long> perSecond, GcLog log, long startMillis) {
        int width = Math.ceilDiv(Math.max(1, perSecond.size()), MOMENTS_MAX);
        List<SeriesResult.Moment> moments = new ArrayList<>();
        for (int from = 0; from + width <= perSecond.size(); from += width) {
            int end = from + width;
            long answers = 0;
            for (long count : perSecond.subList(from, end)) {
                answers += count;
            }
            moments.add(
                    new SeriesResult.Moment(
                            end,
                            (double) answers / width,
                            log.heapMegabytes(startMillis + end * 1000L)));
        }
        return moments;
    }
}
