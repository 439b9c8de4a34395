package dev.serval.gateway.neighbour;

import dev.serval.gateway.peer.PoolLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The options of one address while it is read. Keeps the first problem. Used by one thread.
final class NeighbourOptions {
    private static final String COMMON =
            "connections, queue, queue-time, connect-time, answer-time, idle-time, half-close";
    private static final long TIME_MAX_DAYS =
            TimeUnit.NANOSECONDS.toDays(PoolLimits.TIME_MAX_NANOS);
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    private final String address;
    private final Map<String, String> left = new LinkedHashMap<>();
    private @Nullable String problem;

    private NeighbourOptions(String address) {
        this.address = address;
    }

    /// Reads `name=value&name=value`. A value may have `%xx`.
    static NeighbourOptions of(String address, String query) {
        NeighbourOptions options = new NeighbourOptions(address);
        for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : NeighbourSyntax.decoded(part.substring(equals + 1));
            if (value.isEmpty()) {
                options.wrong("has \"" + part + "\" as an option: write NAME=VALUE.");
            } else if (options.left.put(name, value) != null) {
                options.wrong("has the option " + name + " twice: once is enough.");
            }
        }
        return options;
    }

    @Nullable String text(String name) {
        return left.remove(name);
    }

    boolean flag(String name, boolean usual) {
        @Nullable String value = left.remove(name);
        if (value == null) {
            return usual;
        }
        if (!value.equals("yes") && !value.equals("no")) {
            wrong("has " + name + "=" + value + ": this option takes yes or no.");
        }
        return value.equals("yes");
    }

    int number(String name, int usual, int least, int most) {
        @Nullable String value = left.remove(name);
        if (value == null) {
            return usual;
        }
        int number = value.matches("\\d{1,9}") ? Integer.parseInt(value) : -1;
        if (number < least || number > most) {
            wrong(
                    "has "
                            + name
                            + "="
                            + value
                            + ": this option takes a number from "
                            + least
                            + " to "
                            + most
                            + ".");
            return usual;
        }
        return number;
    }

    /// Returns a time in nanoseconds.
    long time(String name, long usualNanos) {
        @Nullable String value = left.remove(name);
        if (value == null) {
            return usualNanos;
        }
        Matcher matcher = TIME.matcher(value);
        long number = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
        if (number == 0) {
            wrong("has " + name + "=" + value + ": this option takes a time, such as 30s or 2m.");
            return usualNanos;
        }
        long nanos = // Long.MAX_VALUE if it is longer than a long can say
                switch (matcher.group(2)) {
                    case "ms" -> TimeUnit.MILLISECONDS.toNanos(number);
                    case "s" -> TimeUnit.SECONDS.toNanos(number);
                    case "m" -> TimeUnit.MINUTES.toNanos(number);
                    default -> TimeUnit.HOURS.toNanos(number);
                };
        if (nanos > PoolLimits.TIME_MAX_NANOS) {
            wrong(
                    "has "
                            + name
                            + "="
                            + value
                            + ": this option takes a time of at most "
                            + TIME_MAX_DAYS
                            + " days, which is "
                            + TimeUnit.DAYS.toHours(TIME_MAX_DAYS)
                            + "h.");
            return usualNanos;
        }
        return nanos;
    }

    /// Refuses options that were not taken.
    ///
    /// @param own the options of the protocol, for the sentence
    void end(String own) {
        for (String name : left.keySet()) {
            wrong(
                    "has the option "
                            + name
                            + ", which does not exist here: possible are "
                            + (own.isEmpty() ? "" : own + ", ")
                            + COMMON
                            + ".");
        }
    }

    /// Keeps a problem, if it is the first.
    void wrong(String what) {
        if (problem == null) {
            problem = "\"" + address + "\" " + what;
        }
    }

    @Nullable String problem() {
        return problem;
    }
}
