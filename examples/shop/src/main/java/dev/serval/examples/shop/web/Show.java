package dev.serval.examples.shop.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The functions of the pages. Each returns text that is safe in the text and in the quoted attributes
/// of HTML. The pages write values by them only, which a test checks.
public final class Show {
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH);

    private Show() {}

    /// Returns a value as text.
    public static String text(@Nullable Object value) {
        String plain = value == null ? "" : value.toString();
        StringBuilder escaped = null;
        for (int i = 0; i < plain.length(); i++) {
            String escape =
                    switch (plain.charAt(i)) {
                        case '&' -> "&amp;";
                        case '<' -> "&lt;";
                        case '>' -> "&gt;";
                        case '"' -> "&#34;";
                        case '\'' -> "&#39;";
                        default -> "";
                    };
            if (!escape.isEmpty() && escaped == null) {
                escaped = new StringBuilder(plain.length() + 32).append(plain, 0, i);
            }
            if (escaped != null) {
                escaped.append(escape.isEmpty() ? plain.substring(i, i + 1) : escape);
            }
        }
        return escaped == null ? plain : escaped.toString();
    }

    /// Returns cents as a price.
    public static String money(long cents) {
        long rest = cents % 100;
        return "€\u202f" + cents / 100 + (rest < 10 ? ".0" : ".") + rest;
    }

    /// Returns a date as people write it.
    public static String day(TemporalAccessor date) {
        return DAY.format(date);
    }

    /// Returns a value as a part of a query.
    public static String query(@Nullable Object value) {
        return value == null ? "" : URLEncoder.encode(value.toString(), StandardCharsets.UTF_8);
    }
}
