package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A cell that measures the subject alone.
///
/// @param cell the cell's name
/// @param title in words
/// @param unit of the values
/// @param values each one measured; the median counts
/// @param gate the median must be below it; NaN for none
/// @param note how it was measured, and figures beside it
/// @param failure why there is no value; null where there is
/// @param rounds the rounds behind it, where there were any
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
    /// A measured one.
    public static SingleResult of(Measured what, List<Double> values, String note) {
        return of(what, values, note, List.of());
    }

    /// A measured one, with its rounds.
    public static SingleResult of(
            Measured what, List<Double> values, String note, List<Round> rounds) {
        return new SingleResult(
                what.cell(), what.title(), what.unit(), values, what.gate(), note, null, rounds);
    }

    /// One that could not be measured.
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

    /// What is measured.
    ///
    /// @param cell the cell's name
    /// @param title in words
    /// @param unit of the values
    /// @param gate the median must be below it; NaN for none
    public record Measured(String cell, String title, String unit, double gate) {}

    /// Median and extremes.
    public Statistics statistics() {
        return Statistics.of(values);
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
