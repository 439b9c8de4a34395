package dev.serval.bench;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// How far a run is, and how long it still takes. It begins with estimates, and corrects them by what
/// the cells that are done really took. Thread-safe, because two threads may print.
final class Progress {
    private static final int BAR = 24;
    private static final double NANOS = 1e9;

    /// The share of a run whose last cell takes longer than it should.
    private static final double MOST = 0.99;

    /// The width of a narrow terminal. A longer line could not be removed.
    private static final int COLUMNS = 79;

    private final LongSupplier clock;

    /// The estimates of the cells that are not done, in seconds.
    private final Map<String, Double> ahead = new LinkedHashMap<>();

    private double doneSeconds;
    private double doneEstimates;
    private int done;
    private String current = "";
    private long currentSince;

    /// @param clock in nanoseconds
    Progress(LongSupplier clock) {
        this.clock = clock;
    }

    /// Adds a cell that is to be measured.
    synchronized void add(String cell, double estimateSeconds) {
        ahead.put(cell, estimateSeconds);
    }

    /// Begins a cell.
    synchronized void begin(String cell) {
        current = cell;
        currentSince = clock.getAsLong();
    }

    /// Ends the current cell.
    ///
    /// @param measured whether the estimates of the other cells can be corrected by it
    /// @return how long it took, in seconds
    synchronized double end(boolean measured) {
        double seconds = currentSeconds();
        if (measured) {
            took(current, seconds);
        } else {
            drop(current);
        }
        current = "";
        return seconds;
    }

    /// Counts a cell as done that took so long.
    synchronized void took(String cell, double seconds) {
        Double estimate = ahead.remove(cell);
        if (estimate != null) {
            done++;
            doneSeconds += seconds;
            doneEstimates += estimate;
        }
    }

    /// Removes a cell that is not measured.
    synchronized void drop(String cell) {
        ahead.remove(cell);
    }

    /// Returns how long the rest takes, in seconds.
    synchronized double leftSeconds() {
        double left = 0;
        for (Map.Entry<String, Double> cell : ahead.entrySet()) {
            double whole = correctedSeconds(cell.getValue());
            left += cell.getKey().equals(current) ? Math.max(0, whole - currentSeconds()) : whole;
        }
        return left;
    }

    /// Returns an estimate as the cells that are done correct it.
    synchronized double correctedSeconds(double estimate) {
        return doneEstimates == 0 ? estimate : estimate * doneSeconds / doneEstimates;
    }

    private double currentSeconds() {
        return current.isEmpty() ? 0 : (clock.getAsLong() - currentSince) / NANOS;
    }

    /// Returns a line for a terminal or a log.
    ///
    /// @param bar whether it has a bar
    synchronized String line(boolean bar) {
        double left = leftSeconds();
        double past = doneSeconds + currentSeconds();
        double most = ahead.isEmpty() ? 1 : MOST;
        double share = past + left == 0 ? most : Math.min(most, past / (past + left));
        int full = (int) Math.round(BAR * share);
        String line =
                String.format(
                        "%s%3.0f %%, %d of %d cells, %s left%s",
                        bar ? "[" + "#".repeat(full) + "-".repeat(BAR - full) + "] " : "",
                        100 * share,
                        done,
                        done + ahead.size(),
                        text(left),
                        current.isEmpty() ? "" : ": " + current);
        return bar && line.length() > COLUMNS ? line.substring(0, COLUMNS) : line;
    }

    /// Returns a length of time for people, such as `about 14 minutes`.
    static String text(double seconds) {
        long whole = Duration.ofMillis((long) (seconds * 1000)).toSeconds();
        if (whole < 90) {
            return "about " + whole + " seconds";
        }
        long minutes = Math.round(seconds / 60);
        return minutes < 120
                ? "about " + minutes + " minutes"
                : "about %.1f hours".formatted(seconds / 3600);
    }
}
