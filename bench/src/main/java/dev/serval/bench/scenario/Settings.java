package dev.serval.bench.scenario;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.type.TypeReference;

/// How long and how carefully a run measures.
///
/// @param warmUpsMax warm-up rounds after which the measurement starts, even if the figures have
///     not settled
/// @param settledShare two warm-up rounds that differ by less have settled
/// @param disturbedShare CPU time of other processes on the server's CPU above which a round is
///     disturbed
/// @param clientDisturbedShare the same for the client's CPU: a delayed client leaves the server
///     idle, which costs wake-ups
/// @param repeatsMax disturbed rounds that are repeated, for each peer and cell
/// @param beforeGate the subject's cost ÷ that of an earlier build above which the subject is slower
public record Settings(
        int rounds,
        int seconds,
        int warmUpsMax,
        double settledShare,
        double disturbedShare,
        double clientDisturbedShare,
        int repeatsMax,
        double beforeGate) {
    /// The settings of a careful run.
    public static final Settings FULL = new Settings(5, 3, 10, 0.03, 0.03, 0.1, 10, 1.03);

    /// The settings of option `--full`: rounds as long as those of the paper on Jigsaw.
    public static final Settings PAPER = new Settings(5, 60, 10, 0.03, 0.03, 0.1, 10, 1.03);

    /// The settings of a quick check, with rough figures.
    public static final Settings QUICK = new Settings(3, 1, 3, 0.03, 0.03, 0.1, 2, 1.03);

    /// The settings of the report that docs/results has: rounds are shorter, to measure more servers.
    public static final Settings SHORT = new Settings(3, 2, 10, 0.03, 0.03, 0.1, 3, 1.03);

    /// Returns whether cells take as long as in their papers: if a round does.
    public boolean paper() {
        return seconds >= PAPER.seconds();
    }

    /// Returns whether a cell has no more time than in a quick check, so that a part of it is left out.
    @JsonIgnore
    public boolean isQuick() {
        return rounds * seconds <= QUICK.rounds * QUICK.seconds;
    }

    /// Returns these settings with another number of rounds.
    public Settings withRounds(int other) {
        return with(other, seconds, beforeGate);
    }

    /// Returns these settings with another length of a round.
    public Settings withSeconds(int other) {
        return with(rounds, other, beforeGate);
    }

    /// Returns these settings with another gate for the comparison with an earlier build.
    public Settings withBeforeGate(double other) {
        return with(rounds, seconds, other);
    }

    private Settings with(int otherRounds, int otherSeconds, double otherGate) {
        return new Settings(
                otherRounds,
                otherSeconds,
                warmUpsMax,
                settledShare,
                disturbedShare,
                clientDisturbedShare,
                repeatsMax,
                otherGate);
    }

    /// Returns the settings by name, for the report.
    public Map<String, String> facts() {
        return Scenario.JSON.convertValue(this, new TypeReference<TreeMap<String, String>>() {});
    }
}
