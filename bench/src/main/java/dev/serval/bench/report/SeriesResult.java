package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The result of a cell that repeated a load for long on servers in Java, with several collectors
/// and two heaps.
///
/// @param gate the lowest rate of the long load ÷ that of the short one
/// @param seconds length of the long load
/// @param published figures of a paper
/// @param notes how it was measured
public record SeriesResult(
        String cell,
        String title,
        String subject,
        double gate,
        int seconds,
        List<Course> courses,
        @JsonProperty("published") List<Published> published,
        List<String> notes)
        implements CellResult.OfServers<SeriesResult.Course> {
    /// The long load on one server.
    ///
    /// @param collector the word of the collector
    /// @param ample whether the heap was the ample one, or the smallest that works
    /// @param shortRate requests per second of the short load with the same collector and the ample
    ///     heap
    /// @param rate requests per second of the long load
    /// @param cpuMicros CPU time per request of the long load
    /// @param moments in the order of time
    /// @param disturbed whether other programs took too much CPU time
    /// @param failure why there are no figures, or null if there are
    public record Course(
            String peer,
            String collector,
            boolean ample,
            int heapMegabytes,
            double shortRate,
            double rate,
            double cpuMicros,
            Pauses pauses,
            List<Moment> moments,
            boolean disturbed,
            @Nullable String failure)
            implements OfPeer {
        /// Returns the course of a server that could not be measured.
        public static Course failed(
                String peer, String collector, boolean ample, int heapMegabytes, String failure) {
            return new Course(
                    peer,
                    collector,
                    ample,
                    heapMegabytes,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    new Pauses(0, 0, 0),
                    List.of(),
                    false,
                    failure);
        }

        /// Returns the rate of the long load ÷ that of the short one, with two decimals, or NaN.
        @JsonProperty("ratio")
        public double ratio() {
            double ratio = rate / shortRate;
            return Double.isNaN(ratio) ? ratio : Math.round(ratio * 100) / 100.0;
        }

        @Override
        public String label() {
            return peer + ", " + collector + ", " + heap();
        }

        private String heap() {
            return heapMegabytes + " MB" + (ample ? "" : " (smallest)");
        }
    }

    /// The pauses of the collector during the long load.
    public record Pauses(int count, double totalMillis, double longestMillis) {}

    /// A piece of the long load.
    ///
    /// @param second its end
    /// @param rate requests per second
    /// @param heapMegabytes after the last collection until then, or NaN before the first
    public record Moment(double second, double rate, double heapMegabytes) {}

    @Override
    public List<Course> servers() {
        return courses;
    }

    @Override
    public Verdict verdict(Course course) {
        if (course.failure() != null) {
            return Verdict.FAIL;
        }
        return course.ratio() >= gate ? Verdict.PASS : Verdict.FAIL;
    }

    /// Returns rows whose values are those of the collectors and heaps of a server.
    @Override
    public List<Row> rows() {
        return List.of(
                row("long load ÷ short load", "ratio", Row.Better.HIGHER, _ -> true, Course::ratio),
                row(
                        "smallest heap that works",
                        "MB",
                        Row.Better.LOWER,
                        course -> !course.ample(),
                        Course::heapMegabytes),
                row("requests per second", "1/s", Row.Better.HIGHER, Course::ample, Course::rate));
    }

    private Row row(
            String measure,
            String unit,
            Row.Better better,
            Predicate<Course> counted,
            ToDoubleFunction<Course> figure) {
        Map<String, Statistics> values = new LinkedHashMap<>();
        for (String peer : peers()) {
            List<Double> all =
                    courses.stream()
                            .filter(course -> course.peer().equals(peer))
                            .filter(course -> course.failure() == null)
                            .filter(counted)
                            .map(course -> figure.applyAsDouble(course))
                            .toList();
            if (!all.isEmpty()) {
                values.put(peer, Statistics.of(all));
            }
        }
        return new Row(cell, measure, unit, better, values);
    }

    private List<String> peers() {
        return courses.stream().map(Course::peer).distinct().toList();
    }

    /// Returns two charts for each server: throughput and heap over time, with a line for each
    /// collector and heap.
    @Override
    public List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        for (String peer : peers()) {
            charts.add(chart(peer, "throughput over time", "requests/s", Moment::rate));
            charts.add(
                    chart(peer, "heap after collections over time", "MB", Moment::heapMegabytes));
        }
        return charts;
    }

    private Chart chart(String peer, String what, String unit, ToDoubleFunction<Moment> figure) {
        List<Chart.Line> lines =
                courses.stream()
                        .filter(course -> course.peer().equals(peer))
                        .map(course ->
                                Chart.Line.of(
                                        course.collector() + ", " + course.heap(),
                                        course.moments(),
                                        Moment::second,
                                        figure))
                        .toList();
        return new Chart(
                cell + ", " + peer + ": " + what,
                new Chart.Axis("time", "s", false),
                new Chart.Axis(what, unit, false),
                Chart.Line.known(lines));
    }

    @Override
    public Model model() {
        return Model.CLOSED;
    }

    @Override
    public Map<String, Table> tables() {
        Table table =
                Table.of(courses)
                        .text(
                                "server, collector, heap",
                                c -> (c.disturbed() ? "~" : "") + c.label())
                        .figure("short/s", Course::shortRate, 0)
                        .figure("long/s", Course::rate, 0)
                        .figure("long ÷ short", Course::ratio, 2)
                        .text("gate", c -> verdict(c).word())
                        .figure("CPU µs", Course::cpuMicros, 2)
                        .count("pauses", c -> c.pauses().count())
                        .brief("paused ms", c -> c.pauses().totalMillis(), 1)
                        .brief("longest ms", c -> c.pauses().longestMillis(), 2)
                        .table();
        return Map.of("Long load, " + cell + ": " + title, table);
    }

    @Override
    public Stream<String> judged() {
        return Stream.of(
                "%s: %d s; at least %s of the short load's requests per second"
                        .formatted(cell, seconds, Digits.hundredths(gate)));
    }
}
