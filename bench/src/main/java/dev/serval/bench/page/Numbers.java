package dev.serval.bench.page;

import java.util.Locale;

/// Writes figures with about three digits.
final class Numbers {
    private Numbers() {}

    /// Returns a figure such as `0.0125`, `3.5`, `1,250` or `2.5M`, or a dash for NaN.
    static String of(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return "–";
        }
        if (size >= 1e7) {
            return plain(value / 1e6, 1) + "M";
        }
        if (size >= 100 || size == 0) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        int decimals = size >= 10 ? 1 : size >= 1 ? 2 : 2 - (int) Math.floor(Math.log10(size));
        return plain(value, Math.min(decimals, 6));
    }

    /// Returns a figure without needless zeros at its end.
    private static String plain(double value, int decimals) {
        String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }
}
