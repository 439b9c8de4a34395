package dev.serval.servlet.async;

import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.http.HttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/// The asynchronous side of a request, of which most requests have none: an [AsyncCycle] that is
/// created when the application first asks for it, and [NotAsync] until then. Any thread.
///
/// The end and the abort of the request set their mark and then read the cycle. The creation of the
/// cycle writes it and then reads the marks. So one of the two tells the cycle.
public final class AsyncSide implements ServletExchange.AsyncSource {
    private final ServletExchange exchange;
    private final AsyncRun run;
    private volatile AsyncPart part = NotAsync.INSTANCE;
    private volatile boolean left; // the end of the request has begun
    private volatile boolean lost; // the exchange was aborted

    /// Creates the side of a request that is not asynchronous yet.
    public AsyncSide(ServletExchange exchange, AsyncRun run) {
        this.exchange = exchange;
        this.run = run;
    }

    @Override
    public boolean isStarted() {
        return part.isStarted();
    }

    @Override
    public AsyncCycle control() {
        return part instanceof AsyncCycle cycle ? cycle : create();
    }

    private synchronized AsyncCycle create() {
        if (part instanceof AsyncCycle cycle) {
            return cycle;
        }
        AsyncCycle created = new AsyncCycle(exchange, run);
        part = created;
        if (lost) {
            boolean _ = created.aborted();
        }
        if (left) {
            created.end();
        }
        return created;
    }

    /// Returns what the container thread has to do now, and takes the event.
    public AsyncStep next() {
        return part.next();
    }

    /// Returns whether the request is asynchronous, and the application has called neither
    /// `complete` nor `dispatch`.
    public boolean isOpen() {
        return part.isOpen();
    }

    /// Completes the processing because the request failed.
    public void fail() {
        part.fail();
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
        part.end();
    }

    /// Takes the exchange for the thread that reports its abort. On the loop.
    ///
    /// @return whether that thread must be started; if not, a container thread is inside and finds
    ///     out by itself
    public boolean aborted() {
        lost = true;
        return part.aborted();
    }

    /// Returns the handler that is to get the connection; null if there is none.
    public @Nullable HttpUpgradeHandler upgrade() {
        return part instanceof AsyncCycle cycle ? cycle.upgrade() : null;
    }

    /// Destroys the handler, if there is one, because it gets no connection.
    public void dropUpgrade() {
        part.dropUpgrade();
    }
}
