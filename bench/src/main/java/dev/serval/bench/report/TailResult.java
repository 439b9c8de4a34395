package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The result of a cell in which each server was offered a part of its capacity: the distribution of
/// latencies, which begin at the planned instant.
///
/// @param notes how it was measured
public record TailResult(
        String cell, String title, String subject, List<Server> servers, List<String> notes)
        implements CellResult.OfServers<TailResult.Server> {
    /// The percentiles of tables and of the comparison of servers.
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 99.99);

    /// A latency of all requests at a percentile, with the extremes of the rounds.
    public record Latency(double percentile, Statistics millis) {}

    /// The figures of a server.
    ///
    /// @param capacity right answers per second to users who wait
    /// @param offered planned requests per second
    /// @param failed requests that the server answered wrongly, refused or did not answer
    /// @param latencies of right answers, in the order of percentiles
    /// @param cpuMicros CPU time of the server per planned request
    /// @param busy CPU time of the server as a share of its CPUs
    /// @param late whether the generator, not the server, was at its end
    /// @param disturbed whether other programs took too much CPU time
    /// @param failure why there are no figures, or null if there are
    public record Server(
            String peer,
            double capacity,
            double offered,
            long failed,
            List<Latency> latencies,
            double cpuMicros,
            double busy,
            boolean late,
            boolean disturbed,
            @Nullable String failure)
            implements OfPeer {
        /// Returns the figures of a server that could not be measured.
        public static Server failed(String peer, String failure) {
            double none = Double.NaN;
            return new Server(peer, none, none, 0, List.of(), none, none, false, false, failure);
        }

        /// Returns the latency at a percentile in milliseconds; NaN if it is not known.
        public Statistics at(double percentile) {
            return latencies.stream()
                    .filter(one -> one.percentile() == percentile)
                    .map(Latency::millis)
                    .findFirst()
                    .orElse(Statistics.NONE);
        }
    }

    /// Returns FAIL if the server failed or one of its requests did, and NONE otherwise.
    @Override
    public Verdict verdict(Server server) {
        return server.failure() != null || server.failed() > 0 ? Verdict.FAIL : Verdict.NONE;
    }

    @Override
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            rows.add(row(label(percentile), "ms", server -> server.at(percentile)));
        }
        rows.add(row("CPU per request there", "µs", s -> Statistics.one(s.cpuMicros())));
        return rows;
    }

    private Row row(String measure, String unit, Function<Server, Statistics> figure) {
        return row(
                measure,
                unit,
                Row.Better.LOWER,
                server -> server.late() ? Statistics.NONE : figure.apply(server));
    }

    private static String label(double percentile) {
        return "p" + String.valueOf(percentile).replaceFirst("\\.0$", "");
    }

    @Override
    public List<Chart> charts() {
        return List.of(
                new Chart(
                        cell + ": latency by percentile",
                        new Chart.Axis("requests within it", Chart.PERCENTILE, true),
                        new Chart.Axis("latency from the planned instant", "ms", true),
                        lines(
                                Server::latencies,
                                Latency::percentile,
                                one -> one.millis().median())));
    }

    @Override
    public Map<String, Table> tables() {
        Table.Columns<Server> columns =
                Table.of(servers)
                        .text("server", TailResult::marked)
                        .figure("capacity/s", Server::capacity, 0)
                        .figure("offered/s", Server::offered, 0);
        for (double percentile : PERCENTILES) {
            columns.range(label(percentile) + " ms", s -> s.at(percentile), 2);
        }
        columns.count("failed", Server::failed)
                .brief("CPU µs", Server::cpuMicros, 1)
                .figure("CPU busy %", s -> s.busy() * 100, 0);
        return Map.of("Latency, " + cell + ": " + title, columns.table());
    }

    private static String marked(Server server) {
        return (server.disturbed() ? "~" : "") + (server.late() ? "g " : "") + server.peer();
    }
}
