package dev.serval.bench.report;

import java.util.List;

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
    public record Line(String name, List<Point> points) {}

    /// A point of a line.
    public record Point(double x, double y) {}
}
