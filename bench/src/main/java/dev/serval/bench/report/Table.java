package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// A table of text. The first column is aligned left, the others right.
public record Table(List<String> header, List<List<String>> rows) {
    /// Rejects rows of another length than the header.
    public Table {
        for (List<String> row : rows) {
            if (row.size() != header.size()) {
                throw new IllegalArgumentException(
                        "A row has " + row.size() + " cells, not " + header.size() + ": " + row);
            }
        }
    }

    /// A column: its title, and its text in the row of an item.
    public record Column<T>(String title, Function<T, String> text) {}

    /// Returns a table with a row for each item.
    public static <T> Table of(List<T> items, List<Column<T>> columns) {
        return new Table(
                columns.stream().map(Column::title).toList(),
                items.stream()
                        .map(item -> columns.stream().map(c -> c.text().apply(item)).toList())
                        .toList());
    }

    /// Returns a table with the rows of both, which have the same columns.
    public Table plus(Table other) {
        return new Table(header, Stream.concat(rows.stream(), other.rows.stream()).toList());
    }

    /// Returns the table aligned with blanks, for a terminal.
    public String text() {
        StringBuilder out = new StringBuilder();
        List<Integer> widths = widths();
        for (List<String> row : all()) {
            for (int i = 0; i < row.size(); i++) {
                out.append(i == 0 ? "" : "  ").append(padded(row.get(i), widths.get(i), i == 0));
            }
            trimEnd(out).append('\n');
        }
        return out.toString();
    }

    /// Returns the table as Markdown, aligned so that its source is readable.
    public String markdown() {
        StringBuilder out = new StringBuilder();
        List<Integer> widths = widths();
        appendRow(out, header, widths);
        for (int i = 0; i < header.size(); i++) {
            String dashes = "-".repeat(Math.max(3, widths.get(i)));
            out.append("| ").append(i == 0 ? dashes : dashes.substring(1) + ":").append(' ');
        }
        out.append("|\n");
        for (List<String> row : rows) {
            appendRow(out, row, widths);
        }
        return out.toString();
    }

    private static void appendRow(StringBuilder out, List<String> row, List<Integer> widths) {
        for (int i = 0; i < row.size(); i++) {
            String cell = row.get(i).replace("|", "\\|");
            out.append("| ").append(padded(cell, Math.max(3, widths.get(i)), i == 0)).append(' ');
        }
        out.append("|\n");
    }

    private List<List<String>> all() {
        List<List<String>> all = new ArrayList<>();
        all.add(header);
        all.addAll(rows);
        return all;
    }

    private List<Integer> widths() {
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < header.size(); i++) {
            int column = i;
            widths.add(all().stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
        }
        return widths;
    }

    private static String padded(String cell, int width, boolean left) {
        String blanks = " ".repeat(Math.max(0, width - cell.length()));
        return left ? cell + blanks : blanks + cell;
    }

    private static StringBuilder trimEnd(StringBuilder out) {
        int end = out.length();
        while (end > 0 && out.charAt(end - 1) == ' ') {
            end--;
        }
        out.setLength(end);
        return out;
    }
}
