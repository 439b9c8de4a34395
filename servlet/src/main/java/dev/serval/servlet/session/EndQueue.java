package dev.serval.servlet.session;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Ends sessions on threads for application code, because listeners may take long. At most
/// [#THREADS_MAX] threads run at once, so a slow listener delays only later ends of its own
/// application. The limit of sessions bounds the queue, because an ending session counts.
///
/// Any thread may call, but no event loop. The lock is never held while application code runs.
final class EndQueue {
    /// The threads that may run at once.
    static final int THREADS_MAX = 4;

    private record Ending(Session session, SessionEnd reason) {}

    private final BiConsumer<Session, SessionEnd> end;
    private final Executor threads;
    private final Queue<Ending> waiting = new ArrayDeque<>();
    private int running;

    /// Creates an empty queue.
    ///
    /// @param end ends a session, and calls listeners
    /// @param threads runs each task on a thread for application code
    EndQueue(BiConsumer<Session, SessionEnd> end, Executor threads) {
        this.end = end;
        this.threads = threads;
    }

    /// Has a session ended soon.
    void add(Session session, SessionEnd reason) {
        synchronized (this) {
            waiting.add(new Ending(session, reason));
            if (running == THREADS_MAX) {
                return;
            }
            running++;
        }
        try {
            threads.execute(this::run);
        } catch (RuntimeException | Error e) {
            leave(); // the system has no thread left: the next call tries again
            throw e;
        }
    }

    /// Ends the sessions that wait, on the calling thread, and waits for the other threads.
    ///
    /// @return whether all sessions have ended; false after `maxNanos` of the clock
    boolean drain(long maxNanos, LongSupplier nanoClock) throws InterruptedException {
        for (Ending next = next(); next != null; next = next()) {
            end.accept(next.session(), next.reason());
        }
        long began = nanoClock.getAsLong();
        synchronized (this) {
            while (running > 0) {
                long left = maxNanos - (nanoClock.getAsLong() - began);
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        return true;
    }

    private void run() {
        try {
            for (Ending next = nextOrLeave(); next != null; next = nextOrLeave()) {
                end.accept(next.session(), next.reason());
            }
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
    }

    private synchronized @Nullable Ending next() {
        return waiting.poll();
    }

    /// Returns the next session. If there is none, the calling thread has left: a session that is
    /// added from now on starts another.
    private synchronized @Nullable Ending nextOrLeave() {
        Ending next = waiting.poll();
        if (next == null) {
            leave();
        }
        return next;
    }

    private synchronized void leave() {
        running--;
        notifyAll();
    }
}
