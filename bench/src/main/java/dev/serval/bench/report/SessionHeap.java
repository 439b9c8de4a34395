package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The heap of a session, counted while all sessions are in memory. Serval keeps so many there and
/// writes the others to files, so what it needs for more says nothing of one. Files of earlier versions
/// divide by all sessions; their curves have what is needed to count again. Stateless.
public final class SessionHeap {
    /// The measure.
    public static final String MEASURE = "heap of a session";

    /// The column of a table with the same figure.
    public static final String COLUMN = "heap of one, B";

    private static final int IN_MEMORY_MAX = 75_000;
    private static final String CURVE = ": live heap as sessions grow";
    private static final String NOTE =
            "the heap of a session is counted at the last sample with at most 75,000 sessions, which"
                    + " Serval keeps in memory; it writes others to files";

    private SessionHeap() {}

    /// Returns the bytes of a session, from megabytes of live heap by sessions made; NaN if it is not
    /// known.
    public static double bytes(List<Chart.Point> points) {
        Chart.Point before = points.getFirst();
        Chart.Point last =
                points.stream()
                        .filter(point -> point.x() <= IN_MEMORY_MAX)
                        .reduce(before, (_, point) -> point);
        return last.x() > 0 ? (last.y() - before.y()) * 1e6 / last.x() : Double.NaN;
    }

    /// Returns the rows with what the curves say of the measure.
    static List<Row> counted(List<Row> rows, List<Chart> charts) {
        return rows.stream()
                .map(row -> curve(row, charts).map(curve -> counted(row, curve)).orElse(row))
                .toList();
    }

    private static Optional<Chart> curve(Row row, List<Chart> charts) {
        String title = row.cell().replaceFirst("(, timeout .*)?$", CURVE + "$1");
        return charts.stream()
                .filter(chart -> row.measure().equals(MEASURE) && chart.title().equals(title))
                .findFirst();
    }

    private static Row counted(Row row, Chart curve) {
        Map<String, Statistics> values = new LinkedHashMap<>(row.values());
        for (Chart.Line line : curve.lines()) {
            values.replace(line.name(), Statistics.one(bytes(line.points())));
        }
        return new Row(row.cell(), row.measure(), row.unit(), row.better(), values);
    }

    /// Returns a table with the figures of the rows, if it has a column of them. Its lines begin with
    /// the name of the cell, of the server and the timeout.
    static Table counted(Table table, List<Row> rows) {
        int column = table.header().indexOf(COLUMN);
        List<List<String>> lines = new ArrayList<>();
        for (List<String> line : table.rows()) {
            List<String> counted = new ArrayList<>(line);
            String[] name = line.getFirst().split(", ", -1);
            for (Row row : rows) {
                if (column > 0
                        && name.length == 3
                        && row.measure().equals(MEASURE)
                        && row.cell().equals(name[0] + ", timeout " + name[2])) {
                    Statistics bytes = row.values().getOrDefault(name[1], Statistics.NONE);
                    counted.set(column, Digits.of(bytes.median(), 0));
                }
            }
            lines.add(counted);
        }
        return new Table(table.header(), lines);
    }

    /// Returns the notes of a cell, with how this is counted if it has the measure.
    static List<String> noted(String cell, List<Row> rows, List<String> notes) {
        String note = cell + ": " + NOTE;
        boolean known = rows.stream().noneMatch(row -> row.measure().equals(MEASURE));
        return known || notes.contains(note)
                ? notes
                : Stream.concat(notes.stream(), Stream.of(note)).toList();
    }
}
