package dev.serval.live;

import java.util.List;

/// All that the live page shows at one moment. Immutable.
///
/// @param title the headline: version, process and age
/// @param time the wall clock, as text
/// @param tiles single figures
/// @param charts the span
/// @param span the time that the charts show
/// @param modes the load modes in that time
/// @param tables the rest
record Board(
        String title,
        String time,
        List<Tile> tiles,
        List<Chart> charts,
        Span span,
        ModeBand modes,
        List<Table> tables) {
    Board {
        tiles = List.copyOf(tiles);
        charts = List.copyOf(charts);
        tables = List.copyOf(tables);
    }

    /// How a figure is meant.
    enum Tone {
        /// Nothing to say.
        PLAIN,
        /// As it should be.
        GOOD,
        /// Worth a look.
        WARN,
        /// Wrong.
        BAD;

        /// Returns the class in the page.
        String text() {
            return switch (this) {
                case PLAIN -> "plain";
                case GOOD -> "good";
                case WARN -> "warn";
                case BAD -> "bad";
            };
        }
    }

    /// A single figure.
    ///
    /// @param id its name in the page
    /// @param name its name for people
    record Tile(String id, String name, String value, String note, Tone tone) {}

    /// Lines over the span.
    ///
    /// @param unit of the values, such as `ms`
    record Chart(String id, String title, String unit, List<Line> lines) {
        Chart {
            lines = List.copyOf(lines);
        }
    }

    /// A line of a chart.
    ///
    /// @param ages of the values in seconds, from old to new
    record Line(String name, List<Integer> ages, List<Double> values) {
        Line {
            ages = List.copyOf(ages);
            values = List.copyOf(values);
        }
    }

    /// A table of text.
    ///
    /// @param empty what to say without rows
    record Table(
            String id, String caption, List<String> columns, List<List<Cell>> rows, String empty) {
        Table {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /// A cell of a table.
    ///
    /// @param parts the shares of a bar that shows the same as the text, in per cent; none for no bar
    record Cell(String text, Tone tone, List<Integer> parts) {
        Cell {
            parts = List.copyOf(parts);
        }

        static Cell of(String text) {
            return new Cell(text, Tone.PLAIN, List.of());
        }

        static Cell of(long number) {
            return of(Long.toString(number));
        }

        static Cell toned(String text, Tone tone) {
            return new Cell(text, tone, List.of());
        }
    }
}
