package dev.serval.bench.page;

import dev.serval.bench.report.Table;
import java.util.List;
import java.util.Locale;

/// Builds HTML. Every text is escaped. Used by one thread.
final class Html {
    /// Cells with more characters are broken into lines.
    private static final int LONG = 44;

    private final StringBuilder out = new StringBuilder();

    /// Returns text in which no character has a meaning in HTML or SVG.
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /// Returns a text of an SVG.
    static String svgText(String classes, double x, double y, String text) {
        return String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                classes,
                x,
                y,
                escaped(text));
    }

    /// Adds markup as it is.
    Html raw(String markup) {
        out.append(markup);
        return this;
    }

    /// Adds text.
    Html text(String text) {
        return raw(escaped(text));
    }

    /// Adds an element with text.
    Html element(String name, String text) {
        return raw("<" + name + ">").text(text).raw("</" + name + ">\n");
    }

    /// Adds a list, or nothing if there are no items.
    Html list(List<String> items) {
        if (!items.isEmpty()) {
            raw("<ul>\n");
            items.forEach(item -> element("li", item));
            raw("</ul>\n");
        }
        return this;
    }

    /// Adds a table. A wide one scrolls by itself, also by the keyboard.
    Html table(String caption, Table table) {
        raw("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
                .text(caption)
                .raw("\">\n<table>\n")
                .raw("<caption><span>")
                .text(caption)
                .raw("</span></caption>\n")
                .raw("<thead><tr>");
        table.header().forEach(title -> raw("<th scope=\"col\">").text(title).raw("</th>"));
        raw("</tr></thead>\n<tbody>\n");
        for (List<String> row : table.rows()) {
            raw("<tr><th scope=\"row\">").text(row.getFirst()).raw("</th>");
            row.stream()
                    .skip(1)
                    .forEach(cell -> raw("<td" + tone(cell) + ">").text(cell).raw("</td>"));
            raw("</tr>\n");
        }
        return raw("</tbody></table></div>\n");
    }

    /// Returns the class of a cell that is a sentence, or bad or good news.
    private static String tone(String cell) {
        if (cell.length() > LONG || cell.contains(": ")) {
            return " class=\"long\"";
        }
        if (cell.startsWith("failed") || cell.endsWith(" fail") || cell.equals("loses")) {
            return " class=\"bad\"";
        }
        return cell.equals("leads") ? " class=\"good\"" : "";
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
