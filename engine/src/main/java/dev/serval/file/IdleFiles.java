package dev.serval.file;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Handler.Maintenance;
import java.util.concurrent.atomic.AtomicLong;

/// Closes the cache's open files that nobody asks for any more, as maintenance at `ExecutorKind.DISK`. Asked for
/// when a file is found open, and only as long as there is one, so that a server without such files
/// sleeps for ever.
///
/// Nobody has to note that an entry was used: one in use is looked at again and again, and so tells
/// by its last look how long it has been idle. [#watch] is called on any loop.
final class IdleFiles implements Maintenance {
    private final FileCache cache;
    private final long idleNanos;

    /// When maintenance is to run, or [Maintenance#NEVER].
    private final AtomicLong due = new AtomicLong(NEVER);

    /// @param idleNanos past which an open file is closed; at least the age up to which an entry may
    ///     answer
    IdleFiles(FileCache cache, long idleNanos) {
        this.cache = cache;
        this.idleNanos = idleNanos;
    }

    /// There is an open file in the cache: sees to it that it will be closed some time.
    void watch(EngineExchange x) {
        long now = x.nowNanos();
        long present = due.get();
        // Far past its time it will not run any more: the server that was to run it has stopped,
        // and this exchange is another's.
        boolean needed = present == NEVER || now - present > idleNanos;
        if (needed && due.compareAndSet(present, now + idleNanos)) {
            x.maintenance(this, now + idleNanos);
        }
    }

    @Override
    public long run(long nowNanos) {
        long present = due.get();
        // Not due before looking: who opens a file from here on asks for maintenance again.
        if (present == NEVER || nowNanos - present < 0 || !due.compareAndSet(present, NEVER)) {
            return NEVER; // another run took its place
        }
        long untilNext = cache.closeFiles(nowNanos, idleNanos);
        if (untilNext == Long.MAX_VALUE) {
            return NEVER;
        }
        // In one go with those that come to their age soon after: at most an eighth late.
        long next = nowNanos + Math.max(untilNext, idleNanos / 8);
        return due.compareAndSet(NEVER, next) ? next : NEVER;
    }
}
