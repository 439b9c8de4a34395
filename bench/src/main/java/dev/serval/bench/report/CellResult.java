package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The result of one cell. Its kind is in the JSON file, so that a result can be read back.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = LoadResult.class, name = "load"),
    @JsonSubTypes.Type(value = SingleResult.class, name = "single"),
    @JsonSubTypes.Type(value = LatencyResult.class, name = "latency"),
    @JsonSubTypes.Type(value = PeersResult.class, name = "peers"),
    @JsonSubTypes.Type(value = OverloadResult.class, name = "overload"),
    @JsonSubTypes.Type(value = AbsentResult.class, name = "absent"),
    @JsonSubTypes.Type(value = SeriesResult.class, name = "series"),
    @JsonSubTypes.Type(value = BurstResult.class, name = "burst"),
    @JsonSubTypes.Type(value = RampResult.class, name = "ramp"),
    @JsonSubTypes.Type(value = TailResult.class, name = "tail"),
    @JsonSubTypes.Type(value = TableResult.class, name = "table"),
})
public sealed interface CellResult
        permits LoadResult,
                SingleResult,
                LatencyResult,
                PeersResult,
                AbsentResult,
                CellResult.OfServers,
                TableResult {
    /// How the clients of a cell decide when to send.
    enum Model {
        /// A client sends after it has the answer to its last request.
        CLOSED,
        /// Requests are sent at planned instants, whether or not earlier ones were answered.
        OPEN,
        /// The cell is no load, or its title says what its clients do.
        OTHER
    }

    /// The part of a result that is of one peer.
    interface OfPeer {
        /// Returns the peer's name.
        String peer();

        /// Returns why there are no figures, or null if there are.
        @Nullable String failure();

        /// Returns what a report calls this part.
        default String label() {
            return peer();
        }

        /// Returns a figure of each part that has it, by the peers' names.
        ///
        /// @param figure is [Statistics#NONE] if a part does not have it
        static <T extends OfPeer> Map<String, Statistics> values(
                List<T> all, Function<T, Statistics> figure) {
            Map<String, Statistics> values = new LinkedHashMap<>();
            for (T one : all) {
                if (one.failure() == null && figure.apply(one).isKnown()) {
                    values.put(one.peer(), figure.apply(one));
                }
            }
            return values;
        }
    }

    /// A result with the figures of several servers, most of them under an open load. The subject's
    /// are judged.
    ///
    /// @param <S> the figures of a server
    sealed interface OfServers<S extends OfPeer> extends CellResult
            permits BurstResult, OverloadResult, RampResult, SeriesResult, TailResult {
        /// Returns the name of the server that is judged.
        String subject();

        /// Returns the servers in their order.
        List<S> servers();

        /// Returns how the cell was measured.
        List<String> notes();

        /// Returns whether a server keeps the gates, or NONE if there is nothing to compare.
        Verdict verdict(S server);

        /// Returns the worst verdict of the subject, or NONE if it took no part.
        @Override
        @JsonProperty("verdict")
        default Verdict verdict() {
            return Verdict.worst(
                    servers().stream()
                            .filter(server -> server.peer().equals(subject()))
                            .map(this::verdict)
                            .toList());
        }

        /// Returns a measure in which the cell compares the servers that have the figure.
        default Row row(
                String measure, String unit, Row.Better better, Function<S, Statistics> figure) {
            return new Row(cell(), measure, unit, better, OfPeer.values(servers(), figure));
        }

        /// Returns a line for each server that has figures.
        ///
        /// @param points its items, in the order of `x`
        default <P> List<Chart.Line> lines(
                Function<S, List<P>> points, ToDoubleFunction<P> x, ToDoubleFunction<P> y) {
            return servers().stream()
                    .filter(server -> server.failure() == null)
                    .map(server -> Chart.Line.of(server.peer(), points.apply(server), x, y))
                    .toList();
        }

        @Override
        default Model model() {
            return Model.OPEN;
        }

        @Override
        default List<S> parts() {
            return servers();
        }

        @Override
        default List<String> remarks() {
            return Stream.concat(judged(), notes().stream().map(note -> cell() + ": " + note))
                    .toList();
        }

        /// Returns what a reader must know of the figures, beside how they were measured.
        default Stream<String> judged() {
            return Stream.empty();
        }
    }

    /// Returns the cell's name.
    String cell();

    /// Returns what the cell measures, as text.
    String title();

    /// Returns whether the gate passed, or [Verdict#NONE] if there was nothing to compare.
    @JsonProperty("verdict")
    Verdict verdict();

    /// Returns how the clients decide when to send.
    default Model model() {
        return Model.OTHER;
    }

    /// Returns the parts of the result that are each of one peer.
    default List<? extends OfPeer> parts() {
        return List.of();
    }

    /// Returns the peers that have no figures, or the whole cell.
    default List<Gap> gaps() {
        return parts().stream()
                .flatMap(part ->
                        Stream.ofNullable(part.failure())
                                .map(why -> Gap.failed(cell(), part.label(), why)))
                .toList();
    }

    /// Returns the measures in which the cell compares servers.
    default List<Row> rows() {
        return List.of();
    }

    /// Returns the CPU time of both processors per request in microseconds, by the peers of which it is
    /// known.
    default Map<String, Statistics> bothMicros() {
        return Map.of();
    }

    /// Returns the row in which a subject is compared with a peer, instead of one of the rows. The CPU
    /// time is that of both processors if the subject answers more requests in a second, because it then
    /// leaves more to the client's processor.
    default Row against(Row row, String subject, String peer) {
        Map<String, Statistics> both = bothMicros();
        boolean known =
                row.measure().equals(Row.CPU) && both.keySet().containsAll(List.of(subject, peer));
        return known && rate(subject) > rate(peer)
                ? new Row(cell() + ", both processors", Row.CPU, row.unit(), row.better(), both)
                : row;
    }

    private double rate(String peer) {
        return rows().stream()
                .filter(row -> row.measure().equals(Row.RATE))
                .map(row -> row.values().getOrDefault(peer, Statistics.NONE).median())
                .findFirst()
                .orElse(Double.NaN);
    }

    /// Returns the curves of the cell.
    default List<Chart> charts() {
        return List.of();
    }

    /// Returns tables of this cell only, by their titles.
    default Map<String, Table> tables() {
        return Map.of();
    }

    /// Returns the notes of such a cell.
    default List<String> remarks() {
        return List.of();
    }

    /// Returns the figures of old papers that belong beside those of the cell.
    default List<Published> published() {
        return List.of();
    }
}
