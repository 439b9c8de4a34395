package dev.serval.bench.report;

import java.util.Locale;

/// Formats figures for tables. Stateless.
public final class Digits {
    private Digits() {}

    /// Returns a figure with so many decimals, or a dash for NaN.
    public static String of(double value, int decimals) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /// Returns a figure with two decimals, or a dash for NaN.
    public static String hundredths(double value) {
        return of(value, 2);
    }

    /// Returns about three digits. Figures below 10 have so many decimals.
    public static String brief(double value, int decimals) {
        return of(value, value >= 100 ? 0 : value >= 10 ? 1 : decimals);
    }

    /// Returns a median and its extremes, each with about three digits, or a dash for NaN.
    public static String range(Statistics s, int decimals) {
        return s.text(figure -> brief(figure, decimals));
    }
}
