package dev.serval.bench.run;

import dev.serval.bench.report.Round;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// The rounds of one measurement: first some that warm up, until the figures have settled, and then
/// those that count. A disturbed round is repeated, as often as the settings allow for all rounds
/// together. Used by one thread.
///
/// @param <R> what a round returns
public final class Rounds<R> {
    private final Settings settings;
    private final Measure<R> measure;
    private final Predicate<R> disturbed;
    private boolean settled;
    private int repeats;

    /// Measures one round.
    public interface Measure<R> {
        /// Measures, and prints the progress of this phase.
        R round(Round.Phase phase) throws IOException;
    }

    /// Makes rounds of this kind.
    public Rounds(Settings settings, Measure<R> measure, Predicate<R> disturbed) {
        this.settings = settings;
        this.measure = measure;
        this.disturbed = disturbed;
    }

    /// Warms up until two rounds in a row have nearly the same figures, or up to the limit.
    public void warmUp(List<ToDoubleFunction<R>> figures) throws IOException {
        double[] last = new double[figures.size()];
        Arrays.fill(last, Double.NaN);
        for (int number = 0; number < settings.warmUpsMax() && !settled; number++) {
            R round = measure.round(Round.Phase.WARM_UP);
            settled = true;
            for (int i = 0; i < last.length; i++) {
                double figure = figures.get(i).applyAsDouble(round);
                settled &= Statistics.near(figure, last[i], settings.settledShare());
                last[i] = figure;
            }
        }
    }

    /// Returns whether the warm-up ended because the figures had settled.
    boolean settled() {
        return settled;
    }

    /// Measures one round that counts.
    R next() throws IOException {
        R round = measure.round(Round.Phase.MEASURED);
        while (disturbed.test(round) && repeats < settings.repeatsMax()) {
            repeats++;
            round = measure.round(Round.Phase.MEASURED);
        }
        return round;
    }

    /// Warms up and measures all rounds that count.
    public List<R> all(List<ToDoubleFunction<R>> figures) throws IOException {
        warmUp(figures);
        List<R> rounds = new ArrayList<>();
        while (rounds.size() < settings.rounds()) {
            rounds.add(next());
        }
        return rounds;
    }
}
