package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The result of a cell in which servers were offered multiples of their capacity.
///
/// @param goodputGate the lowest goodput beyond the capacity ÷ the peak of the same server
/// @param recoveryGate the longest time in seconds until a server is as before
/// @param notes how it was measured
public record OverloadResult(
        String cell,
        String title,
        String subject,
        double goodputGate,
        double recoveryGate,
        List<Server> servers,
        List<String> notes)
        implements CellResult {
    /// The figures of a server.
    ///
    /// @param capacity right answers per second to users who wait
    /// @param steps in the order in which they were offered; empty after a failure
    /// @param failure why there are no steps, or null if there are
    public record Server(String peer, double capacity, List<Step> steps, @Nullable String failure) {
        /// Returns the greatest goodput of all steps.
        @JsonProperty("peak")
        public double peak() {
            return steps.stream().mapToDouble(Step::goodput).max().orElse(Double.NaN);
        }
    }

    /// The figures of one multiple of the capacity.
    ///
    /// @param offered planned requests per second
    /// @param goodput right answers per second within the deadline
    /// @param p99Millis 99th percentile of right answers
    /// @param ends how often a request ended in each other way, by its word
    /// @param refusedP99Millis 99th percentile of the time until a refusal, or NaN without any
    /// @param lateShare requests that the generator sent late or not at all, as a share
    /// @param ofTheGenerator whether that is too much, so that the figures are not the server's
    /// @param recoverySeconds time until a light load is answered as before, or NaN if it never was
    /// @param disturbed whether other programs took too much CPU time
    public record Step(
            double multiple,
            double offered,
            double goodput,
            double p99Millis,
            Map<String, Long> ends,
            double refusedP99Millis,
            double lateShare,
            boolean ofTheGenerator,
            double recoverySeconds,
            boolean disturbed) {}

    @Override
    public Model model() {
        return Model.OPEN;
    }

    @Override
    public List<Gap> gaps() {
        return Gap.failures(cell, servers, Server::peer, Server::failure);
    }

    @Override
    public List<Row> rows() {
        Map<String, Statistics> peaks = new LinkedHashMap<>();
        Map<String, Statistics> kept = new LinkedHashMap<>();
        for (Server server : servers) {
            if (server.failure() == null && !server.steps().isEmpty()) {
                peaks.put(server.peer(), Statistics.of(List.of(server.peak())));
                kept.put(server.peer(), Statistics.of(List.of(server.steps().getLast().goodput())));
            }
        }
        return List.of(
                new Row(cell, "peak goodput", "1/s", Row.Better.HIGHER, peaks),
                new Row(cell, "goodput at the greatest load", "1/s", Row.Better.HIGHER, kept));
    }

    @Override
    public List<Chart> charts() {
        Chart.Axis offered = new Chart.Axis("offered", "requests/s", false);
        return List.of(
                new Chart(
                        title + ": goodput",
                        offered,
                        new Chart.Axis("goodput", "answers/s", false),
                        lines(Step::goodput)),
                new Chart(
                        title + ": 99th percentile of right answers",
                        offered,
                        new Chart.Axis("latency", "ms", true),
                        lines(Step::p99Millis)));
    }

    private List<Chart.Line> lines(ToDoubleFunction<Step> figure) {
        return servers.stream()
                .filter(server -> server.failure() == null)
                .map(server ->
                        new Chart.Line(
                                server.peer(),
                                server.steps().stream()
                                        .map(s ->
                                                new Chart.Point(
                                                        s.offered(), figure.applyAsDouble(s)))
                                        .toList()))
                .toList();
    }

    /// Returns whether a step is within the gates. Below the capacity, and if the generator did not
    /// make the load, there is nothing to compare.
    public Verdict verdict(Server server, Step step) {
        if (step.multiple() <= 1 || step.ofTheGenerator()) {
            return Verdict.NONE;
        }
        boolean kept =
                step.goodput() >= goodputGate * server.peak()
                        && step.recoverySeconds() <= recoveryGate;
        return kept ? Verdict.PASS : Verdict.FAIL;
    }

    /// Returns FAIL if the subject failed in a step, and NONE if none could be compared.
    @Override
    @JsonProperty("verdict")
    public Verdict verdict() {
        Verdict all = Verdict.NONE;
        for (Server server : servers) {
            if (server.peer().equals(subject)) {
                if (server.failure() != null) {
                    return Verdict.FAIL;
                }
                for (Step step : server.steps()) {
                    Verdict one = verdict(server, step);
                    if (one == Verdict.FAIL) {
                        return one;
                    }
                    all = one == Verdict.PASS ? one : all;
                }
            }
        }
        return all;
    }
}
