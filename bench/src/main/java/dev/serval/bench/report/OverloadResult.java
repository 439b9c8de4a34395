package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
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
        implements CellResult.OfServers<OverloadResult.Server> {
    /// The figures of a server.
    ///
    /// @param capacity right answers per second to users who wait
    /// @param steps in the order in which they were offered; empty after a failure
    /// @param failure why there are no steps, or null if there are
    public record Server(String peer, double capacity, List<Step> steps, @Nullable String failure)
            implements OfPeer {
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
    public List<Row> rows() {
        return List.of(
                row("peak goodput", Server::peak),
                row("goodput at the greatest load", s -> s.steps().getLast().goodput()));
    }

    private Row row(String measure, ToDoubleFunction<Server> figure) {
        return row(
                measure,
                "1/s",
                Row.Better.HIGHER,
                s ->
                        s.steps().isEmpty()
                                ? Statistics.NONE
                                : Statistics.one(figure.applyAsDouble(s)));
    }

    @Override
    public List<Chart> charts() {
        Chart.Axis offered = new Chart.Axis("offered", "requests/s", false);
        return List.of(
                new Chart(
                        title + ": goodput",
                        offered,
                        new Chart.Axis("goodput", "answers/s", false),
                        lines(Server::steps, Step::offered, Step::goodput)),
                new Chart(
                        title + ": 99th percentile of right answers",
                        offered,
                        new Chart.Axis("latency", "ms", true),
                        lines(Server::steps, Step::offered, Step::p99Millis)));
    }

    /// A row of the table.
    private record Entry(Server server, Step step) {
        String name() {
            boolean whole = step.multiple() == Math.rint(step.multiple());
            return server.peer() + " × " + Digits.of(step.multiple(), whole ? 0 : 1);
        }
    }

    private List<Entry> entries() {
        return servers.stream()
                .flatMap(server -> server.steps().stream().map(step -> new Entry(server, step)))
                .toList();
    }

    @Override
    public Map<String, Table> tables() {
        List<Entry> entries = entries();
        return entries.isEmpty()
                ? Map.of()
                : Map.of("Overload, " + cell + ": " + title, table(entries));
    }

    private Table table(List<Entry> entries) {
        Table.Columns<Entry> columns =
                Table.of(entries)
                        .text("server × capacity", e -> (e.step.disturbed() ? "~" : "") + e.name())
                        .figure("offered/s", e -> e.step.offered(), 0)
                        .figure("goodput/s", e -> e.step.goodput(), 0)
                        .figure("÷ peak", e -> e.step.goodput() / e.server.peak(), 2)
                        .brief("p99 ms", e -> e.step.p99Millis(), 1);
        for (String end : entries.getFirst().step.ends().keySet()) {
            columns.count(end, e -> e.step.ends().getOrDefault(end, 0L));
        }
        return columns.brief("refused p99 ms", e -> e.step.refusedP99Millis(), 1)
                .figure("late %", e -> e.step.lateShare() * 100, 1)
                .figure("recovery s", e -> e.step.recoverySeconds(), 2)
                .text("gate", e -> verdict(e.server, e.step).word())
                .table();
    }

    @Override
    public Stream<String> judged() {
        Stream<String> limited =
                entries().stream()
                        .filter(entry -> entry.step.ofTheGenerator())
                        .map(entry ->
                                "%s, %s: the generator was at its end, so these are not the server's"
                                        .formatted(cell, entry.name()));
        String gates =
                "%s: beyond the capacity at least %s of the peak, and as before after %s s"
                        .formatted(
                                cell, Digits.hundredths(goodputGate), Digits.of(recoveryGate, 1));
        return Stream.concat(limited, Stream.of(gates));
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

    /// Returns FAIL if the server failed in a step, and NONE if no step could be compared.
    @Override
    public Verdict verdict(Server server) {
        return server.failure() != null
                ? Verdict.FAIL
                : Verdict.worst(server.steps().stream().map(s -> verdict(server, s)).toList());
    }
}
