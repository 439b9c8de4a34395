package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
                SeriesResult,
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

        /// Returns a figure of each part that has figures, by the peers' names.
        static <T extends OfPeer> Map<String, Statistics> values(
                List<T> all, Function<T, Statistics> figure) {
            Map<String, Statistics> values = new LinkedHashMap<>();
            for (T one : all) {
                if (one.failure() == null) {
                    values.put(one.peer(), figure.apply(one));
                }
            }
            return values;
        }
    }

    /// A result with the figures of several servers, most of them under an open load.
    sealed interface OfServers extends CellResult
            permits BurstResult, OverloadResult, RampResult, TailResult {
        /// Returns the servers in their order.
        List<? extends OfPeer> servers();

        /// Returns how the cell was measured.
        List<String> notes();

        @Override
        default Model model() {
            return Model.OPEN;
        }

        @Override
        default List<? extends OfPeer> parts() {
            return servers();
        }

        @Override
        default List<String> remarks() {
            return notes().stream().map(note -> cell() + ": " + note).toList();
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
