package dev.serval.bench.page;

import dev.serval.bench.peer.Resources;
import dev.serval.bench.report.Words;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/// Draws where Serval stands: a line for each measure with a dot at its ratio, on a logarithmic axis.
/// The losses are at the top.
final class DotPlot {
    /// The width for a wide screen.
    static final int WIDE = 960;

    /// The width for a phone.
    static final int NARROW = 340;

    /// Ratios beyond are drawn at the edge.
    private static final double FAR = 10;

    private static final double[] TICKS = {0.1, 0.2, 0.5, 1, 2, 5, 10};

    private static final int HEAD = 46;
    private static final int RIGHT = 180;
    private static final double LETTER = 6.6;

    private final StringBuilder out = new StringBuilder();
    private final Formatter svg = new Formatter(out, Locale.ROOT);
    private final List<Standing> standings;
    private final int width;
    private final boolean narrow;
    private final int left;
    private final int right;
    private final int step;

    private DotPlot(List<Standing> standings, int width) {
        this.standings = standings;
        this.width = width;
        this.narrow = width < WIDE;
        this.left = narrow ? 12 : 400;
        this.right = narrow ? width - 12 : width - RIGHT;
        this.step = narrow ? 40 : 19;
    }

    /// Returns the picture for a page that has its colours.
    static String svg(Standings standings, int width) {
        return new DotPlot(standings.decided(), width).drawn("");
    }

    /// Returns the picture as a file of its own.
    static String alone(Standings standings) {
        return new DotPlot(standings.decided(), WIDE)
                .drawn(Resources.text(DotPlot.class, "picture.css"));
    }

    private String drawn(String style) {
        int height = HEAD + step * standings.size() + 8;
        String size =
                "viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\"".formatted(width, height);
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%s\" %s role=\"img\""
                        + " aria-label=\"%s\">%n",
                narrow ? "narrow" : "wide", size, Html.escaped(description()));
        if (!style.isEmpty()) {
            out.append("<style>").append(style).append("</style>\n");
            out.append("<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n");
        }
        axis(height);
        for (int i = 0; i < standings.size(); i++) {
            line(standings.get(i), HEAD + i * step);
        }
        return out.append("</svg>\n").toString();
    }

    private String description() {
        int lost = new Standings(standings).losses().size();
        return "Serval compared with the best other server in %d measures. It is worse in %d. The table"
                        .formatted(standings.size(), lost)
                + " below has the same figures.";
    }

    private void axis(int height) {
        text("axis middle", (left + right) / 2.0, 14, "times the best other server (log scale)");
        for (double tick : TICKS) {
            double x = x(tick);
            String kind = tick == 1 ? "one" : "grid";
            svg.format("<path class=\"%s\" d=\"M%.1f 36V%d\"/>%n", kind, x, height - 6);
            text("axis middle", x, 31, Numbers.of(tick));
        }
    }

    private void line(Standing one, int top) {
        int y = narrow ? top + 28 : top + step / 2;
        String figure = one.ratioText() + " " + one.best();
        int room = (int) ((narrow ? width - 24 : left - 12) / LETTER);
        String label = cut(one.label(), narrow ? room - figure.length() - 2 : room);
        String tone = Words.key(one.state());
        out.append("<g class=\"").append(tone).append("\"><title>");
        out.append(Html.escaped(one.label() + ": " + figure + ", " + one.state().word()));
        out.append("</title>");
        int baseline = narrow ? top + 14 : y + 4;
        text("label", narrow ? left : 4, baseline, label);
        if (narrow) {
            text("label end", right, baseline, cut(figure, room / 2));
        } else {
            text("label", right + 10, baseline, cut(figure, (int) (RIGHT / LETTER) - 2));
        }
        double x = Double.isNaN(one.ratio()) ? right : x(one.ratio());
        svg.format("<path class=\"rail\" d=\"M%d %dH%d\"/>", left, y, right);
        svg.format("<path class=\"bar\" d=\"M%.1f %dH%.1f\"/>", x(1), y, x);
        mark(one.state(), x, y);
        out.append("</g>\n");
    }

    /// Draws a shape for each state, for those who cannot tell the colours apart.
    private void mark(Standing.State state, double x, int y) {
        String shape =
                switch (state) {
                    case FAILED -> "<path class=\"dot\" d=\"M%.1f %dl8 8m0 -8l-8 8\"/>";
                    case LOSES -> "<path class=\"dot\" d=\"M%.1f %dl9 5l-9 5z\"/>";
                    case EQUAL ->
                            "<rect class=\"dot\" x=\"%.1f\" y=\"%d\" width=\"8\" height=\"8\"/>";
                    case LEADS, UNDECIDED, ALONE ->
                            "<circle class=\"dot\" cx=\"%.1f\" cy=\"%d\" r=\"5\"/>";
                };
        boolean round = state.compareTo(Standing.State.LEADS) >= 0;
        svg.format(shape, round ? x : x - 4, round ? y : y - 4);
    }

    private double x(double ratio) {
        double near = Math.min(FAR, Math.max(1 / FAR, ratio));
        return left + (right - left) * (Math.log10(near) + 1) / 2;
    }

    private void text(String classes, double x, int y, String text) {
        out.append(Html.svgText(classes, x, y, text));
    }

    /// Returns a text of at most so many characters.
    static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, Math.max(0, most - 1)) + "…";
    }
}
