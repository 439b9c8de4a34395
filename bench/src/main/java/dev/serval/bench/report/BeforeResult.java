package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;

/// The subject's CPU time per request ÷ that of an earlier build, from pairs of rounds that ran one
/// after the other.
///
/// The ratio is the Hodges-Lehmann estimate: the median of the means of all two pairs, each pair
/// with itself included. The interval has the means whose ranks Wilcoxon's signed-rank test does not
/// reject at 5 %. Both are computed from logarithms, so that exchanging the two builds gives the
/// reciprocal. A few wild rounds move neither far, and no distribution of the noise is assumed.
///
/// @param subject the peer that is compared with [#PEER]
/// @param ratios of each pair, in the order of the rounds
/// @param gate the ratio above which the subject is slower
/// @param ratio the estimate, or NaN without pairs
/// @param low the lower end of the interval; 0 if there are fewer than 6 pairs
/// @param high its upper end; infinite if there are fewer than 6 pairs
public record BeforeResult(
        String subject, List<Double> ratios, double gate, double ratio, double low, double high) {
    /// The name of the peer that runs the earlier build.
    public static final String PEER = "before";

    /// The share of intervals that do not have the true ratio, at one of their ends.
    private static final double TAIL = 0.025;

    /// The verdicts. Only [#SLOWER] fails a run.
    public enum Change {
        /// The whole interval is below 1.
        FASTER,
        /// The whole interval is at or below the gate.
        WITHIN,
        /// The interval has the gate in it: more or quieter rounds are needed.
        UNDECIDED,
        /// The whole interval is above the gate.
        SLOWER
    }

    /// Computes ratio and interval.
    public static BeforeResult of(String subject, List<Double> ratios, double gate) {
        int n = ratios.size();
        double[] means = new double[n * (n + 1) / 2];
        int next = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                means[next++] = Math.sqrt(ratios.get(i) * ratios.get(j));
            }
        }
        Arrays.sort(means);
        double ratio = Statistics.of(Arrays.stream(means).boxed().toList()).median();
        int rejected = rejected(n);
        double low = rejected == 0 ? 0 : means[rejected - 1];
        double high = rejected == 0 ? Double.POSITIVE_INFINITY : means[means.length - rejected];
        return new BeforeResult(subject, List.copyOf(ratios), gate, ratio, low, high);
    }

    /// Returns how many values of the signed-rank sum, from 0 on, have together a probability of at
    /// most [#TAIL] if both builds cost the same. Each of the ranks 1 to n is then positive with
    /// probability one half.
    static int rejected(int n) {
        double[] probability = new double[n * (n + 1) / 2 + 1];
        probability[0] = 1;
        for (int rank = 1; rank <= n; rank++) {
            for (int sum = probability.length - 1; sum >= 0; sum--) {
                double without = sum >= rank ? probability[sum - rank] : 0;
                probability[sum] = (probability[sum] + without) / 2;
            }
        }
        double total = 0;
        int values = 0;
        while (values < probability.length && total + probability[values] <= TAIL) {
            total += probability[values++];
        }
        return values;
    }

    /// Returns what the interval says.
    @JsonProperty("change")
    public Change change() {
        if (low > gate) {
            return Change.SLOWER;
        }
        if (high < 1) {
            return Change.FASTER;
        }
        return high <= gate ? Change.WITHIN : Change.UNDECIDED;
    }
}
