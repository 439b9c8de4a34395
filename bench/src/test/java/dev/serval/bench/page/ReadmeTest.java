package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// README has the summary of the committed report.
final class ReadmeTest {
    private static final Pattern FIRST = Pattern.compile("\\d+ of \\d+ ?\\| *\\d+ of \\d+");
    private static final Pattern SENTENCE =
            Pattern.compile(
                    "Of (?:the )?(\\d+) measures[^|]*?leads in (\\d+),[^|]*?server in (\\d+), and loses"
                            + " in (\\d+)");

    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d[\\d,]*(\\.\\d+)?");

    /// What rounding of the ratio and of both figures makes at most.
    private static final double RATIO_STEP = 0.011;

    private static String text(String name) throws IOException {
        return Files.readString(Path.of("..", name)).replaceAll("\\s+", " ");
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(one -> one.group().replaceAll("[^\\d]+", " "))
                .toList();
    }

    /// Returns the rows of the tables of a section, each with its cells.
    private static List<List<String>> rows(String file, String from, String to) throws IOException {
        String text = Files.readString(Path.of("..", file));
        String section = text.substring(text.indexOf(from), text.lastIndexOf(to));
        return section.lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> List.of(line.replaceAll("^\\| *| *\\|$", "").split(" *\\| *", -1)))
                .toList();
    }

    /// Returns the figures of cells, apart from those of the first one, which is a name.
    private static List<String> figures(List<String> row) {
        return NUMBER.matcher(String.join(" ", row.subList(1, row.size())))
                .results()
                .map(one -> one.group().replace(",", ""))
                .toList();
    }

    /// Returns whether a figure is one of those, perhaps rounded.
    private static boolean isOneOf(String figure, List<String> printed) {
        BigDecimal shown = new BigDecimal(figure);
        BigDecimal step = BigDecimal.valueOf(5, shown.scale() + 1);
        return printed.stream()
                .map(BigDecimal::new)
                .anyMatch(one -> one.subtract(shown).abs().compareTo(step) <= 0);
    }

    /// Returns whether the first figure ÷ another one of the row is this ratio, perhaps rounded.
    private static boolean isRatio(String ratio, String first, List<String> printed) {
        return printed.stream()
                .filter(one -> isOneOf(first, List.of(one)))
                .mapToDouble(Double::parseDouble)
                .anyMatch(own ->
                        printed.stream()
                                .mapToDouble(Double::parseDouble)
                                .anyMatch(other ->
                                        Math.abs(own / other - Double.parseDouble(ratio))
                                                < RATIO_STEP));
    }

    @Test
    void costsStandInARowOfTheReport() throws IOException {
        List<List<String>> printed =
                rows("docs/results/report.md", "# Benchmarks", "## Machine and programs").stream()
                        .filter(row -> !figures(row).isEmpty())
                        .toList();
        List<List<String>> shown =
                rows("README.md", "Files (`./serval bench static`)", "Overload has a price")
                        .stream()
                        .filter(row -> !row.getFirst().isEmpty())
                        .filter(row -> row.size() > 3 || row.get(1).contains("µs"))
                        .filter(row -> !figures(row).isEmpty())
                        .toList();
        assertThat(shown).hasSizeGreaterThan(20);
        for (List<String> row : shown) {
            List<String> all = figures(row);
            int costs = row.size() > 3 ? all.size() - 1 : all.size(); // the last may be a ratio
            boolean found =
                    printed.stream()
                            .map(ReadmeTest::figures)
                            .anyMatch(of ->
                                    all.subList(0, costs).stream().allMatch(f -> isOneOf(f, of))
                                            && (costs == all.size()
                                                    || isRatio(all.getLast(), all.getFirst(), of)));
            assertThat(found).as("%s is in a row of the report", row).isTrue();
        }
    }

    @Test
    void summaryIsThatOfTheReport() throws IOException {
        String readme = text("README.md");
        String report = text("docs/results/report.md");
        for (Pattern pattern : List.of(SENTENCE, FIRST)) {
            List<String> shown = found(pattern, readme);
            assertThat(shown).isNotEmpty();
            assertThat(found(pattern, report)).startsWith(shown.toArray(String[]::new));
        }
    }
}
