package dev.serval.bench.page;

import dev.serval.bench.report.Chart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Maps the values of an axis to a share of its length, and chooses its ticks.
///
/// @param low the value at the start, already mapped
/// @param high the value at the end, already mapped
record Scale(Kind kind, double low, double high, List<Tick> ticks) {
    private static final List<Double> PERCENTILES =
            List.of(0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999);

    private static final double HIGHEST_PERCENTILE = 99.9999;

    /// How values are mapped.
    enum Kind {
        LINEAR,
        LOGARITHMIC,
        PERCENTILE
    }

    /// A value that has a label.
    record Tick(double value, String label) {}

    /// Returns the scale of an axis for these values. A linear one begins at zero, if no value is
    /// below it.
    ///
    /// @param most about how many ticks there is room for
    static Scale of(Chart.Axis axis, List<Double> values, int most) {
        if (!axis.logarithmic()) {
            return linear(values, most);
        }
        return axis.unit().equals(Chart.PERCENTILE) ? percentiles(values) : logarithmic(values);
    }

    private static Scale linear(List<Double> values, int most) {
        double low = Math.min(0, least(values, 0));
        double high = Math.max(greatest(values, 1), low + 1e-9);
        double step = step((high - low) / most);
        double first = Math.floor(low / step) * step;
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; first + (i - 1) * step < high; i++) {
            ticks.add(tick(first + i * step));
        }
        return new Scale(Kind.LINEAR, first, ticks.getLast().value(), ticks);
    }

    /// Returns the next of 1, 2, 5, 10, 20 and so on.
    private static double step(double least) {
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (double factor : new double[] {1, 2, 5}) {
            if (factor * power >= least) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static Scale logarithmic(List<Double> values) {
        List<Double> positive = values.stream().filter(value -> value > 0).toList();
        double low = Math.floor(Math.log10(least(positive, 1)));
        double high = Math.max(low + 1, Math.ceil(Math.log10(greatest(positive, 10))));
        List<Tick> ticks = new ArrayList<>();
        int decades = (int) (high - low);
        for (int i = 0; i <= decades; i++) {
            double power = Math.pow(10, low + i);
            if (i % (1 + decades / 7) == 0) {
                ticks.add(tick(power));
            }
            if (decades <= 2 && i < decades) {
                ticks.add(tick(2 * power));
                ticks.add(tick(5 * power));
            }
        }
        return new Scale(Kind.LOGARITHMIC, low, high, ticks);
    }

    private static Scale percentiles(List<Double> values) {
        double high = map(Kind.PERCENTILE, Math.max(99, greatest(values, 99)));
        List<Tick> ticks =
                PERCENTILES.stream()
                        .filter(p -> map(Kind.PERCENTILE, p) <= high + 1e-9)
                        .map(p -> new Tick(p, label(p)))
                        .toList();
        return new Scale(Kind.PERCENTILE, 0, high, ticks);
    }

    /// Returns a percentile with all of its nines.
    static String label(double percentile) {
        return percentile == Math.rint(percentile)
                ? String.format(Locale.ROOT, "%.0f", percentile)
                : String.valueOf(percentile);
    }

    private static Tick tick(double value) {
        return new Tick(value, Numbers.of(value));
    }

    private static double least(List<Double> values, double other) {
        return values.stream().mapToDouble(Double::doubleValue).min().orElse(other);
    }

    private static double greatest(List<Double> values, double other) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElse(other);
    }

    /// Returns where a value is: 0 at the start of the axis, 1 at its end; NaN if it has no place.
    double share(double value) {
        double mapped = mapped(value);
        return Double.isFinite(mapped) ? (mapped - low) / (high - low) : Double.NaN;
    }

    /// Returns the value as it is on a linear axis.
    double mapped(double value) {
        return map(kind, value);
    }

    private static double map(Kind kind, double value) {
        return switch (kind) {
            case LINEAR -> value;
            case LOGARITHMIC -> value > 0 ? Math.log10(value) : Double.NaN;
            case PERCENTILE ->
                    -Math.log10(1 - Math.min(Math.max(value, 0), HIGHEST_PERCENTILE) / 100);
        };
    }
}
