package dev.serval.soak.whole;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Holds the arguments of a whole soak.
///
/// @param server the command that starts the server, before its arguments
/// @param length of the load, without the starts and rests
/// @param steady the number of clients that behave
/// @param hostile the number of clients that do not
/// @param crowdPercent the size of the crowd, from 1 to 100
/// @param judgesTimes whether a promise about times counts; tests leave it out
/// @param out the folder for the results
/// @param log where the server's output is kept
public record WholeSettings(
        List<String> server,
        Duration length,
        int steady,
        int hostile,
        int crowdPercent,
        boolean judgesTimes,
        int heapMegabytes,
        Path out,
        Path log) {
    private static final int WARM_PART = 6;
    private static final int CROWD_PART = 10;
    private static final Duration WARM_MAX = Duration.ofMinutes(3);
    private static final Duration CROWD_MAX = Duration.ofMinutes(1);

    /// Returns the length of the first part, in which pools, caches and code grow.
    Duration warm() {
        return least(length.dividedBy(WARM_PART), WARM_MAX);
    }

    /// Returns how long the crowd stays each time.
    Duration crowd() {
        return least(length.dividedBy(CROWD_PART), CROWD_MAX);
    }

    /// Returns the length of a row of the table: a minute, or less if the soak is short.
    Duration row() {
        return least(length.minus(warm()).dividedBy(4), Duration.ofMinutes(1));
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
