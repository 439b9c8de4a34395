package dev.serval.log;

import dev.serval.loop.Clock;
import java.util.function.Consumer;

/// Tells the server's log of lines that found no room in the ring of their loop: at once, and then at
/// most once a minute, with the number of those since the message before. Owned by the writer's thread.
final class LostLines {
    private static final long PAUSE_NANOS = 60_000_000_000L;

    private final Clock clock;
    private final Consumer<String> log;
    private long told; // lines
    private long toldNanos;

    /// Creates an object that has told nothing.
    ///
    /// @param log takes a message
    LostLines(Clock clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    /// Tells of lines that it has not told of yet, unless the message before was less than a minute ago.
    ///
    /// @param lost the number of all lines that were lost so far
    void tell(long lost) {
        long now = clock.nanos();
        boolean soon = told > 0 && now - toldNanos < PAUSE_NANOS;
        if (lost == told || soon) {
            return;
        }
        long more = lost - told;
        told = lost;
        toldNanos = now;
        log.accept(
                more
                        + (more == 1
                                ? " line of the access logs was"
                                : " lines of the access logs were")
                        + " dropped, because requests end faster than the disk takes their lines."
                        + " Requests are served, and the metrics count all lines that are lost.");
    }
}
