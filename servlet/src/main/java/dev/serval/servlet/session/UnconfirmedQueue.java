package dev.serval.servlet.session;

import org.jspecify.annotations.Nullable;

/// Lists unconfirmed sessions, the oldest first. Each call takes the lock for a few instructions.
/// The sessions hold the links, so that one leaves as soon as it is confirmed or ends.
final class UnconfirmedQueue {
    private @Nullable Session oldest;
    private @Nullable Session newest;
    private volatile int size; // written under the lock

    /// Adds a session, unless it has left that state meanwhile.
    synchronized void add(Session session, long nowNanos) {
        if (session.state() == Session.State.UNCONFIRMED && !isLinked(session)) {
            link(session, nowNanos);
        }
    }

    /// Removes a session, if it is here.
    synchronized void remove(Session session) {
        if (isLinked(session)) {
            unlink(session);
        }
    }

    /// Makes the session, which could not be ended, the newest. It leaves if it is not unconfirmed.
    synchronized void postpone(Session session, long nowNanos) {
        remove(session);
        add(session, nowNanos);
    }

    /// Returns how many sessions there are.
    int size() {
        return size;
    }

    /// Returns the oldest session, or null.
    synchronized @Nullable Session oldest() {
        return oldest;
    }

    /// Returns the oldest session if it was added more than `timeoutNanos` ago, or null.
    synchronized @Nullable Session overdue(long nowNanos, long timeoutNanos) {
        Session first = oldest;
        return first != null && nowNanos - first.queuedNanos > timeoutNanos ? first : null;
    }

    private boolean isLinked(Session session) {
        return session.older != null || oldest == session;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void link(Session session, long nowNanos) {
        Session last = newest;
        size++;
        session.queuedNanos = nowNanos;
        session.older = last;
        if (last == null) {
            oldest = session;
        } else {
            last.newer = session;
        }
        newest = session;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void unlink(Session session) {
        size--;
        Session before = session.older;
        Session after = session.newer;
        if (before == null) {
            oldest = after;
        } else {
            before.newer = after;
        }
        if (after == null) {
            newest = before;
        } else {
            after.older = before;
        }
        session.older = null;
        session.newer = null;
    }
}
