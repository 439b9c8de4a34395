package dev.serval.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;

/// The median and the extremes of a few figures. Each is NaN if there are no figures, or one is NaN.
///
/// @param median the middle figure, or the mean of the middle two
public record Statistics(double median, double min, double max) {
    /// The statistics of no figures.
    public static final Statistics NONE = one(Double.NaN);

    /// Computes the statistics of these figures, given in any order.
    public static Statistics of(List<Double> figures) {
        if (figures.isEmpty() || figures.contains(Double.NaN)) {
            return NONE;
        }
        double[] sorted = figures.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median =
                sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Statistics(median, sorted[0], sorted[sorted.length - 1]);
    }

    /// Returns the statistics of a single figure.
    public static Statistics one(double figure) {
        return new Statistics(figure, figure, figure);
    }

    /// Returns the statistics of a figure of which only a lower bound is known.
    public static Statistics atLeast(double figure) {
        return new Statistics(figure, figure, Double.POSITIVE_INFINITY);
    }

    /// Returns whether the figure is a lower bound.
    public boolean isBound() {
        return Double.isInfinite(max) && !Double.isInfinite(median);
    }

    /// Returns whether there is a figure.
    boolean isKnown() {
        return !Double.isNaN(median);
    }

    /// Returns the median with the extremes in brackets, a lower bound, or a dash if there is no figure.
    public String text(DoubleFunction<String> digits) {
        if (isBound()) {
            return "≥ " + digits.apply(median);
        }
        return isKnown()
                ? "%s (%s–%s)".formatted(digits.apply(median), digits.apply(min), digits.apply(max))
                : "–";
    }

    /// Returns the mean of these figures, or NaN without any.
    public static double mean(double[] figures) {
        return Arrays.stream(figures).average().orElse(Double.NaN);
    }

    /// Returns the standard deviation of these figures as of a sample, or NaN of fewer than two.
    public static double deviation(double[] figures) {
        double mean = mean(figures);
        double squares = Arrays.stream(figures).map(f -> (f - mean) * (f - mean)).sum();
        return figures.length < 2 ? Double.NaN : Math.sqrt(squares / (figures.length - 1));
    }

    /// Returns whether two figures differ by less than a share of the smaller one.
    public static boolean near(double one, double other, double share) {
        return Math.abs(one - other) < share * Math.min(one, other);
    }
}
