package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a cell that measures only the subject.
///
/// @param values all measured values; the median counts
/// @param gate the limit that the median must be below, or NaN for none
/// @param note how it was measured, and additional figures
/// @param failure why there is no value, or null if there is one
public record SingleResult(
        String cell,
        String title,
        String unit,
        List<Double> values,
        double gate,
        String note,
        @Nullable String failure,
        List<Round> rounds)
        implements CellResult {
    /// Returns the result of a measurement.
    public static SingleResult of(Measured what, List<Double> values, String note) {
        return of(what, values, note, List.of());
    }

    /// Returns the result of a measurement with its rounds.
    public static SingleResult of(
            Measured what, List<Double> values, String note, List<Round> rounds) {
        return new SingleResult(
                what.cell(), what.title(), what.unit(), values, what.gate(), note, null, rounds);
    }

    /// Returns the result of a cell that could not be measured.
    public static SingleResult failed(Measured what, String failure) {
        return new SingleResult(
                what.cell(),
                what.title(),
                what.unit(),
                List.of(),
                what.gate(),
                "",
                failure,
                List.of());
    }

    /// The subject of a measurement.
    ///
    /// @param gate the limit that the median must be below, or NaN for none
    public record Measured(String cell, String title, String unit, double gate) {}

    /// Returns the median and the extremes.
    public Statistics statistics() {
        return Statistics.of(values);
    }

    @Override
    public List<Gap> gaps() {
        return failure == null ? List.of() : List.of(Gap.failed(cell, "", failure));
    }

    @Override
    public List<String> remarks() {
        return note.isEmpty() ? List.of() : List.of(cell + ": " + note);
    }

    @Override
    @JsonProperty("verdict")
    public Verdict verdict() {
        if (failure != null) {
            return Verdict.FAIL;
        }
        if (Double.isNaN(gate)) {
            return Verdict.NONE;
        }
        return statistics().median() < gate ? Verdict.PASS : Verdict.FAIL;
    }
}
