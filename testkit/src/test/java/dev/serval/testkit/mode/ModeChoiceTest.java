package dev.serval.testkit.mode;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ModeChoiceTest {
    private static final LocalDate DAY = LocalDate.of(2026, 1, 1);
    private static final ModeExceptions EXCEPTIONS =
            ModeExceptions.parse(
                    """
                    # a comment

                    h2c h2: It has chunks
                    OneTest
                    TwoTest.chunks
                    """);

    private static List<ModeRun> modes(String choice, LocalDate day) {
        return ModeChoice.modes(choice, "FooTest", day);
    }

    @Test
    void allIsEachMode() {
        assertThat(modes("all", DAY))
                .extracting(ModeRun::mode)
                .containsExactly(Mode.H1, Mode.H1_TLS, Mode.H2C, Mode.H2);
    }

    @Test
    void turnComesToEachModeInFourDays() {
        assertThat(IntStream.range(0, 4).mapToObj(i -> modes("turn", DAY.plusDays(i))))
                .allSatisfy(runs -> assertThat(runs).hasSize(1))
                .extracting(runs -> runs.getFirst().mode())
                .containsExactlyInAnyOrder(Mode.values());
    }

    /// Otherwise a test that does not run in the mode of the day would not run at all.
    @Test
    void turnRunsTheOtherTestsOverHttp1() {
        Set<List<ModeRun>> runs =
                IntStream.range(0, 4)
                        .mapToObj(i -> ModeChoice.modes("turn", "UpgradeTest", DAY.plusDays(i)))
                        .collect(Collectors.toSet());
        assertThat(runs)
                .contains(
                        List.of(new ModeRun(Mode.H2, false), new ModeRun(Mode.H2, true)),
                        List.of(new ModeRun(Mode.H1, false)));
    }

    @Test
    void nameIsThatMode() {
        assertThat(modes("h1_tls", DAY)).containsExactly(new ModeRun(Mode.H1_TLS, false));
    }

    @Test
    void readsExceptionsOfClassesAndTests() {
        assertThat(EXCEPTIONS.reason("OneTest", "any", Mode.H2)).isEqualTo("It has chunks");
        assertThat(EXCEPTIONS.reason("OneTest", "any", Mode.H1)).isEmpty();
        assertThat(EXCEPTIONS.reason("TwoTest", "chunks", Mode.H2C)).isEqualTo("It has chunks");
        assertThat(EXCEPTIONS.reason("TwoTest", "other", Mode.H2C)).isEmpty();
        assertThat(EXCEPTIONS.concern("TwoTest", Mode.H2C)).isTrue();
        assertThat(EXCEPTIONS.concern("TwoTest", Mode.H1_TLS)).isFalse();
    }
}
