package dev.serval.handler;

import java.util.concurrent.atomic.AtomicInteger;

/// Counts the requests of a mount that are in progress, and refuses those past its limit. Any
/// thread.
public final class RequestCount {
    private final int max;
    private final AtomicInteger running = new AtomicInteger();

    /// Creates a count of 0.
    ///
    /// @param max the most requests in progress
    public RequestCount(int max) {
        if (max < 1) {
            throw new IllegalArgumentException(
                    "The most requests in progress of a mount must be 1 or more, not " + max);
        }
        this.max = max;
    }

    /// Returns the most requests in progress.
    public int max() {
        return max;
    }

    /// Returns the number of requests in progress.
    public int running() {
        return running.get();
    }

    /// Counts a request that begins. [#end] must follow if it is accepted.
    ///
    /// @return whether it is accepted; if not, too many are in progress
    public boolean begin() {
        if (running.incrementAndGet() <= max) {
            return true;
        }
        running.decrementAndGet();
        return false;
    }

    /// Counts a request that ended.
    public void end() {
        running.decrementAndGet();
    }
}
