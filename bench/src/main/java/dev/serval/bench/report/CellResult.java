package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;

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
                OverloadResult,
                AbsentResult,
                SeriesResult,
                BurstResult,
                RampResult,
                TailResult,
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

    /// Returns the peers that have no figures, or the whole cell.
    default List<Gap> gaps() {
        return List.of();
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
