package dev.serval.servlet.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The sessions of an application whose id no request has returned yet. If there are many, they end
/// soon, and first if there are too many sessions. Any thread; a session is in one of several queues,
/// so that threads seldom wait for each other.
final class UnconfirmedSessions {
    private static final int EVICTIONS_TRIED_MAX = 256;

    private final UnconfirmedQueue[] queues;

    /// Creates an empty list.
    ///
    /// @param stripes how many queues it has; a power of two
    UnconfirmedSessions(int stripes) {
        queues = new UnconfirmedQueue[stripes];
        for (int i = 0; i < stripes; i++) {
            queues[i] = new UnconfirmedQueue();
        }
    }

    /// Adds a session, unless it is confirmed or ends.
    void add(Session session, long nowNanos) {
        queue(session).add(session, nowNanos);
    }

    /// Removes a session, if it is here.
    void remove(Session session) {
        queue(session).remove(session);
    }

    /// Returns how many sessions there are.
    int size() {
        int sum = 0;
        for (UnconfirmedQueue queue : queues) {
            sum += queue.size();
        }
        return sum;
    }

    /// Begins the end of the oldest session that no request uses.
    ///
    /// @return the session, which the caller must end; null if there is none
    @Nullable Session evict(long nowNanos) {
        for (int i = 0; i < EVICTIONS_TRIED_MAX; i++) {
            @Nullable Session oldest = oldest(nowNanos);
            if (oldest == null || oldest.beginEndIfUnconfirmed()) {
                return oldest;
            }
            queue(oldest).postpone(oldest, nowNanos); // in use, or another thread ends it
        }
        return null;
    }

    private @Nullable Session oldest(long nowNanos) {
        @Nullable Session oldest = null;
        long mostAge = Long.MIN_VALUE;
        for (UnconfirmedQueue queue : queues) {
            @Nullable Session first = queue.oldest();
            // Read without the queue's lock: a late value makes another session the oldest.
            if (first != null && nowNanos - first.queuedNanos > mostAge) {
                oldest = first;
                mostAge = nowNanos - first.queuedNanos;
            }
        }
        return oldest;
    }

    /// Begins the end of the sessions that no request has confirmed in time, except for the newest.
    ///
    /// @param kept how many stay: the newest of each queue
    /// @param end ends such a session
    /// @return how many sessions were examined
    int endOverdue(long nowNanos, long timeoutNanos, int kept, Consumer<Session> end) {
        int keptEach = kept / queues.length;
        int examined = 0;
        for (UnconfirmedQueue queue : queues) {
            @Nullable Session first = queue.overdue(nowNanos, timeoutNanos);
            while (first != null && queue.size() > keptEach && size() > kept) {
                examined++;
                if (first.beginEndIfUnconfirmed()) {
                    end.accept(first);
                } else {
                    queue.postpone(first, nowNanos); // in use: it has the same time again
                }
                first = queue.overdue(nowNanos, timeoutNanos);
            }
        }
        return examined;
    }

    private UnconfirmedQueue queue(Session session) {
        return queues[session.stripe & (queues.length - 1)];
    }
}
