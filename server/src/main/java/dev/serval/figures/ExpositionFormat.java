package dev.serval.figures;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The text formats of metrics.
public enum ExpositionFormat {
    /// Prometheus' text format 0.0.4.
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
    /// OpenMetrics 1.0.0.
    OPENMETRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private static final String TYPE = "application/openmetrics-text";

    private final String contentType;

    ExpositionFormat(String contentType) {
        this.contentType = contentType;
    }

    /// Returns the media type.
    public String contentType() {
        return contentType;
    }

    /// Returns OpenMetrics if the client names it and does not prefer `text/plain` (RFC 9110 §12.5.1).
    /// All others get the text format, which every scraper understands.
    ///
    /// @param accept the field Accept, or null
    public static ExpositionFormat of(@Nullable String accept) {
        if (accept == null) {
            return PROMETHEUS;
        }
        double open = 0;
        double plain = 0;
        for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = range.split(";", -1);
            String type = parts[0].strip();
            if (type.equals(TYPE)) {
                open = Math.max(open, quality(parts));
            } else if (type.equals("text/plain") || type.equals("text/*")) {
                plain = Math.max(plain, quality(parts));
            }
        }
        return open > 0 && open >= plain ? OPENMETRICS : PROMETHEUS;
    }

    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                return parameter.matches("q=(0(\\.\\d{0,3})?|1(\\.0{0,3})?)")
                        ? Double.parseDouble(parameter.substring(2))
                        : 0;
            }
        }
        return 1;
    }
}
