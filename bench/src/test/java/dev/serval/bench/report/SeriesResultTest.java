package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SeriesResultTest {
    private static SeriesResult.Course course(String peer, boolean ample, double rate) {
        return new SeriesResult.Course(
                peer,
                "g1",
                ample,
                ample ? 256 : 16,
                100,
                rate,
                12.5,
                new SeriesResult.Pauses(3, 4.5, 2.25),
                List.of(
                        new SeriesResult.Moment(1, 90, Double.NaN),
                        new SeriesResult.Moment(2, 110, 7)),
                false,
                null);
    }

    private static SeriesResult of(SeriesResult.Course... courses) {
        return new SeriesResult(
                "4.a", "long", "serval", 0.95, 600, List.of(courses), List.of(), List.of("a note"));
    }

    @Test
    void everyCourseOfTheSubjectMustKeepTheGate() {
        assertThat(of(course("serval", true, 95), course("serval", false, 120)).verdict())
                .isEqualTo(Verdict.PASS);
        assertThat(of(course("serval", true, 95), course("serval", false, 94)).verdict())
                .isEqualTo(Verdict.FAIL);
        assertThat(of(course("tomcat", true, 50)).verdict()).isEqualTo(Verdict.NONE);
    }

    @Test
    void courseThatFailedFailsTheSubject() {
        SeriesResult.Course failed =
                SeriesResult.Course.failed("serval", "zgc", false, 8, "no start");
        SeriesResult result = of(course("serval", true, 100), failed);
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.gaps())
                .containsExactly(Gap.failed("4.a", "serval, zgc, 8 MB (smallest)", "no start"));
        assertThat(result.remarks())
                .containsExactly(
                        "4.a: 600 s; at least 0.95 of the short load's requests per second",
                        "4.a: a note");
    }

    @Test
    void tableHasEachCourse() {
        assertThat(of(course("serval", false, 100)).tables().values().iterator().next().rows())
                .containsExactly(
                        List.of(
                                "serval, g1, 16 MB (smallest)",
                                "100",
                                "100",
                                "1.00",
                                "pass",
                                "12.50",
                                "3",
                                "4.5",
                                "2.25"));
    }

    @Test
    void chartsLeaveOutWhatIsNotKnown() {
        List<Chart> charts = of(course("serval", true, 100), course("tomcat", true, 100)).charts();
        assertThat(charts).hasSize(4);
        assertThat(charts.getFirst().lines().getFirst().points()).hasSize(2);
        assertThat(charts.get(1).lines().getFirst().points())
                .containsExactly(new Chart.Point(2, 7));
        assertThat(charts.get(1).x().unit()).isEqualTo("s");
    }

    @Test
    void rowsHaveRatioHeapAndRate() {
        List<Row> rows = of(course("serval", true, 100), course("serval", false, 90)).rows();
        assertThat(rows.get(0).values()).containsEntry("serval", new Statistics(0.95, 0.9, 1));
        assertThat(rows.get(1).values()).containsEntry("serval", new Statistics(16, 16, 16));
        assertThat(rows.get(2).values()).containsEntry("serval", new Statistics(100, 100, 100));
    }
}
