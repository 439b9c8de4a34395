package dev.serval.file;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Handler.Maintenance;
import java.util.concurrent.atomic.AtomicLong;

/// Closes the cache's open files that no request uses any more, as maintenance on
/// `ExecutorKind.DISK`. A request that finds an open file schedules it, and it runs only while
/// there is one. So a server without such files sleeps without a limit.
///
/// Use is not recorded. An entry in use is revalidated repeatedly, so its last revalidation shows
/// how long it has been idle. [#watch] is called on any loop.
final class IdleFiles implements Maintenance {
    private final FileCache cache;
    private final long idleNanos;

    /// The time of the next run, or [Maintenance#NEVER].
    private final AtomicLong due = new AtomicLong(NEVER);

    /// @param idleNanos the age past which an open file is closed; at least the age up to which an
    ///     entry may answer
    IdleFiles(FileCache cache, long idleNanos) {
        this.cache = cache;
        this.idleNanos = idleNanos;
    }

    /// Schedules maintenance, if necessary, because the cache has an open file.
    void watch(EngineExchange x) {
        long now = x.nowNanos();
        long present = due.get();
        // Maintenance that is long overdue will not run any more. Its server has stopped, and this
        // exchange belongs to another server.
        boolean needed = present == NEVER || now - present > idleNanos;
        if (needed && due.compareAndSet(present, now + idleNanos)) {
            x.maintenance(this, now + idleNanos);
        }
    }

    @Override
    public long run(long nowNanos) {
        long present = due.get();
        // Clears `due` before the search, so that a file that is opened from now on schedules
        // again.
        if (present == NEVER || nowNanos - present < 0 || !due.compareAndSet(present, NEVER)) {
            return NEVER; // another run replaced it
        }
        long untilNext = cache.closeFiles(nowNanos, idleNanos);
        if (untilNext == Long.MAX_VALUE) {
            return NEVER;
        }
        // The next run also closes files that become due soon after, at most an eighth late.
        long next = nowNanos + Math.max(untilNext, idleNanos / 8);
        return due.compareAndSet(NEVER, next) ? next : NEVER;
    }
}
