package dev.serval.live;

import dev.serval.live.Board.Cell;
import dev.serval.live.Board.Chart;
import dev.serval.live.Board.Table;
import dev.serval.live.Board.Tile;
import dev.serval.policy.LoadMode;
import java.util.List;
import java.util.Map;

/// Writes a board as a page. Everything is in the page itself, so it works without scripts: charts are
/// SVG, and the browser loads the page again. Stateless.
final class HtmlBoard {
    /// Seconds until a browser without scripts loads the page again.
    private static final int REFRESH_SECONDS = 5;

    private HtmlBoard() {}

    /// Returns the page.
    ///
    /// @param refresh whether a browser without scripts loads it again
    static String page(Board board, boolean refresh) {
        StringBuilder page = new StringBuilder(32 << 10);
        page.append(
                """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>Serval: live</title>
                <link rel="icon" href="data:,">
                <link rel="stylesheet" href="live.css">
                """);
        if (refresh) {
            page.append("<noscript><meta http-equiv=\"refresh\" content=\"")
                    .append(REFRESH_SECONDS)
                    .append("\"></noscript>\n");
        }
        page.append(
                """
                <script src="chart.js" defer></script>
                <script src="live.js" defer></script>
                </head>
                <body>
                <header>
                <h1 id="title">\
                """);
        escape(board.title(), page);
        page.append("</h1>\n<p><span id=\"time\">");
        escape(board.time(), page);
        page.append(
                "</span> <button id=\"pause\" type=\"button\" hidden>Pause</button> <noscript>");
        page.append(
                refresh
                        ? "<a href=\"" + query(board.span(), false) + "\">Stop refreshing</a>"
                        : "<a href=\""
                                + query(board.span(), true)
                                + "\">Refresh every "
                                + REFRESH_SECONDS
                                + " seconds</a>");
        page.append("</noscript></p>\n</header>\n<main>\n");
        tiles(board.tiles(), page);
        spans(board.span(), refresh, page);
        legend(board.modes(), page);
        page.append("<section class=\"charts\" aria-label=\"The last ")
                .append(board.span().text())
                .append("\">\n");
        board.charts().forEach(chart -> chart(chart, board, page));
        page.append("</section>\n");
        board.tables().forEach(table -> table(table, page));
        page.append("</main>\n</body>\n</html>\n");
        return page.toString();
    }

    private static void tiles(List<Tile> tiles, StringBuilder page) {
        page.append("<dl class=\"tiles\">\n");
        for (Tile tile : tiles) {
            page.append("<div><dt>");
            escape(tile.name(), page);
            page.append("</dt><dd id=\"")
                    .append(tile.id())
                    .append("\" class=\"")
                    .append(tile.tone().text())
                    .append("\">");
            escape(tile.value(), page);
            page.append("</dd><dd class=\"note\" id=\"").append(tile.id()).append("-note\">");
            escape(tile.note(), page);
            page.append("</dd></div>\n");
        }
        page.append("</dl>\n");
    }

    /// Writes the links to other spans.
    private static void spans(Span shown, boolean refresh, StringBuilder page) {
        page.append(
                "<div class=\"bars\"><nav aria-label=\"Time of the charts\">Charts of the last");
        for (Span span : Span.values()) {
            page.append(" <a href=\"").append(query(span, refresh)).append('"');
            page.append(span == shown ? " aria-current=\"page\">" : ">");
            page.append(span.text()).append("</a>");
        }
        page.append("</nav>\n");
    }

    private static String query(Span span, boolean refresh) {
        return "?span=" + span.parameter() + (refresh ? "" : "&amp;refresh=no");
    }

    /// Writes what the band below the lines means, and how long each mode was in force.
    private static void legend(ModeBand modes, StringBuilder page) {
        Map<LoadMode, String> times = modes.times();
        page.append("<ul class=\"legend\" aria-label=\"Load modes in this time\">");
        for (LoadMode mode : LoadMode.values()) {
            page.append("<li>");
            SvgChart.swatch(mode, page);
            page.append(mode.text())
                    .append(" <span id=\"mode-")
                    .append(mode.text())
                    .append("\">")
                    .append(times.getOrDefault(mode, "–"))
                    .append("</span></li>");
        }
        page.append("</ul></div>\n");
    }

    private static void chart(Chart chart, Board board, StringBuilder page) {
        page.append("<figure id=\"").append(chart.id()).append("\"><figcaption>");
        escape(chart.title(), page);
        page.append("</figcaption>\n");
        SvgChart.write(chart, board.span(), board.modes(), page);
        page.append("</figure>\n");
    }

    private static void table(Table table, StringBuilder page) {
        page.append("<table id=\"").append(table.id()).append("\">\n<caption>");
        escape(table.caption(), page);
        page.append("</caption>\n<thead><tr>");
        for (String column : table.columns()) {
            page.append("<th scope=\"col\">");
            escape(column, page);
            page.append("</th>");
        }
        page.append("</tr></thead>\n<tbody>\n");
        if (table.rows().isEmpty()) {
            page.append("<tr class=\"empty\"><td colspan=\"")
                    .append(table.columns().size())
                    .append("\">");
            escape(table.empty(), page);
            page.append("</td></tr>\n");
        }
        for (List<Cell> row : table.rows()) {
            page.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                cell(row.get(i), table.columns().get(i), i == 0, page);
            }
            page.append("</tr>\n");
        }
        page.append("</tbody>\n</table>\n");
    }

    private static void cell(Cell cell, String column, boolean first, StringBuilder page) {
        page.append(first ? "<th scope=\"row\"" : "<td").append(" class=\"");
        page.append(cell.tone().text()).append("\" data-label=\"");
        escape(column, page);
        page.append("\">");
        escape(cell.text(), page);
        if (!cell.parts().isEmpty()) {
            SvgChart.bar(cell.parts(), page);
        }
        page.append(first ? "</th>" : "</td>");
    }

    /// Escapes a text for the content of an element or an attribute in quotes. Control characters, which
    /// a page may not have, become a mark.
    static void escape(String text, StringBuilder into) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> into.append("&amp;");
                case '<' -> into.append("&lt;");
                case '>' -> into.append("&gt;");
                case '"' -> into.append("&quot;");
                case '\'' -> into.append("&#39;");
                default -> into.append(Character.isISOControl(c) ? '\uFFFD' : c);
            }
        }
    }
}
