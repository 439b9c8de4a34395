package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The result of a cell in which `ab` sent the same number of requests to each server, again and
/// again.
///
/// @param published figures of a paper
/// @param notes how it was measured
public record BurstResult(
        String cell,
        String title,
        String subject,
        List<Server> servers,
        @JsonProperty("published") List<Published> published,
        List<String> notes)
        implements CellResult.OfServers<BurstResult.Server> {
    /// The runs of ab against one server.
    ///
    /// @param failure why there are no figures, or null if there are
    public record Server(String peer, List<Run> runs, @Nullable String failure) implements OfPeer {
        private static final int TEN = 10;

        /// Returns the mean of a figure of each run.
        public double mean(ToDoubleFunction<Run> figure) {
            return Statistics.mean(each(runs, figure));
        }

        /// Returns the standard deviation of a figure of each run.
        double deviation(ToDoubleFunction<Run> figure) {
            return Statistics.deviation(each(runs, figure));
        }

        /// Returns the mean CPU time per request of all runs, and the least and greatest mean of ten
        /// runs in a row. The kernel counts hundredths of a second, which is too coarse for one run.
        public Statistics cpuMicros() {
            return micros(Run::cpuMicros);
        }

        private Statistics micros(ToDoubleFunction<Run> figure) {
            List<Double> tens = new ArrayList<>();
            for (int from = 0; from + TEN <= runs.size(); from++) {
                tens.add(Statistics.mean(each(runs.subList(from, from + TEN), figure)));
            }
            tens.add(mean(figure));
            Statistics spread = Statistics.of(tens);
            return new Statistics(tens.getLast(), spread.min(), spread.max());
        }

        private long disturbed() {
            return runs.stream().filter(Run::disturbed).count();
        }

        private Statistics rate() {
            return Statistics.of(runs.stream().map(Run::rate).toList());
        }

        private static double[] each(List<Run> some, ToDoubleFunction<Run> figure) {
            return some.stream().mapToDouble(figure).toArray();
        }

        /// Returns the failed requests of all runs.
        @JsonProperty("failed")
        public long failed() {
            return runs.stream().mapToLong(Run::failed).sum();
        }

        /// Returns the answers of all runs that did not keep their connection.
        @JsonProperty("unkept")
        public long unkept() {
            return runs.stream().mapToLong(Run::unkept).sum();
        }
    }

    /// One run of ab.
    ///
    /// @param rate requests per second, as ab prints them
    /// @param millis mean time per request, as ab prints it
    /// @param failed requests that ab counts as failed, or whose status is not 2xx
    /// @param unkept complete requests whose connection the server did not keep
    /// @param cpuMicros CPU time of the server per complete request
    /// @param clientMicros the same of the client's processor; NaN in files of earlier versions
    /// @param disturbed whether other programs took too much CPU time
    public record Run(
            double rate,
            double millis,
            long failed,
            long unkept,
            double cpuMicros,
            @JacksonInject(Round.UNKNOWN) double clientMicros,
            boolean disturbed) {}

    /// Returns FAIL if the server failed or did not do what ab asked for.
    @Override
    public Verdict verdict(Server server) {
        boolean right = server.failure() == null && server.failed() == 0 && server.unkept() == 0;
        return right ? Verdict.PASS : Verdict.FAIL;
    }

    @Override
    public List<Row> rows() {
        return List.of(
                row(Row.CPU, "µs", Row.Better.LOWER, Server::cpuMicros),
                row(Row.RATE, "1/s", Row.Better.HIGHER, Server::rate));
    }

    @Override
    public Map<String, Statistics> bothMicros() {
        return OfPeer.values(servers, s -> s.micros(r -> r.cpuMicros() + r.clientMicros()));
    }

    @Override
    public Model model() {
        return Model.CLOSED;
    }

    @Override
    public Map<String, Table> tables() {
        Table table =
                Table.of(servers)
                        .text("server", Server::peer)
                        .count("runs", s -> s.runs().size())
                        .figure("requests/s", s -> s.mean(Run::rate), 0)
                        .figure("deviation", s -> s.deviation(Run::rate), 0)
                        .figure("ms", s -> s.mean(Run::millis), 2)
                        .count("failed", Server::failed)
                        .count("not kept", Server::unkept)
                        .range("CPU µs (of ten runs)", Server::cpuMicros, 2)
                        .figure("client's CPU µs", s -> s.mean(Run::clientMicros), 2)
                        .table();
        return Map.of("Bursts of ab, " + cell + ": " + title, table);
    }

    @Override
    public Stream<String> judged() {
        return servers.stream()
                .filter(server -> server.disturbed() > 0)
                .map(server ->
                        "%s, %s: other programs disturbed %d of %d runs, which count"
                                .formatted(
                                        cell,
                                        server.peer(),
                                        server.disturbed(),
                                        server.runs().size()));
    }
}
