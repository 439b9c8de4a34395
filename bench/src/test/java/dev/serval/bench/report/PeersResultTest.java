package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.page.ReportText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeersResultTest {
    private static final Environment ENVIRONMENT =
            new Environment(
                    "2026-01-02T03:04:05Z", "abc", "6", "CPU", "2", 1, "25", Map.of(), Map.of());

    @ParameterizedTest
    @CsvSource({
        "VALUE, 10, 10, 8, PASS MISS, 10",
        "VALUE, 10.1, 10, 8, FAIL MISS, 10.1",
        "RATIO_TO_SMALLEST, 10, 0.5, 0, PASS NONE, 0.5",
        "RATIO_TO_SMALLEST, 11, 0.5, 0.55, FAIL PASS, 0.55",
        "RATIO_TO_GREATEST, 30, 1.0, 0, PASS NONE, 1.0",
        "RATIO_TO_GREATEST, 29, 1.0, 0, FAIL NONE, 0.97",
    })
    void comparesTheMedianWithTheLimits(
            PeersResult.Kind kind,
            double own,
            double gate,
            double aim,
            String verdicts,
            double figure) {
        PeersResult result = result(PeersResult.Limit.orNone(kind, gate, aim), own, null);
        assertThat(result.figure()).isEqualTo(figure);
        assertThat(result.verdict() + " " + result.aimVerdict()).isEqualTo(verdicts);
    }

    @Test
    void referenceIsTheBestOther() {
        assertThat(result(limit(PeersResult.Kind.RATIO_TO_SMALLEST), 1, null).reference())
                .isEqualTo("one");
        assertThat(result(limit(PeersResult.Kind.RATIO_TO_GREATEST), 99, null).reference())
                .isEqualTo("two");
    }

    @Test
    void referenceMayBeZero() {
        List<PeersResult.PeerValues> values =
                List.of(
                        new PeersResult.PeerValues("serval", List.of(1.0), null),
                        new PeersResult.PeerValues("one", List.of(0.0), null));
        PeersResult.Limit limit = limit(PeersResult.Kind.RATIO_TO_SMALLEST);
        PeersResult result =
                new PeersResult("cell", "Cell", "s", limit, "serval", values, List.of(), List.of());
        assertThat(result.figure()).isInfinite();
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void failureOfTheSubjectFails() {
        PeersResult failed = result(limit(PeersResult.Kind.RATIO_TO_SMALLEST), 1, "it ended");
        assertThat(failed.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(text(failed)).containsPattern("cell +serval +failed: it ended\n");
    }

    @Test
    void cellWithoutSubjectHasNoVerdict() {
        PeersResult other =
                new PeersResult(
                        "cell",
                        "Cell",
                        "s",
                        limit(PeersResult.Kind.RATIO_TO_SMALLEST),
                        "serval",
                        List.of(new PeersResult.PeerValues("one", List.of(20.0), null)),
                        List.of(),
                        List.of());
        assertThat(other.verdict()).isEqualTo(Verdict.NONE);
    }

    @Test
    void tableShowsEveryPeer() {
        assertThat(text(result(limit(PeersResult.Kind.RATIO_TO_SMALLEST), 5, null)))
                .containsPattern(
                        "cell +5\\.00 \\(5\\.00–5\\.00\\) +\\*20\\.0 \\(10\\.0–30\\.0\\)"
                                + " +30\\.0 \\(30\\.0–30\\.0\\) +s +÷ \\* 0\\.25 +≤ 0\\.50 pass +–\n")
                .contains("- cell: a note\n");
    }

    private static PeersResult.Limit limit(PeersResult.Kind kind) {
        return PeersResult.Limit.orNone(kind, 0.5, 0);
    }

    private static PeersResult result(
            PeersResult.Limit limit, double own, @Nullable String failure) {
        return new PeersResult(
                "cell",
                "Cell",
                "s",
                limit,
                "serval",
                List.of(
                        new PeersResult.PeerValues(
                                "serval", failure == null ? List.of(own) : List.of(), failure),
                        new PeersResult.PeerValues("one", List.of(10.0, 20.0, 30.0), null),
                        new PeersResult.PeerValues("two", List.of(30.0), null)),
                List.of("a note"),
                List.of());
    }

    private static String text(PeersResult result) {
        return new ReportText(
                        new Report(
                                "servlet",
                                "Servlets",
                                "",
                                ENVIRONMENT,
                                List.of(),
                                List.of(result),
                                List.of()))
                .text();
    }
}
