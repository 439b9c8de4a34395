package dev.serval.figures;

import dev.serval.metrics.Distribution;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Writes metrics as text. All series of a metric come one after the other, whatever the order of the
/// calls. A metric has a limited number of series, and no two with the same labels; [Metric#DROPPED]
/// counts the others. Used once, by one thread.
final class Exposition {
    /// The most series of one metric. A histogram is one series here.
    static final int SERIES_MAX = 1_000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000 * MICRO;
    private static final long SECOND = 1_000 * MILLI;

    /// The bounds of every histogram in exports. All of them are bounds of
    /// [dev.serval.metrics.TimeBuckets], so the counts are exact.
    static final long[] BOUNDS = {
        100 * MICRO,
        250 * MICRO,
        500 * MICRO,
        MILLI,
        5 * MILLI / 2,
        5 * MILLI,
        10 * MILLI,
        25 * MILLI,
        50 * MILLI,
        100 * MILLI,
        250 * MILLI,
        500 * MILLI,
        SECOND,
        5 * SECOND / 2,
        5 * SECOND,
        10 * SECOND,
        25 * SECOND
    };

    private final ExpositionFormat format;
    private final Map<Metric, StringBuilder> series = new EnumMap<>(Metric.class);
    private final Map<Metric, Set<List<String>>> labelled = new EnumMap<>(Metric.class);
    private int dropped;

    Exposition(ExpositionFormat format) {
        this.format = format;
    }

    /// Adds the value of a counter, a gauge or an info.
    ///
    /// @param labels the values of the labels
    void add(Metric metric, double value, String... labels) {
        if (admits(metric, labels)) {
            sample(metric, "", metric.text(), value, labels);
        }
    }

    /// Adds the value of a counter, a gauge or an info.
    ///
    /// @param labels the values of the labels
    void add(Metric metric, long value, String... labels) {
        add(metric, (double) value, labels);
    }

    /// Adds a number of nanoseconds as seconds.
    void addNanos(Metric metric, long nanos, String... labels) {
        add(metric, nanos / NANOS_PER_SECOND, labels);
    }

    /// Adds a histogram.
    void add(Metric metric, Distribution times, String... labels) {
        if (!admits(metric, labels)) {
            return;
        }
        for (long bound : BOUNDS) {
            bucket(metric, seconds(bound), times.countUpTo(bound), labels);
        }
        bucket(metric, "+Inf", times.count(), labels);
        sample(metric, "", metric.text() + "_sum", times.sumNanos() / NANOS_PER_SECOND, labels);
        sample(metric, "", metric.text() + "_count", (double) times.count(), labels);
    }

    /// Adds a summary: a number of times and their sum.
    void addSummary(Metric metric, long count, double sumSeconds, String... labels) {
        if (admits(metric, labels)) {
            sample(metric, "", metric.text() + "_sum", sumSeconds, labels);
            sample(metric, "", metric.text() + "_count", (double) count, labels);
        }
    }

    /// Returns the whole text.
    String text() {
        add(Metric.DROPPED, dropped);
        StringBuilder text = new StringBuilder(series.size() * 400);
        series.forEach((metric, lines) -> {
            head(metric, text);
            text.append(lines);
        });
        if (format == ExpositionFormat.OPENMETRICS) {
            text.append("# EOF\n");
        }
        return text.toString();
    }

    private boolean admits(Metric metric, String... labels) {
        if (labels.length != metric.labels().size()) {
            throw new IllegalArgumentException(
                    metric.text() + " has the labels " + metric.labels() + ": give each a value");
        }
        Set<List<String>> present = labelled.computeIfAbsent(metric, _ -> new HashSet<>());
        boolean admitted = present.size() < SERIES_MAX && present.add(List.of(labels));
        dropped += admitted ? 0 : 1; // a scraper refuses a text with two equal series
        return admitted;
    }

    private void head(Metric metric, StringBuilder text) {
        boolean open = format == ExpositionFormat.OPENMETRICS;
        String family = open ? family(metric) : metric.text();
        String type =
                metric.type() == Metric.Type.INFO && !open
                        ? "gauge"
                        : metric.type().name().toLowerCase(Locale.ROOT);
        text.append("# HELP ").append(family).append(' ');
        escape(metric.help(), open, text);
        text.append("\n# TYPE ").append(family).append(' ').append(type).append('\n');
        if (open) {
            unit(family, text);
        }
    }

    /// In OpenMetrics, a family has the name of its series without what their type adds.
    private static String family(Metric metric) {
        return switch (metric.type()) {
            case COUNTER -> withoutEnd(metric.text(), "_total");
            case INFO -> withoutEnd(metric.text(), "_info");
            case GAUGE, HISTOGRAM, SUMMARY -> metric.text();
        };
    }

    private static String withoutEnd(String name, String end) {
        return name.endsWith(end) ? name.substring(0, name.length() - end.length()) : name;
    }

    private static void unit(String family, StringBuilder text) {
        for (String unit : new String[] {"seconds", "bytes"}) {
            if (family.endsWith("_" + unit)) {
                text.append("# UNIT ").append(family).append(' ').append(unit).append('\n');
            }
        }
    }

    private void bucket(Metric metric, String bound, long count, String... labels) {
        sample(metric, bound, metric.text() + "_bucket", (double) count, labels);
    }

    /// @param bound the value of the label `le`; empty for none
    private void sample(Metric metric, String bound, String name, double value, String... labels) {
        StringBuilder line = series.computeIfAbsent(metric, _ -> new StringBuilder());
        line.append(name);
        char before = '{';
        for (int i = 0; i < labels.length; i++) {
            line.append(before).append(metric.labels().get(i)).append("=\"");
            escape(labels[i], true, line);
            line.append('"');
            before = ',';
        }
        if (!bound.isEmpty()) {
            line.append(before).append("le=\"").append(bound).append('"');
            before = ',';
        }
        line.append(before == '{' ? " " : "} ");
        number(value, line);
        line.append('\n');
    }

    /// Both formats escape the same characters of labels. Quotes in a help text are escaped only by
    /// OpenMetrics.
    private static void escape(String value, boolean quotes, StringBuilder into) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\') {
                into.append("\\\\");
            } else if (c == '\n') {
                into.append("\\n");
            } else if (c == '"' && quotes) {
                into.append("\\\"");
            } else if (Character.isSurrogate(c) && !isPaired(value, i)) {
                into.append('\uFFFD'); // UTF-8 has no half of a pair
            } else {
                into.append(c);
            }
        }
    }

    private static boolean isPaired(String value, int at) {
        char c = value.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 < value.length() && Character.isLowSurrogate(value.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(value.charAt(at - 1));
    }

    private static void number(double value, StringBuilder into) {
        long whole = (long) value;
        if (whole == value && Math.abs(whole) < 1L << 53) {
            into.append(whole);
        } else if (Double.isInfinite(value)) {
            into.append(value > 0 ? "+Inf" : "-Inf");
        } else {
            into.append(value);
        }
    }

    /// Returns a bound as OpenMetrics wants it: without an exponent, with a point.
    private static String seconds(long nanos) {
        BigDecimal seconds = BigDecimal.valueOf(nanos, 9).stripTrailingZeros();
        return (seconds.scale() <= 0 ? seconds.setScale(1) : seconds).toPlainString();
    }
}
