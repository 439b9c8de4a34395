package dev.serval.bench.shop;

import dev.serval.bench.scenario.ShopCell;
import java.util.random.RandomGenerator;

/// How users behave, whatever they ask for. Times are exponential.
///
/// @param thinkMaxSeconds the longest time of thinking; 0 for none
/// @param connections of a browser
record ShopHabits(
        double thinkSeconds,
        double thinkMaxSeconds,
        double sessionSeconds,
        int connections,
        double answerSeconds) {
    /// A user who waits for longer gives up.
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    /// The longest session ÷ the mean, as in the rules of TPC-W: 60 and 15 minutes.
    private static final int SESSION_MAX = 4;

    static ShopHabits of(ShopCell cell, ShopCell.Extent extent) {
        return new ShopHabits(
                cell.thinkSeconds(),
                cell.thinkMaxSeconds(),
                extent.sessionSeconds(),
                cell.connections(),
                cell.answerSeconds());
    }

    /// Returns how long a user thinks.
    long thinkNanos(RandomGenerator random) {
        double seconds = thinkSeconds * random.nextExponential();
        return Math.round(
                1e9 * (thinkMaxSeconds > 0 ? Math.min(seconds, thinkMaxSeconds) : seconds));
    }

    /// Returns the length of a session.
    long sessionNanos(RandomGenerator random) {
        double seconds = sessionSeconds * random.nextExponential();
        return Math.round(1e9 * Math.min(seconds, SESSION_MAX * sessionSeconds));
    }

    long patienceNanos() {
        return PATIENCE_NANOS;
    }

    /// Returns the time for an interaction.
    long limitNanos() {
        return Math.round(1e9 * answerSeconds);
    }
}
