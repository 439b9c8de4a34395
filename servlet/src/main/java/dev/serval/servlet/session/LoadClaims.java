package dev.serval.servlet.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/// Lets one thread at a time bring the session of an id to memory, or move it to another store. The
/// versions of an application share one object while they run. Any thread that may block.
final class LoadClaims {
    private final Map<String, CountDownLatch> claims = new ConcurrentHashMap<>();

    /// Claims an id. If another thread has it, waits until that thread gives it back.
    ///
    /// @return whether the caller has it now, and must give it back; if not, the caller must look for
    ///     the session again
    /// @throws SessionUnavailableException if the wait was interrupted
    boolean take(String id) {
        CountDownLatch other = claims.putIfAbsent(id, new CountDownLatch(1));
        if (other == null) {
            return true;
        }
        try {
            other.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SessionUnavailableException(
                    "The request was interrupted while its session was read", e);
        }
        return false;
    }

    /// Gives an id back, and wakes the threads that wait for it.
    void giveBack(String id) {
        CountDownLatch mine = claims.remove(id);
        if (mine != null) {
            mine.countDown();
        }
    }
}
