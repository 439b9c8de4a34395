package dev.serval.soak.whole;

import dev.serval.bench.report.Environment;
import dev.serval.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Renders the result of a whole soak as text, Markdown and JSON. Stateless.
final class WholeReport {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final List<String> HEADER =
            List.of(
                    "part",
                    "s",
                    "requests",
                    "wrong",
                    "503",
                    "p50 ms",
                    "p99 ms",
                    "p99.9 ms",
                    "worst ms",
                    "8 MB p99 ms",
                    "hostile acts",
                    "heap MB",
                    "GC ms",
                    "RSS MB",
                    "descriptors",
                    "threads");

    private WholeReport() {}

    /// What the JSON file has.
    ///
    /// @param broken the promises that were broken
    /// @param figures the totals that the text has
    private record Document(
            Environment environment,
            List<String> broken,
            Map<String, String> figures,
            List<Row> rows,
            List<String> examples,
            List<String> logged) {}

    /// Writes `soak-DATE.md` and `soak-DATE.json` into a folder, and creates it if it is missing.
    ///
    /// @return the Markdown file
    static Path write(WholeResult result, List<String> broken, Path folder) throws IOException {
        Files.createDirectories(folder);
        String date = result.environment().date().replaceAll("[:Z]", "").replace('T', '-');
        Document document =
                new Document(
                        result.environment(),
                        broken,
                        figures(result),
                        result.rows(),
                        result.examples(),
                        result.logged());
        Files.writeString(
                folder.resolve("soak-" + date + ".json"), JSON.writeValueAsString(document) + "\n");
        Path markdown = folder.resolve("soak-" + date + ".md");
        Files.writeString(markdown, markdown(result, broken));
        return markdown;
    }

    /// Returns the text for a terminal.
    static String text(WholeResult result, List<String> broken) {
        return render(result, broken, "", Table::text);
    }

    /// Returns a Markdown document.
    static String markdown(WholeResult result, List<String> broken) {
        return "# Soak of everything\n\n" + render(result, broken, "## ", Table::markdown);
    }

    private static String render(
            WholeResult result,
            List<String> broken,
            String heading,
            Function<Table, String> rendering) {
        StringBuilder text = new StringBuilder();
        text.append(broken.isEmpty() ? "Every promise was kept.\n" : "");
        broken.forEach(line -> text.append("BROKEN: ").append(line).append('\n'));
        text.append('\n').append(rendering.apply(table(result.rows())));
        text.append('\n').append(heading).append("Figures\n\n");
        figures(result).forEach((name, figure) -> item(text, name, figure));
        text.append('\n').append(heading).append("What hostile clients got\n\n");
        text.append(rendering.apply(counts("act and outcome", result.rows(), Row::hostile)));
        if (result.rows().stream().anyMatch(row -> !row.refusals().isEmpty())) {
            text.append('\n').append(heading).append("What the server counted as refused\n\n");
            text.append(rendering.apply(counts("counter", result.rows(), Row::refusals)));
        }
        if (!result.examples().isEmpty()) {
            text.append('\n').append(heading).append("The first wrong answers\n\n");
            result.examples().forEach(one -> text.append("- ").append(one).append('\n'));
        }
        text.append('\n').append(heading).append("Measured on\n\n");
        environment(result.environment()).forEach((name, fact) -> item(text, name, fact));
        return text.toString();
    }

    private static void item(StringBuilder text, String name, String value) {
        text.append("- ").append(name).append(": ").append(value).append('\n');
    }

    private static Map<String, String> figures(WholeResult result) {
        Map<String, String> figures = new TreeMap<>();
        double first = Promises.p999(result.first());
        double last = Promises.p999(result.last());
        figures.put(
                "p99.9 of the first and the last minutes",
                String.format(
                        Locale.ROOT,
                        "%.1f ms, %.1f ms (%.2f×, gate %.1f×)",
                        first,
                        last,
                        last / first,
                        Promises.P999_GROWTH_MAX));
        figures.put(
                "p99 beside the crowd",
                String.format(
                        Locale.ROOT,
                        "%.1f ms (gate %.0f ms)",
                        result.crowd().getValueAtPercentile(99) / 1e3,
                        Promises.CROWD_P99_MAX_MILLIS));
        figures.put("at rest after the warm-up", result.before().toString());
        figures.put("at rest at the end", result.after().toString());
        figures.put("classes that grew most", result.after().classes(result.before()));
        figures.put("lines of the access log", String.valueOf(result.access().lines()));
        figures.put("RSS at the end", result.residentMegabytes() + " MB");
        return figures;
    }

    private static Map<String, String> environment(Environment environment) {
        Map<String, String> facts = new TreeMap<>(environment.settings());
        facts.put("date", environment.date());
        facts.put("commit", environment.commit());
        facts.put("kernel", environment.kernel());
        facts.put("CPU", environment.cpuModel() + ", " + environment.cpus());
        facts.put("memory", environment.memoryMegabytes() + " MB");
        facts.put("JDK", environment.jdk());
        return facts;
    }

    private static Table table(List<Row> rows) {
        List<List<String>> lines = new ArrayList<>();
        for (Row row : rows) {
            lines.add(
                    List.of(
                            row.part(),
                            millis(row.seconds()),
                            String.valueOf(row.requests()),
                            String.valueOf(row.wrong()),
                            String.valueOf(row.refused()),
                            millis(row.p50Millis()),
                            millis(row.p99Millis()),
                            millis(row.p999Millis()),
                            millis(row.worstMillis()),
                            millis(row.largeP99Millis()),
                            String.valueOf(row.acts()),
                            String.valueOf(row.heapMegabytes()),
                            millis(row.pauseMillis()),
                            String.valueOf(row.residentMegabytes()),
                            String.valueOf(row.descriptors()),
                            String.valueOf(row.threads())));
        }
        return new Table(HEADER, lines);
    }

    /// Returns a row as a line for the terminal, while the soak runs.
    static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "%-8s %,9d requests, %d wrong, %d × 503, p50 %.1f, p99 %.1f, p99.9 %.1f ms; %,d"
                        + " hostile acts; heap %d MB, RSS %d MB, %d descriptors, %d threads",
                row.part(),
                row.requests(),
                row.wrong(),
                row.refused(),
                row.p50Millis(),
                row.p99Millis(),
                row.p999Millis(),
                row.acts(),
                row.heapMegabytes(),
                row.residentMegabytes(),
                row.descriptors(),
                row.threads());
    }

    private static Table counts(
            String title, List<Row> rows, Function<Row, Map<String, Long>> counts) {
        Map<String, Long> sums = new TreeMap<>();
        for (Row row : rows) {
            counts.apply(row).forEach((name, count) -> sums.merge(name, count, Long::sum));
        }
        List<List<String>> lines = new ArrayList<>();
        sums.forEach((name, count) -> lines.add(List.of(name, String.valueOf(count))));
        return new Table(List.of(title, "count"), lines);
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 100 ? "%.1f" : "%.0f", millis);
    }
}
