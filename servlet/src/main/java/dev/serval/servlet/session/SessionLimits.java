package dev.serval.servlet.session;

import java.util.concurrent.TimeUnit;

/// The limits of an application's sessions. Immutable.
///
/// @param sessionsMax the sessions that may exist at once, in memory or not
/// @param inMemoryMax the sessions in memory; beyond it, none can be created unless an unconfirmed
///   one can be evicted or a confirmed one can leave the memory
/// @param idleMax the confirmed sessions in memory beyond which those that were not used for
///   longest leave the memory
/// @param unconfirmedKept the newest sessions whose id no request has returned, about so many: they
///   live like others, because they belong to people who still read their first page
/// @param unconfirmedTimeoutNanos the time after which others of these sessions end
/// @param pressedTimeoutNanos the time after which all of these sessions end while the heap is short,
///   while 60 % of the sessions exist, or while the load mode of the server is heavy or critical and
///   there are ten times `unconfirmedKept` of them
public record SessionLimits(
        int sessionsMax,
        int inMemoryMax,
        int idleMax,
        int unconfirmedKept,
        long unconfirmedTimeoutNanos,
        long pressedTimeoutNanos) {
    /// The limits of an application that keeps sessions in memory only.
    public static final SessionLimits STANDARD =
            new SessionLimits(
                    100_000,
                    100_000,
                    100_000,
                    1_000,
                    TimeUnit.SECONDS.toNanos(60),
                    TimeUnit.SECONDS.toNanos(10));

    private static final int STORED_MAX = 1_000_000;
    private static final int IDLE_MIN = 1_000;
    private static final int IDLE_MAX = 75_000; // leaves room for unconfirmed sessions
    private static final int IDLE_BYTES = 8 << 10; // of the heap for one idle session

    /// So many times `unconfirmedKept` are a flood if the server has much to do. Fewer may be a crowd of
    /// people.
    private static final long LOADED_TIMES = 10;

    private static final double PRESSED_SHARE = 0.6; // as heavy mode of the server begins

    /// Returns the limits of sessions that may leave the memory: 1,000,000 sessions, of which
    /// 100,000 in memory, and one idle session for each 8 KiB of the heap, from 1,000 to 75,000.
    ///
    /// @param heapMaxBytes the size of the heap
    public static SessionLimits stored(long heapMaxBytes) {
        return new SessionLimits(
                STORED_MAX,
                STANDARD.inMemoryMax(),
                Math.clamp(heapMaxBytes / IDLE_BYTES, IDLE_MIN, IDLE_MAX),
                STANDARD.unconfirmedKept(),
                STANDARD.unconfirmedTimeoutNanos(),
                STANDARD.pressedTimeoutNanos());
    }

    /// Returns these limits with another `idleMax`.
    public SessionLimits withIdleMax(int sessions) {
        return new SessionLimits(
                sessionsMax,
                Math.max(inMemoryMax, sessions),
                sessions,
                unconfirmedKept,
                unconfirmedTimeoutNanos,
                pressedTimeoutNanos);
    }

    /// Checks the limits.
    ///
    /// @throws IllegalArgumentException if a limit is not positive, or `unconfirmedKept` is negative
    public SessionLimits {
        boolean valid =
                sessionsMax >= 1 && inMemoryMax >= 1 && idleMax >= 1 && unconfirmedKept >= 0;
        if (!valid || unconfirmedTimeoutNanos < 1 || pressedTimeoutNanos < 1) {
            throw new IllegalArgumentException(
                    "Each limit of sessions must be positive: sessionsMax "
                            + sessionsMax
                            + ", inMemoryMax "
                            + inMemoryMax
                            + ", idleMax "
                            + idleMax
                            + ", unconfirmedKept (which may be 0) "
                            + unconfirmedKept
                            + ", unconfirmedTimeoutNanos "
                            + unconfirmedTimeoutNanos
                            + ", pressedTimeoutNanos "
                            + pressedTimeoutNanos);
        }
    }

    /// Returns whether so many sessions exist that the unconfirmed ones must end sooner.
    ///
    /// @param loaded whether the load mode of the server is heavy or critical
    boolean pressed(int active, int unconfirmed, boolean loaded) {
        return active >= sessionsMax * PRESSED_SHARE
                || unconfirmed >= inMemoryMax * PRESSED_SHARE
                || (loaded && unconfirmed >= LOADED_TIMES * unconfirmedKept);
    }

    int unconfirmedKept(boolean pressed) {
        return pressed ? 0 : unconfirmedKept;
    }

    long unconfirmedTimeoutNanos(boolean pressed) {
        return pressed ? pressedTimeoutNanos : unconfirmedTimeoutNanos;
    }
}
