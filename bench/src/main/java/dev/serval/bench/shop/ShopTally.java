package dev.serval.bench.shop;

import dev.serval.bench.load.Fate;
import dev.serval.bench.load.Fates;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/// Counts the interactions that begin during a measurement, or those of a load that no measurement has.
/// Used by the thread of its load.
final class ShopTally {
    private static final long HIGHEST_MICROS = 120_000_000;
    private static final int DIGITS = 3;

    /// An interaction later than this was not sent in time. The deadlines of a loop come up to 17 ms
    /// late.
    private static final long LATE_NANOS = 100_000_000;

    /// The share of late interactions beyond which the generator did not make the load.
    private static final double LATE_SHARE_MAX = 0.01;

    private final long limitNanos;
    private final Map<Interaction, Histogram> micros = new EnumMap<>(Interaction.class);
    private final Histogram all = new Histogram(HIGHEST_MICROS, DIGITS);
    private final Map<Fate, Long> fates = new EnumMap<>(Fate.class);
    private String firstFault = "";
    private long ended;
    private long inTime;
    private long overdue;
    private long begun;
    private long late;
    private long refused;
    private double seconds = Double.NaN;

    /// @param limitNanos the time for an interaction
    ShopTally(long limitNanos) {
        this.limitNanos = limitNanos;
        for (Interaction one : Interaction.values()) {
            micros.put(one, new Histogram(HIGHEST_MICROS, DIGITS));
        }
    }

    /// Notes the begin of an interaction, so long after it was due.
    void begins(long delayNanos) {
        begun++;
        late += delayNanos > LATE_NANOS ? 1 : 0;
    }

    /// Notes the end of an interaction.
    ///
    /// @param fault what was wrong, in words
    /// @return false if the measurement has ended before, so that it does not count
    boolean ended(Interaction what, Fate fate, long nanos, String fault) {
        if (!Double.isNaN(seconds)) {
            return false;
        }
        ended++;
        fates.merge(fate, 1L, Long::sum);
        if (fate == Fate.RIGHT) {
            long took = Math.clamp(nanos / 1000, 0, HIGHEST_MICROS);
            all.recordValue(took);
            histogram(what).recordValue(took);
            inTime += nanos <= limitNanos ? 1 : 0;
        } else if (firstFault.isEmpty() || (fate == Fate.WRONG && wrong() == 1)) {
            firstFault = what.word() + ": " + fate.word() + (fault.isEmpty() ? "" : ", " + fault);
        }
        return true;
    }

    /// Notes a purchase that the shop has refused with a reason.
    void refused() {
        refused++;
    }

    /// Notes that an interaction has no end when the measurement ends, after so long.
    void pending(long nanos) {
        overdue += nanos > limitNanos ? 1 : 0;
    }

    /// Ends the measurement.
    void close(double afterSeconds) {
        seconds = afterSeconds;
    }

    private Histogram histogram(Interaction what) {
        return Objects.requireNonNull(micros.get(what)); // each one has a histogram
    }

    /// Returns the share of the interactions with a right answer in time. Those without an answer
    /// count as soon as their time is over.
    double share() {
        return (double) inTime / Math.max(1, ended + overdue);
    }

    /// Returns the interactions with a right answer, in a second.
    double perSecond() {
        return all.getTotalCount() / seconds;
    }

    /// Returns how many interactions have ended.
    long ended() {
        return ended;
    }

    /// Returns how many had a wrong answer. Those with a refusal, or without an answer, are no such.
    long wrong() {
        return count(Fate.WRONG);
    }

    /// Returns how many had no right answer.
    long failed() {
        return ended - all.getTotalCount();
    }

    long count(Fate fate) {
        return fates.getOrDefault(fate, 0L);
    }

    /// Returns what happened to the first interaction with a wrong answer, or else to the first without
    /// a right one, or an empty text.
    String firstFault() {
        return firstFault;
    }

    /// Returns how many purchases the shop has refused.
    long refusals() {
        return refused;
    }

    /// Returns whether the generator, not the server, was at its end.
    boolean isOfTheGenerator() {
        return late > LATE_SHARE_MAX * begun;
    }

    /// Returns a percentile of all interactions in milliseconds, or NaN without any.
    double millis(double percentile) {
        return Fates.millis(all, percentile);
    }

    /// Returns a percentile of one kind of interactions in milliseconds, or NaN without any.
    double millis(Interaction what, double percentile) {
        return Fates.millis(histogram(what), percentile);
    }

    /// Returns whether interactions of this kind happened, and 90 % of them kept their limit.
    boolean keepsLimit(Interaction what) {
        return count(what) > 0 && millis(what, 90) <= 1e3 * what.limitSeconds();
    }

    /// Returns the share of one kind among the interactions with a right answer, in percent.
    double percent(Interaction what) {
        return 100.0 * histogram(what).getTotalCount() / Math.max(1, all.getTotalCount());
    }

    /// Returns the number of interactions of one kind with a right answer.
    long count(Interaction what) {
        return histogram(what).getTotalCount();
    }
}
