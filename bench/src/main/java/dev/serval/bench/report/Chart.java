package dev.serval.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// A chart: lines over one axis.
///
/// An x axis that is logarithmic and has the unit [#PERCENTILE] has percentiles from 0 to 100, and is
/// logarithmic in what is left to 100: 90, 99 and 99.9 are as far from one another. A point without
/// a finite y is a gap in its line.
public record Chart(String title, Axis x, Axis y, List<Line> lines) {
    /// The unit of percentiles.
    public static final String PERCENTILE = "percentile";

    /// An axis. Its unit is empty only if the label counts things.
    public record Axis(String label, String unit, boolean logarithmic) {}

    /// A line.
    ///
    /// @param points in the order of x
    public record Line(String name, List<Point> points) {
        /// Returns a line with a point for each of these items.
        public static <T> Line of(
                String name, List<T> items, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
            return new Line(
                    name,
                    items.stream()
                            .map(one -> new Point(x.applyAsDouble(one), y.applyAsDouble(one)))
                            .toList());
        }

        /// Returns these lines joined over the points whose y is not known, and only those that have
        /// others.
        public static List<Line> known(List<Line> lines) {
            return lines.stream()
                    .map(line ->
                            new Line(
                                    line.name,
                                    line.points.stream().filter(p -> !Double.isNaN(p.y)).toList()))
                    .filter(line -> !line.points.isEmpty())
                    .toList();
        }
    }

    /// A point of a line.
    public record Point(double x, double y) {}
}
