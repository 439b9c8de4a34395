package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.Round;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {

    /// At most four rounds to warm up, two that count, and one repetition.
    private static final Settings SETTINGS = new Settings(2, 1, 4, 0.03, 1, 1, 1, 1.03);

    private final Deque<Double> figures = new ArrayDeque<>();

    private Rounds<Double> rounds(Double... all) {
        figures.addAll(List.of(all));
        return new Rounds<>(SETTINGS, this::next, figure -> figure < 0);
    }

    private Double next(Round.Phase phase) {
        return figures.remove();
    }

    @Test
    void warmsUpUntilTheFiguresSettle() throws IOException {
        Rounds<Double> rounds = rounds(9.0, 5.0, 5.1, 4.0, 4.0);
        rounds.warmUp(List.of(figure -> figure));
        assertThat(rounds.settled()).isTrue();
        assertThat(figures).containsExactly(4.0, 4.0);
    }

    @Test
    void everyFigureMustSettle() throws IOException {
        Rounds<Double> rounds = rounds(1.0, 2.0, 2.0, 7.0);
        rounds.warmUp(List.of(figure -> figure, _ -> 1));
        assertThat(rounds.settled()).isTrue();
        assertThat(figures).containsExactly(7.0);
    }

    @Test
    void warmUpEndsAtTheLimit() throws IOException {
        Rounds<Double> rounds = rounds(1.0, 2.0, 3.0, 4.0, 5.0);
        rounds.warmUp(List.of(figure -> figure));
        assertThat(rounds.settled()).isFalse();
        assertThat(figures).containsExactly(5.0);
    }

    @Test
    void repeatsDisturbedRoundsAsOftenAsAllowedForAll() throws IOException {
        Rounds<Double> rounds = rounds(1.0, 1.0, -1.0, 2.0, -3.0, 4.0);
        assertThat(rounds.all(List.of(figure -> figure))).containsExactly(2.0, -3.0);
    }
}
