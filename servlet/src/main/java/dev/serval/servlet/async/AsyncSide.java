package dev.serval.servlet.async;

import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.http.HttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/// The asynchronous side of a request, of which most requests have none: an [AsyncCycle] that is
/// created when the application first asks for it. Without one, each method does nothing and
/// answers for a request that is not asynchronous. Any thread.
///
/// The end and the abort of the request set their mark and then read the cycle. The creation of the
/// cycle writes it and then reads the marks. So one of the two tells the cycle.
public final class AsyncSide implements ServletExchange.AsyncSource {
    private final ServletExchange exchange;
    private final AsyncRun run;
    private volatile @Nullable AsyncCycle cycle;
    private volatile boolean left; // the end of the request has begun
    private volatile boolean lost; // the exchange was aborted

    /// Creates the side of a request that is not asynchronous yet.
    public AsyncSide(ServletExchange exchange, AsyncRun run) {
        this.exchange = exchange;
        this.run = run;
    }

    @Override
    public @Nullable AsyncCycle begun() {
        return cycle;
    }

    @Override
    public AsyncCycle control() {
        @Nullable AsyncCycle present = cycle;
        return present != null ? present : create();
    }

    private synchronized AsyncCycle create() {
        @Nullable AsyncCycle present = cycle;
        if (present == null) {
            present = new AsyncCycle(exchange, run);
            cycle = present;
            if (lost) {
                boolean _ = present.aborted();
            }
            if (left) {
                present.end();
            }
        }
        return present;
    }

    /// Returns what the container thread has to do now, and takes the event.
    public AsyncStep next() {
        @Nullable AsyncCycle present = cycle;
        return present == null ? AsyncStep.END : present.next();
    }

    /// Returns whether the request is asynchronous, and the application has called neither
    /// `complete` nor `dispatch`.
    public boolean isOpen() {
        @Nullable AsyncCycle present = cycle;
        return present != null && present.isOpen();
    }

    /// Completes the processing because the request failed.
    public void fail() {
        @Nullable AsyncCycle present = cycle;
        if (present != null) {
            present.fail();
        }
    }

    /// Records that the end of the request has begun.
    public void leave() {
        left = true;
    }

    /// Returns whether the end of the request has begun.
    public boolean hasLeft() {
        return left;
    }

    /// Ends the processing: the application's calls fail from now on.
    public void end() {
        left = true;
        @Nullable AsyncCycle present = cycle;
        if (present != null) {
            present.end();
        }
    }

    /// Takes the exchange for the thread that reports its abort. On the loop.
    ///
    /// @return whether that thread must be started; if not, a container thread is inside and finds
    ///     out by itself
    public boolean aborted() {
        lost = true;
        @Nullable AsyncCycle present = cycle;
        return present != null && present.aborted();
    }

    /// Returns the handler that is to get the connection; null if there is none.
    public @Nullable HttpUpgradeHandler upgrade() {
        @Nullable AsyncCycle present = cycle;
        return present == null ? null : present.upgrade();
    }

    /// Destroys the handler, if there is one, because it gets no connection.
    public void dropUpgrade() {
        @Nullable AsyncCycle present = cycle;
        if (present != null) {
            present.dropUpgrade();
        }
    }
}
