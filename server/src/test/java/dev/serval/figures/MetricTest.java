package dev.serval.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Names and texts of the metrics, and their page in the manual.
final class MetricTest {
    private static final Path PAGE = Path.of("../docs/manual/metrics.md");

    @Test
    void namesFollowTheConventions() {
        for (Metric metric : Metric.values()) {
            String name = metric.text();
            assertThat(name).matches("(serval|process|jvm)_[a-z]+(_[a-z]+)*");
            assertThat(name.endsWith("_total"))
                    .as(name)
                    .isEqualTo(metric.type() == Metric.Type.COUNTER);
            assertThat(name.endsWith("_info"))
                    .as(name)
                    .isEqualTo(metric.type() == Metric.Type.INFO);
            assertThat(metric.help()).as(name).matches("[A-Z1].*\\.");
            assertThat(metric.labels()).as(name).allMatch(one -> one.matches("[a-z]+"));
        }
        assertThat(Stream.of(Metric.values()).map(Metric::text)).doesNotHaveDuplicates();
    }

    @Test
    void manualListsEveryMetricAndNoOther() throws IOException {
        List<String> rows = Arrays.stream(Metric.values()).map(MetricTest::row).toList();
        List<String> page = Files.readAllLines(PAGE);
        assertThat(page.stream().filter(line -> line.matches("\\| `(serval|process|jvm)_.*")))
                .containsExactlyElementsOf(rows);
    }

    @Test
    void manualNamesEveryCounterOfRefusals() throws IOException {
        String page = Files.readString(Path.of("../docs/manual/overload.md"));
        assertThat(Stream.of(Counter.values()).filter(Counter::isRefusal).map(Counter::text))
                .allMatch(name -> page.contains("`" + name + "`"));
    }

    private static String row(Metric metric) {
        String labels =
                metric.labels().isEmpty() ? "" : "`" + String.join("`, `", metric.labels()) + "`";
        return "| `%s` | %s | %s | %s |"
                .formatted(
                        metric.text(),
                        metric.type().name().toLowerCase(Locale.ROOT),
                        labels,
                        metric.help());
    }
}
