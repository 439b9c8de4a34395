package dev.serval.gateway.neighbour;

import dev.serval.gateway.peer.PoolLimits;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A setting that is a time. Immutable.
///
/// @param name as the option of an address is called
record TimeSetting(String name) {
    static final TimeSetting QUEUE = new TimeSetting("queue-time");
    static final TimeSetting CONNECT = new TimeSetting("connect-time");
    static final TimeSetting ANSWER = new TimeSetting("answer-time");
    static final TimeSetting IDLE = new TimeSetting("idle-time");
    static final TimeSetting INTERIM = new TimeSetting("interim-time");
    static final TimeSetting TUNNEL_IDLE = new TimeSetting("tunnel-idle");
    static final TimeSetting CHECK_EVERY = new TimeSetting("check-every");

    private static final long MAX_DAYS = TimeUnit.NANOSECONDS.toDays(PoolLimits.TIME_MAX_NANOS);
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    /// Reads a text, such as `30s`.
    ///
    /// @param usualNanos the result if a problem was added
    /// @return nanoseconds that [#check] takes
    long read(String text, long usualNanos, Problems problems) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            problems.add(name, name + " takes a time, such as 30s or 2m, not " + text + ".");
            return usualNanos;
        }
        long number = Long.parseLong(matcher.group(1));
        long nanos = // Long.MAX_VALUE if it is longer than a long can say
                switch (matcher.group(2)) {
                    case "ms" -> TimeUnit.MILLISECONDS.toNanos(number);
                    case "s" -> TimeUnit.SECONDS.toNanos(number);
                    case "m" -> TimeUnit.MINUTES.toNanos(number);
                    default -> TimeUnit.HOURS.toNanos(number);
                };
        return check(nanos, problems) ? nanos : usualNanos;
    }

    /// Adds a problem if a time is too short or too long.
    ///
    /// @return whether it is right
    boolean check(long nanos, Problems problems) {
        if (nanos < 1) {
            problems.add(name, name + " takes a time above zero, such as 30s or 2m.");
            return false;
        }
        if (nanos > PoolLimits.TIME_MAX_NANOS) {
            problems.add(
                    name,
                    name
                            + " takes a time of at most "
                            + MAX_DAYS
                            + " days, which is "
                            + TimeUnit.DAYS.toHours(MAX_DAYS)
                            + "h.");
            return false;
        }
        return true;
    }
}
