package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.lrwp.LrwpRun;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class EstimateTest {
    /// The names of the scenarios.
    static final Iterable<String> NAMES = Scenario.NAMES;

    @ParameterizedTest
    @FieldSource("NAMES")
    void everyCellHasATimeThatGrowsWithTheRounds(String name) throws IOException {
        Scenario scenario = Scenario.named(name);
        double quick = seconds(scenario, Settings.QUICK, 4);
        double usual = seconds(scenario, Settings.FULL, 4);
        assertThat(quick).isPositive().isLessThan(usual);
        assertThat(usual).isLessThanOrEqualTo(seconds(scenario, Settings.PAPER, 4));
        assertThat(seconds(scenario, Settings.FULL, 2)).isLessThanOrEqualTo(usual);
        for (Cell cell : scenario.cells()) {
            assertThat(new Estimate(Settings.QUICK, 1).seconds(cell)).as(cell.name()).isPositive();
        }
    }

    @Test
    void quickShopOfTwoServersTakesAtMostTenMinutes() throws IOException {
        assertThat(seconds(Scenario.named("shop"), Settings.QUICK, 2)).isBetween(300.0, 600.0);
    }

    @Test
    void sessionsAreEstimatedWithTheirWarmUp() throws IOException {
        Cell sessions =
                Scenario.named("httperf").cells().stream()
                        .filter(cell -> cell.name().equals("sessions-memory"))
                        .findFirst()
                        .orElseThrow();
        Settings s = Settings.SHORT;
        Settings cold =
                new Settings(
                        s.rounds(),
                        s.seconds(),
                        0,
                        s.settledShare(),
                        s.disturbedShare(),
                        s.clientDisturbedShare(),
                        s.repeatsMax(),
                        s.beforeGate());
        assertThat(new Estimate(s, 1).seconds(sessions))
                .isEqualTo(new Estimate(cold, 1).seconds(sessions) + 2 * 5); // two ramps
    }

    @Test
    void rampOfLrwpHasTheTimeOfItsSteps() throws IOException {
        List<Double> seconds =
                List.copyOf(LrwpRun.estimates(List.of("echo", "ramp"), Settings.PAPER).values());
        assertThat(seconds.getLast()).isGreaterThan(2 * seconds.getFirst());
    }

    private static double seconds(Scenario scenario, Settings settings, int peers) {
        Estimate estimate = new Estimate(settings, peers);
        return scenario.cells().stream().mapToDouble(estimate::seconds).sum();
    }
}
