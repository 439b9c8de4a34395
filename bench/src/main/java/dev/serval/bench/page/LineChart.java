package dev.serval.bench.page;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Chart;
import dev.serval.bench.report.Table;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// A chart on the page: as SVG for those without scripts, as data for Chart.js, and as a table. All
/// three have the same points, scales and ticks.
final class LineChart {
    /// The most points of a line. Between them, points are left out evenly.
    private static final int POINTS = 240;

    /// The most points of a line that are drawn as dots too.
    private static final int DOTS = 40;

    /// The most rows of the table.
    private static final int ROWS = 40;

    /// Colours after which the first comes again, with another dash.
    private static final int COLOURS = 8;

    private static final int LEFT = 62;
    private static final int RIGHT = 22;
    private static final int TOP = 30;
    private static final int BOTTOM = 42;

    private final Chart chart;
    private final List<Chart.Line> lines;

    /// The chart as the script of the page reads it. Its figures are as they are on linear axes.
    private record Json(JsonAxis x, JsonAxis y, List<JsonLine> lines) {}

    private record JsonAxis(String title, double min, double max, List<Scale.Tick> ticks) {}

    private record JsonLine(String name, int colour, boolean dashed, List<JsonPoint> points) {}

    /// @param y null for a gap
    private record JsonPoint(double x, @Nullable Double y) {}

    LineChart(Chart chart) {
        this.chart = chart;
        this.lines = chart.lines().stream().map(LineChart::thinned).toList();
    }

    /// Returns the charts of a cell that have a point.
    static List<LineChart> of(CellResult cell) {
        return cell.charts().stream()
                .map(LineChart::new)
                .filter(chart -> !chart.values(Chart.Point::y).isEmpty())
                .toList();
    }

    private static Chart.Line thinned(Chart.Line line) {
        return new Chart.Line(line.name(), every(line.points(), POINTS));
    }

    private static <T> List<T> every(List<T> all, int most) {
        if (all.size() <= most) {
            return all;
        }
        List<T> some = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            some.add(all.get((int) ((long) i * (all.size() - 1) / (most - 1))));
        }
        return some;
    }

    /// Adds the chart to a page.
    void write(Html page) {
        page.raw("<figure class=\"chart\">\n").element("figcaption", chart.title());
        page.raw("<ul class=\"legend\" aria-hidden=\"true\">");
        for (int i = 0; i < lines.size(); i++) {
            page.raw("<li><svg viewBox=\"0 0 24 8\" width=\"24\" height=\"8\"><path class=\"")
                    .raw(style(i))
                    .raw("\" d=\"M0 4H24\"/></svg> ")
                    .text(lines.get(i).name())
                    .raw("</li>");
        }
        page.raw("</ul>\n<div class=\"drawing\" role=\"img\" aria-label=\"")
                .text(description())
                .raw("\">\n")
                .raw(svg("wide", 900, 300))
                .raw(svg("narrow", 340, 260))
                .raw("<script type=\"application/json\">")
                .raw(data())
                .raw("</script>\n</div>\n<details><summary>Figures</summary>\n")
                .table(caption(), table())
                .raw("</details>\n</figure>\n");
    }

    private static String style(int line) {
        return "line line" + line % COLOURS + (line >= COLOURS ? " dashed" : "");
    }

    /// Returns what the chart shows, for those who cannot see it.
    private String description() {
        StringBuilder text = new StringBuilder(chart.title());
        text.append(": ").append(title(chart.y())).append(" over ").append(title(chart.x()));
        for (Chart.Line line : chart.lines()) {
            double most =
                    line.points().stream()
                            .mapToDouble(Chart.Point::y)
                            .filter(Double::isFinite)
                            .max()
                            .orElse(Double.NaN);
            text.append("; ").append(line.name()).append(" at most ").append(Numbers.of(most));
        }
        return text.append('.').toString();
    }

    private static String title(Chart.Axis axis) {
        String unit = axis.unit().isEmpty() ? "number" : axis.unit();
        return axis.label().equals(unit) ? unit : axis.label() + " (" + unit + ")";
    }

    private List<Double> values(ToDoubleFunction<Chart.Point> of) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .map(of::applyAsDouble)
                .filter(Double::isFinite)
                .toList();
    }

    private String svg(String name, int width, int height) {
        Scale x = Scale.of(chart.x(), values(Chart.Point::x), width / 110);
        Scale y = Scale.of(chart.y(), values(Chart.Point::y), 5);
        StringBuilder out = new StringBuilder();
        Formatter svg = new Formatter(out, Locale.ROOT);
        svg.format("<svg class=\"%s\" viewBox=\"0 0 %d %d\"", name, width, height);
        out.append(" aria-hidden=\"true\">\n");
        out.append(Html.svgText("axis", 4, 14, title(chart.y())));
        out.append(
                Html.svgText(
                        "axis middle",
                        (LEFT + width - RIGHT) / 2.0,
                        height - 6.0,
                        title(chart.x())));
        for (Scale.Tick tick : y.ticks()) {
            double at = down(y.share(tick.value()), height);
            svg.format("<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, at, width - RIGHT);
            out.append(Html.svgText("axis end", LEFT - 6.0, at + 4, tick.label()));
        }
        for (Scale.Tick tick : x.ticks()) {
            double at = across(x.share(tick.value()), width);
            svg.format("<path class=\"grid\" d=\"M%.1f %dV%d\"/>", at, TOP, height - BOTTOM);
            out.append(Html.svgText("axis middle", at, height - BOTTOM + 16.0, tick.label()));
        }
        for (int i = 0; i < lines.size(); i++) {
            line(out, i, x, y, width, height);
        }
        return out.append("</svg>\n").toString();
    }

    private static double across(double share, int width) {
        return LEFT + share * (width - LEFT - RIGHT);
    }

    private static double down(double share, int height) {
        return height - BOTTOM - share * (height - BOTTOM - TOP);
    }

    private void line(StringBuilder out, int number, Scale x, Scale y, int width, int height) {
        Formatter path = new Formatter(Locale.ROOT);
        Formatter points = new Formatter(Locale.ROOT);
        boolean joined = false;
        for (Chart.Point point : lines.get(number).points()) {
            double across = across(x.share(point.x()), width);
            double down = down(y.share(point.y()), height);
            boolean there = Double.isFinite(across) && Double.isFinite(down);
            if (there) {
                path.format("%s%.1f %.1f", joined ? "L" : "M", across, down);
                points.format("M%.1f %.1fh0", across, down);
            }
            joined = there;
        }
        String drawn = "<path class=\"%s\" d=\"%s\"/>\n";
        out.append(drawn.formatted(style(number), path));
        if (lines.get(number).points().size() <= DOTS) {
            // A path without length is a dot, by its round ends.
            out.append(drawn.formatted("points " + style(number), points));
        }
    }

    /// Returns the chart for the script of the page. No character in it ends the element.
    private String data() {
        Scale x = Scale.of(chart.x(), values(Chart.Point::x), 6);
        Scale y = Scale.of(chart.y(), values(Chart.Point::y), 5);
        List<JsonLine> sets = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            List<JsonPoint> points =
                    lines.get(i).points().stream()
                            .map(p -> new JsonPoint(x.mapped(p.x()), finite(y.mapped(p.y()))))
                            .toList();
            sets.add(new JsonLine(lines.get(i).name(), i % COLOURS, i >= COLOURS, points));
        }
        Json all = new Json(axis(chart.x(), x), axis(chart.y(), y), sets);
        return JsonMapper.shared().writeValueAsString(all).replace("<", "\\u003c");
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private static JsonAxis axis(Chart.Axis axis, Scale scale) {
        List<Scale.Tick> ticks =
                scale.ticks().stream()
                        .map(tick -> new Scale.Tick(scale.mapped(tick.value()), tick.label()))
                        .toList();
        return new JsonAxis(title(axis), scale.low(), scale.high(), ticks);
    }

    /// Returns the points as a table: a row for each x, a column for each line.
    Table table() {
        Map<Double, Map<String, Double>> byX = new TreeMap<>();
        for (Chart.Line line : chart.lines()) {
            for (Chart.Point point : line.points()) {
                byX.computeIfAbsent(point.x(), _ -> new LinkedHashMap<>())
                        .put(line.name(), point.y());
            }
        }
        List<String> header = new ArrayList<>(List.of(title(chart.x())));
        chart.lines().forEach(line -> header.add(line.name()));
        List<List<String>> rows = new ArrayList<>();
        byX.forEach((x, values) -> {
            List<String> row = new ArrayList<>(List.of(x(x)));
            chart.lines()
                    .forEach(line ->
                            row.add(Numbers.of(values.getOrDefault(line.name(), Double.NaN))));
            rows.add(row);
        });
        return new Table(header, every(rows, ROWS));
    }

    private String x(double x) {
        return chart.x().unit().equals(Chart.PERCENTILE) ? Scale.label(x) : Numbers.of(x);
    }

    /// Returns the title of the table, with the unit of its figures.
    String caption() {
        return chart.title() + ", " + title(chart.y());
    }
}
