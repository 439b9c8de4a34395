package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The latency of static files beside application code that keeps its thread, with and without
/// preemption of the loops.
///
/// @param steps one for each number of clients that request such code
/// @param failure why steps are missing, or null if none is
public record LatencyResult(String cell, String title, List<Step> steps, @Nullable String failure)
        implements CellResult {
    private static final String TABLE =
            "Latency of static files beside application code, ms: p50 / p99 / max";

    /// Percentiles of latency, in milliseconds.
    public record Millis(double p50, double p99, double max) {}

    /// The measurement of one server.
    ///
    /// @param unanswered requests that timed out; they count with the time they had waited
    /// @param preemptions of the loop during the measurement
    /// @param disturbed whether other processes took too much CPU time
    public record Measured(
            Millis millis,
            long requests,
            long unanswered,
            long hogRequests,
            long preemptions,
            boolean disturbed) {}

    /// The results of one number of clients.
    ///
    /// @param without a server that never preempts a loop
    /// @param with a server that preempts its loops, as by default
    /// @param prototype the prototype's results, or null if there are none
    public record Step(int hogs, Measured without, Measured with, @Nullable Published prototype) {}

    /// The published results of the prototype.
    ///
    /// @param without preemption, or null if it was not measured
    /// @param with preemption and learning, or null if it was not measured
    public record Published(int hogs, @Nullable Millis without, @Nullable Millis with) {}

    @Override
    public Model model() {
        return Model.OPEN;
    }

    @Override
    public List<Gap> gaps() {
        return failure == null ? List.of() : List.of(Gap.failed(cell, "", failure));
    }

    @Override
    public Map<String, Table> tables() {
        Table table =
                Table.of(steps)
                        .text("cell × clients", this::name)
                        .text("no preemption", step -> measured(step.without()))
                        .text("preemption", step -> measured(step.with()))
                        .text(
                                "prototype, no preemption",
                                step -> prototype(step, Published::without))
                        .text("prototype, preemption", step -> prototype(step, Published::with))
                        .table();
        return steps.isEmpty() ? Map.of() : Map.of(TABLE, table);
    }

    private String name(Step step) {
        return cell + " × " + step.hogs();
    }

    private static String measured(Measured of) {
        return (of.disturbed() ? "~" : "") + millis(of.millis());
    }

    private static String prototype(Step step, Function<Published, @Nullable Millis> side) {
        Published prototype = step.prototype();
        return millis(prototype == null ? null : side.apply(prototype));
    }

    private static String millis(@Nullable Millis of) {
        return of == null
                ? "–"
                : brief(of.p50()) + " / " + brief(of.p99()) + " / " + brief(of.max());
    }

    private static String brief(double millis) {
        return Digits.of(millis, millis < 10 ? 1 : 0);
    }

    @Override
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        for (Step step : steps) {
            addUnanswered(name(step) + " without preemption", step.without(), remarks);
            addUnanswered(name(step), step.with(), remarks);
        }
        String disturbed =
                steps.stream()
                        .filter(step -> step.without().disturbed() || step.with().disturbed())
                        .map(this::name)
                        .collect(Collectors.joining(", "));
        if (!disturbed.isEmpty()) {
            remarks.add("other processes took too much CPU time (~): " + disturbed);
        }
        return remarks;
    }

    private static void addUnanswered(String name, Measured of, List<String> remarks) {
        if (of.unanswered() > 0) {
            remarks.add(
                    "%s: %d of %d requests timed out; they count with the time they had waited"
                            .formatted(name, of.unanswered(), of.requests()));
        }
    }

    @Override
    public List<Chart> charts() {
        return List.of(
                new Chart(
                        title + ": 99th percentile",
                        new Chart.Axis("clients of the slow code", "", false),
                        new Chart.Axis("latency", "ms", true),
                        List.of(
                                line("without preemption", Step::without),
                                line("with preemption", Step::with))));
    }

    private Chart.Line line(String name, Function<Step, Measured> side) {
        return Chart.Line.of(name, steps, Step::hogs, s -> side.apply(s).millis().p99());
    }

    /// Returns FAIL only if a measurement failed. The latency has no gate.
    @Override
    @JsonProperty("verdict")
    public Verdict verdict() {
        return failure == null ? Verdict.NONE : Verdict.FAIL;
    }
}
