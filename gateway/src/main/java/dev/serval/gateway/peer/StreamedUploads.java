package dev.serval.gateway.peer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/// Counts the requests whose chunked content is sent to the upstreams of a pool as it arrives. Each may
/// hold a connection for as long as its client likes, so they get half of the connections at most. The
/// content of others is collected first. Any thread.
public final class StreamedUploads {
    private static final int PART = 2; // of the connections

    private final IntSupplier connectionsMax;
    private final AtomicInteger now = new AtomicInteger();

    /// Creates a count of none.
    ///
    /// @param connectionsMax returns how many connections the pool may have
    StreamedUploads(IntSupplier connectionsMax) {
        this.connectionsMax = connectionsMax;
    }

    /// Counts a request, unless too many are counted already. One always may.
    ///
    /// @return whether it was counted, so that the caller must call [#end]
    public boolean begin() {
        int most = Math.max(1, connectionsMax.getAsInt() / PART);
        if (now.incrementAndGet() <= most) {
            return true;
        }
        end();
        return false;
    }

    /// Ends a request that was counted.
    public void end() {
        int _ = now.decrementAndGet();
    }
}
