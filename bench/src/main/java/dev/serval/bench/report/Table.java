package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
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

    /// Returns what collects the columns of a table that has a row for each item.
    public static <T> Columns<T> of(List<T> items) {
        return new Columns<>(items, new ArrayList<>(), new ArrayList<>());
    }

    /// Collects columns in their order. Used by one thread.
    ///
    /// @param texts make the text of each column in the row of an item
    public record Columns<T>(List<T> items, List<String> titles, List<Function<T, String>> texts) {
        /// Adds a column of texts.
        public Columns<T> text(String title, Function<T, String> text) {
            titles.add(title);
            texts.add(text);
            return this;
        }

        /// Adds a column of counts.
        public Columns<T> count(String title, ToLongFunction<T> count) {
            return text(title, item -> String.valueOf(count.applyAsLong(item)));
        }

        /// Adds a column of figures with so many decimals.
        public Columns<T> figure(String title, ToDoubleFunction<T> figure, int decimals) {
            return text(title, item -> Digits.of(figure.applyAsDouble(item), decimals));
        }

        /// Adds a column of figures with [about three digits][Digits#brief].
        public Columns<T> brief(String title, ToDoubleFunction<T> figure, int decimals) {
            return text(title, item -> Digits.brief(figure.applyAsDouble(item), decimals));
        }

        /// Adds a column of medians with their extremes.
        public Columns<T> range(String title, Function<T, Statistics> figures, int decimals) {
            return text(title, item -> Digits.range(figures.apply(item), decimals));
        }

        /// Returns the table.
        public Table table() {
            return new Table(
                    titles,
                    items.stream()
                            .map(item -> texts.stream().map(text -> text.apply(item)).toList())
                            .toList());
        }
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
