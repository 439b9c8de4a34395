package dev.serval.live;

import dev.serval.live.Board.Chart;
import dev.serval.live.Board.Line;
import dev.serval.policy.LoadMode;
import java.util.List;
import java.util.Locale;

/// Draws charts and bars as SVG. Colours come from the style sheet. Stateless.
final class SvgChart {
    private static final int WIDTH = 600;
    private static final int TOP = 22;
    private static final int BOTTOM = 140;
    private static final int BAND_BOTTOM = 151;

    private SvgChart() {}

    /// Draws the lines of a chart over the span, with the largest value as the scale, and the load modes
    /// below them.
    static void write(Chart chart, Span span, ModeBand modes, StringBuilder page) {
        double top = top(chart);
        page.append("<svg viewBox=\"0 0 600 172\" role=\"img\" aria-label=\"");
        HtmlBoard.escape(description(chart), page);
        page.append(
                "\">\n<path class=\"grid\" d=\"M0 22H600M0 81H600M0 140H600\"/>\n<text x=\"4\" y=\"16\">");
        HtmlBoard.escape(Texts.digits(top) + " " + chart.unit(), page);
        page.append("</text>\n<text x=\"4\" y=\"167\">").append(span.brief()).append(" ago</text>");
        page.append("<text class=\"end\" x=\"596\" y=\"167\">now</text>\n");
        band(span, modes, page);
        for (int i = 0; i < chart.lines().size(); i++) {
            Line line = chart.lines().get(i);
            page.append("<path class=\"line line").append(i).append("\" d=\"");
            path(line, span, top, page);
            page.append("\"/>\n<text class=\"end line")
                    .append(i)
                    .append("\" x=\"")
                    .append(WIDTH - 4 - 150 * i)
                    .append("\" y=\"16\">");
            HtmlBoard.escape(line.name() + " " + last(line), page);
            page.append("</text>\n");
        }
        page.append("</svg>\n");
    }

    /// Draws the shares of a whole side by side. The text beside it says the same.
    static void bar(List<Integer> parts, StringBuilder page) {
        page.append(
                "<svg class=\"bar\" viewBox=\"0 0 100 6\" aria-hidden=\"true\""
                        + " preserveAspectRatio=\"none\">");
        int from = 0;
        for (int i = 0; i < parts.size(); i++) {
            page.append("<rect class=\"part")
                    .append(i)
                    .append("\" x=\"")
                    .append(from)
                    .append("\" width=\"")
                    .append(parts.get(i))
                    .append("\" height=\"6\"/>");
            from += parts.get(i);
        }
        page.append("</svg>");
    }

    private static void band(Span span, ModeBand modes, StringBuilder page) {
        double scale = (double) WIDTH / span.seconds();
        for (ModeBand.Stretch one : modes.stretches()) {
            int height = ModeBand.height(one.mode());
            double width = Math.max(1, (one.fromAge() - one.toAge()) * scale);
            page.append("<rect class=\"mode-").append(one.mode().text());
            page.append(
                    String.format(
                            Locale.ROOT,
                            "\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                            WIDTH - one.fromAge() * scale,
                            BAND_BOTTOM - height,
                            width,
                            height));
        }
        page.append('\n');
    }

    /// Draws what stands for a load mode in the band.
    static void swatch(LoadMode mode, StringBuilder page) {
        int height = ModeBand.height(mode);
        page.append(
                        "<svg class=\"swatch\" viewBox=\"0 0 16 8\" aria-hidden=\"true\"><rect class=\"mode-")
                .append(mode.text())
                .append("\" y=\"")
                .append(8 - height)
                .append("\" width=\"16\" height=\"")
                .append(height)
                .append("\"/></svg>");
    }

    private static double top(Chart chart) {
        double most = 0;
        for (Line line : chart.lines()) {
            for (double value : line.values()) {
                most = Math.max(most, value);
            }
        }
        return most == 0 ? 1 : most;
    }

    private static void path(Line line, Span span, double top, StringBuilder page) {
        int before = Integer.MAX_VALUE;
        for (int i = 0; i < line.values().size(); i++) {
            int age = line.ages().get(i);
            double x = WIDTH - (double) age * WIDTH / span.seconds();
            double y = BOTTOM - (BOTTOM - TOP) * line.values().get(i) / top;
            page.append(before - age > span.gapSeconds() ? 'M' : 'L')
                    .append(String.format(Locale.ROOT, "%.0f %.1f", x, y));
            before = age;
        }
    }

    private static String last(Line line) {
        return line.values().isEmpty() ? "–" : Texts.digits(line.values().getLast());
    }

    /// Returns what the chart shows, for those who cannot see it.
    private static String description(Chart chart) {
        StringBuilder text = new StringBuilder(chart.title()).append(':');
        for (Line line : chart.lines()) {
            double most = line.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
            text.append(' ')
                    .append(line.name())
                    .append(" now ")
                    .append(last(line))
                    .append(", at most ")
                    .append(Texts.digits(most))
                    .append(' ')
                    .append(chart.unit())
                    .append('.');
        }
        return text.toString();
    }
}
