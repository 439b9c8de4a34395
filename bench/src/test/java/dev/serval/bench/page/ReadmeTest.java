package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

    private static String text(String name) throws IOException {
        return Files.readString(Path.of("..", name)).replaceAll("\\s+", " ");
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(one -> one.group().replaceAll("[^\\d]+", " "))
                .toList();
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
