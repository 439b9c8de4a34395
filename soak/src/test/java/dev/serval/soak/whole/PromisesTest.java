package dev.serval.soak.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.Environment;
import dev.serval.soak.subject.Remains;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class PromisesTest {
    private static final Remains HELD = new Remains(10 << 20, Map.of(), 40, 60);
    private static final Environment HERE =
            new Environment(
                    "2026-01-02T03:04:05Z", "c", "k", "m", "2", 1, "25", Map.of(), Map.of());

    private static WholeSettings settings(boolean judgesTimes) {
        return new WholeSettings(
                List.of(),
                Duration.ofMinutes(30),
                1,
                1,
                100,
                judgesTimes,
                256,
                Path.of("out"),
                Path.of("log"));
    }

    private static Row row(long requests, long wrong, long refused) {
        return new Row(
                "load", 60, requests, wrong, refused, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, Map.of(),
                Map.of());
    }

    private static Histogram times(long micros) {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(micros, 1000);
        return times;
    }

    /// A result that keeps every promise, with some parts replaced.
    private static WholeResult result(
            Row row, long last, long crowd, Remains after, long megabytes) {
        return new WholeResult(
                HERE,
                List.of(row),
                times(10_000),
                times(last),
                times(crowd),
                HELD,
                after,
                megabytes,
                List.of(),
                new AccessLines(row.requests(), 0),
                List.of(),
                false);
    }

    private static List<String> broken(WholeResult result) {
        return Promises.broken(result, settings(true));
    }

    @Test
    void valuesAtTheirLimitsBreakNothing() {
        Remains grown = new Remains((10 << 20) + (8 << 20), Map.of(), 48, 68);
        assertThat(broken(result(row(1000, 0, 1), 14_990, 99_900, grown, 480))).isEmpty();
    }

    @Test
    void valuesPastTheirLimitsAreNamed() {
        Remains grown = new Remains((10 << 20) + (8 << 20) + 1, Map.of("A", 9L), 49, 69);
        assertThat(broken(result(row(1000, 1, 2), 15_200, 101_000, grown, 481)))
                .hasSize(8)
                .anyMatch(line -> line.contains("Every answer is right: 1 are not"))
                .anyMatch(line -> line.contains("2 of 1,000 requests got 503"))
                .anyMatch(line -> line.contains("The heap grew by 8,388,609 bytes"))
                .anyMatch(line -> line.contains("Threads grew by 9"))
                .anyMatch(line -> line.contains("Descriptors grew by 9"))
                .anyMatch(line -> line.contains("the process has 481 MB, more than 480 MB"))
                .anyMatch(line -> line.startsWith("p99.9 stays within 1.5× of its first minutes"))
                .anyMatch(line -> line.startsWith("Beside the crowd p99 is at most 100 ms"));
    }

    @Test
    void noAnswerAtAllIsWrong() {
        assertThat(broken(result(row(0, 0, 0), 10_000, 10_000, HELD, 1)))
                .containsExactly("Every answer is right: there is none");
    }

    @Test
    void timesCountOnlyIfTheyAreJudged() {
        assertThat(Promises.broken(result(row(1, 0, 9), 90_000, 900_000, HELD, 1), settings(false)))
                .isEmpty();
    }

    @Test
    void unexpectedEntriesAndExhaustedMemoryAreNamed() {
        WholeResult right = result(row(1, 0, 0), 10_000, 10_000, HELD, 1);
        WholeResult result =
                new WholeResult(
                        HERE,
                        right.rows(),
                        right.first(),
                        right.last(),
                        right.crowd(),
                        HELD,
                        HELD,
                        1,
                        List.of(),
                        new AccessLines(1, 1),
                        List.of("SEVERE: odd"),
                        true);
        assertThat(broken(result))
                .containsExactly(
                        "The access log has each request: 1 lines of 1 requests, 1 of them broken",
                        "Memory is bounded: the log has an OutOfMemoryError",
                        "The log has only what was meant: 1 other entries, the first: SEVERE: odd");
    }

    @Test
    void reportHasTheRowsAndTheBrokenPromises() {
        WholeResult result = result(row(1234, 0, 0), 12_000, 10_000, HELD, 1);
        String markdown = WholeReport.markdown(result, List.of("Memory is bounded: no"));
        assertThat(markdown)
                .contains("BROKEN: Memory is bounded: no", "| load ", " 1234 ")
                .contains("10.0 ms, 12.0 ms (1.20×, gate 1.5×)")
                .doesNotContain("Every promise was kept");
        assertThat(WholeReport.text(result, List.of())).contains("Every promise was kept");
    }
}
