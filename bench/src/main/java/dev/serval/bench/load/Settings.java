package dev.serval.bench.load;

import java.util.Map;
import java.util.TreeMap;

/// How long and how carefully a run measures.
///
/// @param rounds that count, per peer and cell
/// @param seconds of each round
/// @param warmUpsMax rounds of warm-up after which measuring starts, settled or not
/// @param settledShare two warm-up rounds that differ by less are settled
/// @param disturbedShare CPU of others on the server's CPU past which a round is disturbed
/// @param clientDisturbedShare likewise on the client's CPU: a client that is held up leaves the
///     server idle, which costs wake-ups
/// @param repeatsMax disturbed rounds that are repeated, per peer and cell
public record Settings(
        int rounds,
        int seconds,
        int warmUpsMax,
        double settledShare,
        double disturbedShare,
        double clientDisturbedShare,
        int repeatsMax) {
    /// What a careful run has.
    public static final Settings FULL = new Settings(5, 3, 10, 0.03, 0.03, 0.1, 10);

    /// To see whether everything works; figures are rough.
    public static final Settings QUICK = new Settings(3, 1, 3, 0.03, 0.03, 0.1, 2);

    /// With other rounds.
    public Settings withRounds(int other) {
        return new Settings(
                other,
                seconds,
                warmUpsMax,
                settledShare,
                disturbedShare,
                clientDisturbedShare,
                repeatsMax);
    }

    /// With other lengths.
    public Settings withSeconds(int other) {
        return new Settings(
                rounds,
                other,
                warmUpsMax,
                settledShare,
                disturbedShare,
                clientDisturbedShare,
                repeatsMax);
    }

    /// For the report.
    public Map<String, String> facts() {
        Map<String, String> facts = new TreeMap<>();
        facts.put("rounds", String.valueOf(rounds));
        facts.put("seconds", String.valueOf(seconds));
        facts.put("warmUpsMax", String.valueOf(warmUpsMax));
        facts.put("settledShare", String.valueOf(settledShare));
        facts.put("disturbedShare", String.valueOf(disturbedShare));
        facts.put("clientDisturbedShare", String.valueOf(clientDisturbedShare));
        facts.put("repeatsMax", String.valueOf(repeatsMax));
        return facts;
    }
}
