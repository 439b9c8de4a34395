package dev.serval.bench.shop;

import dev.serval.bench.scenario.ShopCell;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

/// A Markov chain over the interactions whose stationary shares are the published ones of a mix.
///
/// The published tables of transitions are not used. Of all chains with these shares that go only
/// where a page leads to, this is the one with the greatest entropy: it adds no other habit. The
/// flow from row to column is `x[row] · y[column]`, or 0 where no way leads. Row sums and column sums
/// must both be the shares; scaling them in turn finds `x` and `y` (iterative proportional fitting).
/// Immutable.
final class ShopChain {
    private static final Interaction[] ALL = Interaction.values();
    private static final int TURNS = 20_000;

    /// The probabilities of what comes next, in the order of the interactions, each with the sum of
    /// those before.
    private final Map<Interaction, double[]> sums = new EnumMap<>(Interaction.class);

    private ShopChain(double[][] next) {
        for (int row = 0; row < ALL.length; row++) {
            double[] summed = new double[ALL.length];
            double sum = 0;
            for (int column = 0; column < ALL.length; column++) {
                sum += next[row][column];
                summed[column] = sum;
            }
            sums.put(ALL[row], summed);
        }
    }

    /// Returns the chain of a mix.
    static ShopChain of(ShopCell.Mix mix) {
        int n = ALL.length;
        double[] shares = new double[n];
        double[][] flow = new double[n][n];
        for (int row = 0; row < n; row++) {
            shares[row] = ALL[row].share(mix) / Interaction.sum(mix);
            for (int column = 0; column < n; column++) {
                flow[row][column] = ALL[row].leadsTo(ALL[column]) ? 1 : 0;
            }
        }
        for (int turn = 0; turn < TURNS; turn++) {
            for (int row = 0; row < n; row++) {
                scaleRow(flow, row, shares[row]);
            }
            for (int column = 0; column < n; column++) {
                scaleColumn(flow, column, shares[column]);
            }
        }
        for (int row = 0; row < n; row++) {
            scaleRow(flow, row, 1);
        }
        return new ShopChain(flow);
    }

    private static void scaleRow(double[][] flow, int row, double sum) {
        double now = 0;
        for (double one : flow[row]) {
            now += one;
        }
        for (int column = 0; column < flow.length; column++) {
            flow[row][column] *= sum / now;
        }
    }

    private static void scaleColumn(double[][] flow, int column, double sum) {
        double now = 0;
        for (double[] row : flow) {
            now += row[column];
        }
        for (double[] row : flow) {
            row[column] *= sum / now;
        }
    }

    /// Returns the probability that one interaction follows another.
    double probability(Interaction from, Interaction to) {
        double[] row = row(from);
        double before = 0;
        for (int column = 0; column < row.length; column++) {
            if (ALL[column] == to) {
                return row[column] - before;
            }
            before = row[column];
        }
        throw new IllegalStateException("no interaction " + to);
    }

    private double[] row(Interaction from) {
        return Objects.requireNonNull(sums.get(from));
    }

    /// Returns what a visitor does after an interaction.
    Interaction after(Interaction from, RandomGenerator random) {
        double[] row = row(from);
        double at = random.nextDouble() * row[row.length - 1];
        int column = 0;
        while (row[column] <= at) {
            column++;
        }
        return ALL[column];
    }
}
