package dev.serval.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.figures.StrictParser.Sample;
import dev.serval.metrics.Distribution;
import dev.serval.metrics.Histogram;
import dev.serval.metrics.TimeBuckets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExpositionTest {
    private static Map<String, StrictParser.Family> parsed(Exposition made, ExpositionFormat as) {
        return StrictParser.parse(as.contentType(), made.text());
    }

    private static Distribution times(long... nanos) {
        Histogram histogram = new Histogram();
        for (long one : nanos) {
            histogram.record(one);
        }
        return histogram.read();
    }

    @ParameterizedTest
    @EnumSource
    void groupsSeriesByMetricWhateverTheOrderOfCalls(ExpositionFormat format) {
        Exposition made = new Exposition(format);
        made.add(Metric.REQUESTS, 1, "/", "2xx");
        made.add(Metric.CONNECTIONS, 7);
        made.add(Metric.REQUESTS, 2, "/", "4xx");
        made.add(Metric.BUILD, 1, "1.0", "25");
        made.addSummary(Metric.JVM_COLLECTIONS, 3, 0.25, "G1");
        made.add(Metric.REQUEST_TIME, times(1, 2_000_000), "/");
        assertThat(parsed(made, format)).hasSize(6); // with that of dropped series
    }

    @ParameterizedTest
    @EnumSource
    void escapesLabels(ExpositionFormat format) {
        String evil = "/a\"} 1\n# EOF\nx{y=\"\\ \r\t\u0000 é 😀";
        Exposition made = new Exposition(format);
        made.add(Metric.REFUSALS, 1, evil.replace("\r", ""));
        assertThat(made.text().lines().filter(line -> line.startsWith("x"))).isEmpty();
        Sample sample =
                parsed(made, format).values().stream()
                        .filter(one -> one.name().startsWith("serval_refusals"))
                        .findFirst()
                        .orElseThrow()
                        .samples()
                        .getFirst();
        assertThat(sample.labels()).containsEntry("reason", evil.replace("\r", ""));
    }

    @Test
    void halfOfAPairIsReplaced() {
        Map<String, String> shown =
                Map.of("a\uD83Db", "a\uFFFDb", "a\uD83D", "a\uFFFD", "\uDE00a", "\uFFFDa");
        shown.forEach((label, text) -> {
            Exposition made = new Exposition(ExpositionFormat.PROMETHEUS);
            made.add(Metric.REFUSALS, 1, label);
            assertThat(made.text()).contains("reason=\"" + text + "\"");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-1, -1",
        "0.25, 0.25",
        "9007199254740991, 9007199254740991",
        "9007199254740992, 9.007199254740992E15",
        "Infinity, +Inf",
        "-Infinity, -Inf",
        "NaN, NaN"
    })
    void numbersAreAsScrapersReadThem(double value, String text) {
        Exposition made = new Exposition(ExpositionFormat.PROMETHEUS);
        made.add(Metric.LOAD_DELAY, value);
        assertThat(made.text()).contains("\nserval_load_delay_seconds " + text + "\n");
    }

    @Test
    void histogramHasExactCountsAtEachBound() {
        Exposition made = new Exposition(ExpositionFormat.OPENMETRICS);
        made.add(Metric.REQUEST_TIME, times(100_000, 100_001, 1_000_000_000, 90_000_000_000L), "/");
        assertThat(made.text())
                .contains(
                        "serval_request_duration_seconds_bucket{mount=\"/\",le=\"0.0001\"} 1\n",
                        "serval_request_duration_seconds_bucket{mount=\"/\",le=\"0.00025\"} 2\n",
                        "serval_request_duration_seconds_bucket{mount=\"/\",le=\"1.0\"} 3\n",
                        "serval_request_duration_seconds_bucket{mount=\"/\",le=\"25.0\"} 3\n",
                        "serval_request_duration_seconds_bucket{mount=\"/\",le=\"+Inf\"} 4\n",
                        "serval_request_duration_seconds_sum{mount=\"/\"} 91.000200001\n",
                        "serval_request_duration_seconds_count{mount=\"/\"} 4\n");
    }

    @Test
    void boundsOfExportsAreBoundsOfBuckets() {
        for (long bound : Exposition.BOUNDS) {
            assertThat(TimeBuckets.boundNanos(TimeBuckets.of(bound))).isEqualTo(bound);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void leavesOutSeriesPastTheLimitAndCountsThem(int past) {
        Exposition made = new Exposition(ExpositionFormat.PROMETHEUS);
        for (int i = 0; i < Exposition.SERIES_MAX + past; i++) {
            made.add(Metric.REFUSALS, 1, "reason " + i);
        }
        assertThat(made.text()).endsWith("serval_metrics_dropped_series " + past + "\n");
        assertThat(made.text().lines().filter(line -> line.startsWith("serval_refusals")))
                .hasSize(Exposition.SERIES_MAX);
    }

    @Test
    void leavesOutASecondSeriesWithTheSameLabels() {
        Exposition made = new Exposition(ExpositionFormat.PROMETHEUS);
        made.add(Metric.POOL_BUSY, 1, "/app", "http");
        made.add(Metric.POOL_BUSY, 2, "/app", "http");
        assertThat(made.text())
                .contains("serval_pool_busy{pool=\"/app\",kind=\"http\"} 1\n")
                .doesNotContain("kind=\"http\"} 2")
                .endsWith("serval_metrics_dropped_series 1\n");
    }

    @Test
    void everyLabelNeedsAValue() {
        Exposition made = new Exposition(ExpositionFormat.PROMETHEUS);
        assertThatIllegalArgumentException().isThrownBy(() -> made.add(Metric.REQUESTS, 1, "/"));
    }

    @Test
    void typesHaveTheNamesOfTheirFormat() {
        Exposition plain = new Exposition(ExpositionFormat.PROMETHEUS);
        plain.add(Metric.BUILD, 1, "1", "25");
        plain.add(Metric.RECEIVED, 5e15);
        assertThat(plain.text())
                .contains(
                        "# TYPE serval_build_info gauge\n",
                        "# TYPE serval_received_bytes_total counter\n",
                        "serval_received_bytes_total 5000000000000000\n");
        Exposition open = new Exposition(ExpositionFormat.OPENMETRICS);
        open.add(Metric.BUILD, 1, "1", "25");
        open.add(Metric.RECEIVED, 5);
        open.add(Metric.REQUEST_TIME, times(), "/");
        assertThat(open.text())
                .contains(
                        "# TYPE serval_build info\nserval_build_info{",
                        """
                        # TYPE serval_received_bytes counter
                        # UNIT serval_received_bytes bytes
                        serval_received_bytes_total 5
                        """,
                        "# UNIT serval_request_duration_seconds seconds\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/openmetrics-text",
                "application/openmetrics-text;version=1.0.0;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                "text/plain;q=0.5, Application/OpenMetrics-Text; version=1.0.0; q=0.5",
                "application/openmetrics-text;q=0.5,application/openmetrics-text;q=0"
            })
    void givesOpenMetricsToThoseWhoWantIt(String accept) {
        assertThat(ExpositionFormat.of(accept)).isEqualTo(ExpositionFormat.OPENMETRICS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "text/plain",
                "text/html",
                "application/openmetrics-text;q=0",
                "application/openmetrics-text;q=0.1,text/plain",
                "application/openmetrics-text;q=2",
                "application/openmetrics-text;q=0.1234",
                "text/*,application/openmetrics-text;q=0.9",
                "text/plain;q=0.9,application/openmetrics-text;q=0.5,text/plain;q=0.1",
                "application/openmetrics-texts",
                "text/plain;version=0.0.4;q=0.5,application/openmetrics-text;q=0.4"
            })
    void givesTheTextFormatToAllOthers(String accept) {
        assertThat(ExpositionFormat.of(accept)).isEqualTo(ExpositionFormat.PROMETHEUS);
        assertThat(ExpositionFormat.of(null)).isEqualTo(ExpositionFormat.PROMETHEUS);
    }
}
