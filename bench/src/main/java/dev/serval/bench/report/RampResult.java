package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The result of a cell in which servers were offered rising rates of new connections.
///
/// @param gate the lowest reply rate beyond the highest rate without an error ÷ the peak
/// @param ceiling requests per second that the generator makes of a server without work
/// @param published figures of a paper
/// @param notes how it was measured
public record RampResult(
        String cell,
        String title,
        String subject,
        double gate,
        double ceiling,
        List<Server> servers,
        @JsonProperty("published") List<Published> published,
        List<String> notes)
        implements CellResult.OfServers<RampResult.Server> {
    /// Descriptors that may open and close between two samples of their number.
    private static final int DESCRIPTORS_UNSEEN = 16;

    private static final String HIGHEST = "highest rate without an error";

    /// The lowest gate. Files of earlier versions have a lower one for sessions.
    private static final double GATE_MIN = 0.9;

    /// Raises a gate that is too low.
    public RampResult {
        gate = Math.max(gate, GATE_MIN);
    }

    /// What a server does at rates beyond its highest rate without an error.
    public enum Beyond {
        /// Every step was without an error until the generator was at its end.
        NOT_REACHED,
        /// The reply rate stays, and at most one request in a hundred fails.
        STABLE,
        /// The reply rate stays, and most requests that fail are refused: by status 503 or another
        /// answer, or by a reset or refused connection.
        REFUSES,
        /// Most requests that fail have no answer within the timeout.
        TIMES_OUT,
        /// The reply rate falls below the kept share of its peak, and timeouts are not the reason.
        COLLAPSES,
        /// The process has ended, or gives no right answer after the ramp.
        CRASHES
    }

    /// The reply rates that were counted in the pieces of a step.
    public record Replies(double min, double mean, double max, double deviation) {
        /// Computes the figures of some rates; the deviation is that of a sample.
        public static Replies of(double[] rates) {
            double mean = Statistics.mean(rates);
            double min = Double.POSITIVE_INFINITY;
            double max = 0;
            for (double rate : rates) {
                min = Math.min(min, rate);
                max = Math.max(max, rate);
            }
            return new Replies(min, mean, max, Statistics.deviation(rates));
        }
    }

    /// The figures of one rate. Latencies are of right answers, from the planned instant.
    ///
    /// @param planned the rate that all servers get
    /// @param offered planned requests per second, as they fell into the step
    /// @param ends how often a request ended in each other way than right, by its word
    /// @param failed those that the server answered wrongly, refused or did not answer
    /// @param timeouts those that it did not answer
    /// @param lateShare requests that the generator sent late or not at all, as a share
    /// @param ofTheGenerator whether that is too much, so that the figures are not the server's
    /// @param cpuMicros CPU time of the server per planned request
    /// @param descriptors the most that a process of the server had open
    /// @param disturbed whether other programs took too much CPU time
    public record Step(
            double planned,
            double offered,
            Replies replies,
            double p50Millis,
            double p90Millis,
            double p99Millis,
            Map<String, Long> ends,
            long failed,
            long timeouts,
            double lateShare,
            boolean ofTheGenerator,
            double cpuMicros,
            int descriptors,
            boolean disturbed) {
        /// A server keeps up if its reply rate is at least this share of the offered rate.
        private static final double KEPT_UP_SHARE = 0.9;

        private double failedShare(double seconds) {
            return failed / (offered * seconds);
        }

        /// Returns whether the server answered every request in time and kept up. In a step that is
        /// not much longer than the timeout, a server with a growing queue could answer them all.
        boolean isSustained() {
            return failed == 0 && !ofTheGenerator && replies.mean() >= KEPT_UP_SHARE * offered;
        }

        /// Returns whether the rate was more than the server can sustain.
        public boolean tooMuch() {
            return !isSustained() && !ofTheGenerator;
        }
    }

    /// The figures of a server.
    ///
    /// @param seconds length of a step
    /// @param steps in the order in which they were offered; empty after a failure
    /// @param crashed whether the process ended, or gave no right answer after the ramp
    /// @param descriptorsMax how many descriptors a process of the server may have open
    /// @param failure why there are no steps, or null if there are
    public record Server(
            String peer,
            double seconds,
            List<Step> steps,
            boolean crashed,
            int descriptorsMax,
            @Nullable String failure)
            implements OfPeer {
        /// At most this share of requests fails in a stable server.
        private static final double STABLE_SHARE = 0.01;

        /// Returns the step with the highest rate at which every request had a right answer within
        /// the timeout, and the server kept up. Lower steps may have had errors, as in the paper.
        public Optional<Step> best() {
            return steps.stream()
                    .filter(Step::isSustained)
                    .reduce((one, other) -> other.planned() > one.planned() ? other : one);
        }

        /// Returns the highest rate without an error, or 0 if there was none.
        @JsonProperty("highest")
        public double highest() {
            return best().map(Step::planned).orElse(0.0);
        }

        /// Returns the step with a rate if it is one without an error.
        private Optional<Step> at(double rate) {
            return steps.stream()
                    .filter(step -> step.planned() == rate && step.isSustained())
                    .findFirst();
        }

        /// Returns the greatest mean reply rate of a step that the generator made.
        @JsonProperty("peak")
        public double peak() {
            return after(0).stream().mapToDouble(step -> step.replies().mean()).max().orElse(0);
        }

        /// Returns whether a process had no descriptor left at some moment between two samples.
        private boolean wasFull() {
            int full = descriptorsMax - DESCRIPTORS_UNSEEN;
            return steps.stream().anyMatch(step -> step.descriptors() >= full);
        }

        /// Returns the steps above a rate that the generator made.
        private List<Step> after(double rate) {
            return steps.stream()
                    .filter(step -> step.planned() > rate && !step.ofTheGenerator())
                    .toList();
        }

        /// Returns what the server does beyond its highest rate without an error.
        ///
        /// @param kept the lowest share of the peak at which a reply rate stays
        public Beyond beyond(double kept) {
            if (crashed) {
                return Beyond.CRASHES;
            }
            List<Step> after = after(highest());
            if (after.isEmpty()) {
                return Beyond.NOT_REACHED;
            }
            long failed = after.stream().mapToLong(Step::failed).sum();
            long timeouts = after.stream().mapToLong(Step::timeouts).sum();
            boolean stays = after.stream().allMatch(step -> step.replies().mean() >= kept * peak());
            boolean few =
                    after.stream().allMatch(step -> step.failedShare(seconds) <= STABLE_SHARE);
            if (stays && few) {
                return Beyond.STABLE;
            }
            if (timeouts > 0 && 2 * timeouts >= failed) {
                return Beyond.TIMES_OUT;
            }
            return stays ? Beyond.REFUSES : Beyond.COLLAPSES;
        }

        /// Returns the least reply rate from twice the highest rate without an error on ÷ the peak,
        /// or empty if no such rate was offered.
        public OptionalDouble keptAtTwice() {
            return after(highest()).stream()
                    .filter(step -> step.planned() >= 2 * highest())
                    .mapToDouble(step -> step.replies().mean() / peak())
                    .min();
        }
    }

    /// Returns whether a server keeps the gate. It fails if it crashes, or if its replies fall from
    /// twice its highest rate on.
    @Override
    public Verdict verdict(Server server) {
        if (server.failure() != null || server.crashed()) {
            return Verdict.FAIL;
        }
        OptionalDouble kept = server.keptAtTwice();
        if (kept.isEmpty()) {
            return Verdict.NONE;
        }
        return kept.getAsDouble() >= gate ? Verdict.PASS : Verdict.FAIL;
    }

    /// Returns the highest rates, and what answers take and cost at one rate: the highest at which both
    /// the subject and another server had no error. Servers that had errors there are not compared.
    @Override
    public List<Row> rows() {
        boolean limited = servers.stream().anyMatch(this::isLimited);
        String name = cell + (limited ? ", some limited by the generator" : "");
        List<Row> rows = new ArrayList<>();
        Map<String, Statistics> rates = OfPeer.values(servers, this::rate);
        rows.add(new Row(name, HIGHEST, "1/s", Row.Better.HIGHER, rates));
        sharedRate()
                .ifPresent(rate -> {
                    String there = " at " + Digits.of(rate, 0) + "/s";
                    rows.add(row("p99" + there, "ms", Row.Better.LOWER, at(rate, Step::p99Millis)));
                    rows.add(
                            row(
                                    "CPU per request" + there,
                                    "µs",
                                    Row.Better.LOWER,
                                    at(rate, Step::cpuMicros)));
                });
        return rows;
    }

    /// Returns whether the generator was at its end before the server.
    private boolean isLimited(Server server) {
        return server.failure() == null && server.beyond(gate) == Beyond.NOT_REACHED;
    }

    private Statistics rate(Server server) {
        return server.best()
                .map(Step::planned)
                .map(isLimited(server) ? Statistics::atLeast : Statistics::one)
                .orElse(Statistics.NONE);
    }

    private OptionalDouble sharedRate() {
        return servers.stream()
                .filter(server -> server.peer().equals(subject))
                .flatMap(server -> server.steps().stream())
                .filter(Step::isSustained)
                .mapToDouble(Step::planned)
                .filter(rate -> servers.stream().filter(s -> s.at(rate).isPresent()).count() > 1)
                .max();
    }

    private static Function<Server, Statistics> at(double rate, ToDoubleFunction<Step> figure) {
        return server ->
                server.at(rate)
                        .map(step -> Statistics.one(figure.applyAsDouble(step)))
                        .orElse(Statistics.NONE);
    }

    @Override
    public List<Chart> charts() {
        return List.of(
                chart("reply rate", "1/s", false, step -> step.replies().mean()),
                chart("99th percentile from the planned instant", "ms", true, Step::p99Millis));
    }

    private Chart chart(
            String what, String unit, boolean logarithmic, ToDoubleFunction<Step> figure) {
        return new Chart(
                cell + ": " + what + " against offered rate",
                new Chart.Axis("offered rate", "1/s", false),
                new Chart.Axis(what, unit, logarithmic),
                Chart.Line.known(lines(Server::steps, Step::offered, figure)));
    }

    @Override
    public Map<String, Table> tables() {
        Map<String, Table> tables = new LinkedHashMap<>();
        tables.put("Ramp, " + cell + ": " + title, highest());
        tables.put(
                "Ramp, " + cell + ": replies per second at each offered rate (failed %)",
                replies());
        return tables;
    }

    private Table highest() {
        return Table.of(servers)
                .text("server", Server::peer)
                .text(HIGHEST + "/s", this::highest)
                .text("p50 ms", s -> best(s, Step::p50Millis, 2))
                .text("p90 ms", s -> best(s, Step::p90Millis, 2))
                .text("p99 ms", s -> best(s, Step::p99Millis, 2))
                .text("CPU µs", s -> best(s, Step::cpuMicros, 1))
                .figure("peak replies/s", Server::peak, 0)
                .text("beyond", this::beyond)
                .figure("at twice ÷ peak", s -> s.keptAtTwice().orElse(Double.NaN), 2)
                .text("gate", s -> "≥ " + Digits.hundredths(gate) + " " + verdict(s).word())
                .text("descriptors (of)", RampResult::descriptors)
                .table();
    }

    private String beyond(Server server) {
        return server.failure() != null ? "failed" : Words.of(server.beyond(gate));
    }

    private String highest(Server server) {
        String mark = isLimited(server) ? "≥ " : "";
        return server.best().map(step -> mark + Digits.of(step.planned(), 0)).orElse("–");
    }

    private static String best(Server server, ToDoubleFunction<Step> figure, int decimals) {
        return server.best()
                .map(step -> Digits.brief(figure.applyAsDouble(step), decimals))
                .orElse("–");
    }

    private static String descriptors(Server server) {
        int most = server.steps().stream().mapToInt(Step::descriptors).max().orElse(0);
        return most + " (" + server.descriptorsMax() + ")";
    }

    private List<Double> planned() {
        TreeSet<Double> rates = new TreeSet<>();
        servers.forEach(server -> server.steps().forEach(step -> rates.add(step.planned())));
        return List.copyOf(rates);
    }

    private Table replies() {
        Table.Columns<Double> columns = Table.of(planned()).figure("offered/s", rate -> rate, 0);
        servers.forEach(server -> columns.text(server.peer(), rate -> replies(server, rate)));
        return columns.table();
    }

    private static String replies(Server server, double rate) {
        return server.steps().stream()
                .filter(step -> step.planned() == rate)
                .findFirst()
                .map(step -> replies(server, step))
                .orElse("–");
    }

    private static String replies(Server server, Step step) {
        String marks = (step.disturbed() ? "~" : "") + (step.ofTheGenerator() ? "g" : "");
        String failed =
                step.failed() == 0
                        ? ""
                        : " (" + Digits.of(step.failedShare(server.seconds()) * 100, 1) + ")";
        return marks + Digits.of(step.replies().mean(), 0) + failed;
    }

    @Override
    public Stream<String> judged() {
        Stream<String> full =
                servers.stream()
                        .filter(Server::wasFull)
                        .map(server -> cell + ", " + server.peer() + ": had no descriptor left");
        String late =
                "%s: the generator was at its end in rates with g, so these are not the server's"
                        .formatted(cell);
        return Stream.concat(full, Stream.of(late));
    }
}
