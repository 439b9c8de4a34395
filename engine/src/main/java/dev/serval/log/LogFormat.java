package dev.serval.log;

import dev.serval.handler.AccessRecord;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a line of an access log says about an exchange. Immutable.
public final class LogFormat {
    /// The Common Log Format.
    public static final String COMMON = "%h %l %u %t \"%r\" %>s %b";

    /// The Combined Log Format: Common, referrer and user agent.
    public static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

    private final String text;
    private final Part[] parts;
    private final List<TimeFormat> times;
    private final int values;
    private final int plainBytes;
    private final boolean timed;
    private final boolean traces;

    LogFormat(String text, List<Part> parts, List<TimeFormat> times) {
        this.text = text;
        this.parts = parts.toArray(Part[]::new);
        this.times = List.copyOf(times);
        int sumOfValues = 0;
        int sumOfBytes = 1; // the line end
        boolean anyTimed = false;
        boolean anyTraces = false;
        for (Part part : parts) {
            sumOfValues += part.values();
            sumOfBytes += part.plainBytes();
            anyTimed |= part.timed();
            anyTraces |= part.traces();
        }
        this.values = sumOfValues;
        this.plainBytes = sumOfBytes;
        this.timed = anyTimed;
        this.traces = anyTraces;
    }

    /// Returns a format.
    ///
    /// @param name `common`, `combined`, `json`, or a pattern with the codes of Apache's LogFormat, such as
    ///     `%h "%r" %>s %D`
    /// @param zone of times that the format has
    /// @throws IllegalArgumentException if the pattern is wrong; the message names the column
    public static LogFormat of(String name, ZoneId zone) {
        return switch (name) {
            case "common" -> new PatternReader(COMMON, zone).read("common");
            case "combined" -> new PatternReader(COMBINED, zone).read("combined");
            case "json" -> JsonFormat.of();
            default -> new PatternReader(name, zone).read(name);
        };
    }

    /// Returns the format as it was chosen: a name or a pattern.
    public String text() {
        return text;
    }

    /// Returns whether a line tells to which trace the request belongs.
    public boolean traces() {
        return traces;
    }

    /// Returns whether a line tells how long something took.
    boolean timed() {
        return timed;
    }

    /// Returns the formats of its times, by number.
    List<TimeFormat> times() {
        return times;
    }

    /// Returns the number of values of any length.
    int values() {
        return values;
    }

    /// Returns the most bytes of a line.
    int maxBytes(AccessLogLimits limits) {
        return plainBytes + values * (limits.valueMaxBytes() + Escaping.GROWTH_MAX);
    }

    /// Writes the line of an exchange.
    void write(AccessRecord x, LogLine line) {
        for (Part part : parts) {
            part.writer().write(x, line);
        }
        line.plain('\n');
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogFormat format
                && format.text.equals(text)
                && format.times.equals(times);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
