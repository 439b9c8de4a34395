package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The result of a cell in which each server was offered a part of its capacity: the distribution of
/// latencies, which begin at the planned instant.
///
/// @param share of the capacity that was offered
/// @param notes how it was measured
public record TailResult(
        String cell,
        String title,
        String subject,
        double share,
        List<Server> servers,
        List<String> notes)
        implements CellResult {
    /// The percentiles of tables and of the comparison of servers.
    public static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 99.99);

    /// The percentiles of curves.
    private static final List<Double> CURVE =
            List.of(
                    0.0, 25.0, 50.0, 75.0, 90.0, 95.0, 97.5, 99.0, 99.5, 99.75, 99.9, 99.95, 99.975,
                    99.99, 99.995, 99.999);

    /// Latencies at a percentile. NaN if fewer requests than one were beyond it.
    ///
    /// @param millis of all requests
    /// @param rounds of the requests of each round
    public record Latency(double percentile, double millis, List<Double> rounds) {
        private Statistics statistics() {
            Statistics each = Statistics.of(rounds.stream().filter(Double::isFinite).toList());
            return new Statistics(millis, each.min(), each.max());
        }
    }

    /// The figures of a server.
    ///
    /// @param capacity right answers per second to users who wait
    /// @param offered planned requests per second
    /// @param requests the number of planned requests
    /// @param failed those that the server answered wrongly, refused or did not answer
    /// @param latencies of right answers, in the order of percentiles
    /// @param cpuMicros CPU time of the server per planned request
    /// @param busy CPU time of the server as a share of its CPUs
    /// @param lateShare requests that the generator sent late or not at all, as a share
    /// @param ofTheGenerator whether that is too much, so that the figures are not the server's
    /// @param disturbed whether other programs took too much CPU time
    /// @param failure why there are no figures, or null if there are
    public record Server(
            String peer,
            double capacity,
            double offered,
            long requests,
            long failed,
            List<Latency> latencies,
            double cpuMicros,
            double busy,
            double lateShare,
            boolean ofTheGenerator,
            boolean disturbed,
            @Nullable String failure) {
        /// Returns the figures of a server that could not be measured.
        public static Server failed(String peer, String failure) {
            double none = Double.NaN;
            return new Server(
                    peer, none, none, 0, 0, List.of(), none, none, none, false, false, failure);
        }

        /// Returns the latency of all requests at a percentile of the curve, or NaN.
        public double millis(double percentile) {
            return at(percentile).millis();
        }

        /// Returns the latency at a percentile of the curve, or one without figures.
        Latency at(double percentile) {
            return latencies.stream()
                    .filter(one -> one.percentile() == percentile)
                    .findFirst()
                    .orElse(new Latency(percentile, Double.NaN, List.of()));
        }
    }

    /// Returns the latencies at all percentiles of a curve.
    ///
    /// @param millis returns the latency of all requests at a percentile
    /// @param rounds the same of the requests of each round
    public static List<Latency> latencies(
            Function<Double, Double> millis, List<Function<Double, Double>> rounds) {
        return CURVE.stream()
                .map(p ->
                        new Latency(
                                p,
                                millis.apply(p),
                                rounds.stream().map(round -> round.apply(p)).toList()))
                .toList();
    }

    /// Returns FAIL if the subject failed or one of its requests did, and NONE otherwise.
    @Override
    @JsonProperty("verdict")
    public Verdict verdict() {
        return servers.stream()
                        .filter(server -> server.peer().equals(subject))
                        .anyMatch(server -> server.failure() != null || server.failed() > 0)
                ? Verdict.FAIL
                : Verdict.NONE;
    }

    @Override
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            rows.add(row("p" + label(percentile), "ms", s -> s.at(percentile).statistics()));
        }
        rows.add(row("CPU per request there", "µs", s -> Statistics.of(List.of(s.cpuMicros()))));
        return rows;
    }

    private Row row(String measure, String unit, Function<Server, Statistics> figure) {
        Map<String, Statistics> values = new LinkedHashMap<>();
        for (Server server : servers) {
            if (server.failure() == null && !server.ofTheGenerator()) {
                values.put(server.peer(), figure.apply(server));
            }
        }
        return new Row(cell, measure, unit, Row.Better.LOWER, values);
    }

    private static String label(double percentile) {
        return percentile == Math.rint(percentile)
                ? String.valueOf((long) percentile)
                : String.valueOf(percentile);
    }

    @Override
    public List<Chart> charts() {
        List<Chart.Line> lines = new ArrayList<>();
        for (Server server : servers) {
            List<Chart.Point> points =
                    server.latencies().stream()
                            .filter(one -> Double.isFinite(one.millis()))
                            .map(one -> new Chart.Point(one.percentile(), one.millis()))
                            .toList();
            if (!points.isEmpty()) {
                lines.add(new Chart.Line(server.peer(), points));
            }
        }
        return List.of(
                new Chart(
                        cell + ": latency by percentile",
                        new Chart.Axis("requests within it", Chart.PERCENTILE, true),
                        new Chart.Axis("latency from the planned instant", "ms", true),
                        lines));
    }

    @Override
    public Model model() {
        return Model.OPEN;
    }

    @Override
    public List<Gap> gaps() {
        return Gap.failures(cell, servers, Server::peer, Server::failure);
    }

    @Override
    public Map<String, Table> tables() {
        List<Table.Column<Server>> columns = new ArrayList<>();
        columns.add(new Table.Column<>("server", TailResult::marked));
        columns.add(new Table.Column<>("capacity/s", s -> Digits.of(s.capacity(), 0)));
        columns.add(new Table.Column<>("offered/s", s -> Digits.of(s.offered(), 0)));
        for (double percentile : PERCENTILES) {
            columns.add(
                    new Table.Column<>(
                            "p" + label(percentile) + " ms",
                            s -> Digits.range(s.at(percentile).statistics(), 2)));
        }
        columns.add(new Table.Column<>("failed", s -> String.valueOf(s.failed())));
        columns.add(new Table.Column<>("CPU µs", s -> Digits.brief(s.cpuMicros(), 1)));
        columns.add(new Table.Column<>("CPU busy %", s -> Digits.of(s.busy() * 100, 0)));
        return Map.of("Latency, " + cell + ": " + title, Table.of(servers, columns));
    }

    private static String marked(Server server) {
        return (server.disturbed() ? "~" : "")
                + (server.ofTheGenerator() ? "g " : "")
                + server.peer();
    }

    @Override
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        remarks.add(
                "%s: each server was offered %.2f of its own capacity, so the rates differ"
                        .formatted(cell, share));
        remarks.add(
                "%s: the generator was at its end with servers marked g, which are not compared"
                        .formatted(cell));
        notes.forEach(note -> remarks.add(cell + ": " + note));
        return remarks;
    }
}
