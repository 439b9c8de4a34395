package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SessionHeapTest {
    private static final Chart CURVE =
            new Chart(
                    "sessions-memory: live heap as sessions grow, timeout 30 s",
                    new Chart.Axis("sessions made", "", false),
                    new Chart.Axis("live heap", "MB", false),
                    List.of(
                            line("serval", 75_000, 81, 100_000, 85),
                            line("tomcat", 50_000, 61, 75_001, 200)));

    private static Chart.Line line(String peer, double x, double y, double beyond, double more) {
        return new Chart.Line(
                peer,
                List.of(
                        new Chart.Point(0, 6),
                        new Chart.Point(x, y),
                        new Chart.Point(beyond, more)));
    }

    private static TableResult result(String cell, String measure) {
        Statistics old = Statistics.one(746);
        return new TableResult(
                "sessions-memory",
                "Sessions",
                Verdict.NONE,
                List.of(
                        new Row(
                                cell,
                                measure,
                                "bytes",
                                Row.Better.LOWER,
                                Map.of("serval", old, "tomcat", old))),
                List.of(CURVE),
                Map.of(
                        "Sessions",
                        new Table(
                                List.of("cell, server, timeout", "made", "heap of one, B"),
                                List.of(
                                        List.of("sessions-memory, serval, 30 s", "100000", "746"),
                                        List.of("sessions-memory, serval, 10 s", "25000", "953")))),
                List.of(),
                List.of(),
                List.of("as measured"));
    }

    @Test
    void sessionsInFilesAreNotCountedInOldResultsEither() {
        TableResult result = result("sessions-memory, timeout 30 s", "heap of a session");
        assertThat(result.rows().getFirst().values())
                .containsEntry("serval", Statistics.one(1000))
                .containsEntry("tomcat", Statistics.one(1100));
        assertThat(result.tables().values().iterator().next().rows())
                .extracting(List::getLast)
                .containsExactly("1000", "953");
        assertThat(result.remarks())
                .hasSize(2)
                .last()
                .asString()
                .contains("sessions-memory: the heap of a session is counted", "75,000");
    }

    @Test
    void otherMeasuresAndRowsWithoutACurveStay() {
        for (TableResult result :
                List.of(
                        result("sessions-memory, timeout 10 s", "heap of a session"),
                        result("sessions-memory, timeout 30 s", "answer after a restart"))) {
            assertThat(result.rows().getFirst().values()).containsValue(Statistics.one(746));
        }
    }
}
