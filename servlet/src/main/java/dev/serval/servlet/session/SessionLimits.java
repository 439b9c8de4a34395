package dev.serval.servlet.session;

import java.util.concurrent.TimeUnit;

/// The limits of an application's sessions. Immutable.
///
/// @param sessionsMax the sessions that may exist at once
/// @param unconfirmedTimeoutNanos the time after which a session ends if no request has returned
///   its id
/// @param pressedTimeoutNanos the same time while the heap is short, or while 60 % of the sessions
///   exist
public record SessionLimits(
        int sessionsMax, long unconfirmedTimeoutNanos, long pressedTimeoutNanos) {
    /// The limits unless the configuration sets others.
    public static final SessionLimits STANDARD =
            new SessionLimits(100_000, TimeUnit.SECONDS.toNanos(60), TimeUnit.SECONDS.toNanos(10));

    private static final double PRESSED_SHARE = 0.6; // as heavy mode of the server begins

    /// Checks the limits.
    ///
    /// @throws IllegalArgumentException if a limit is not positive
    public SessionLimits {
        if (sessionsMax < 1 || unconfirmedTimeoutNanos < 1 || pressedTimeoutNanos < 1) {
            throw new IllegalArgumentException(
                    "Each limit of sessions must be positive: sessionsMax "
                            + sessionsMax
                            + ", unconfirmedTimeoutNanos "
                            + unconfirmedTimeoutNanos
                            + ", pressedTimeoutNanos "
                            + pressedTimeoutNanos);
        }
    }

    /// Returns whether so many sessions exist that the unconfirmed ones must end sooner.
    boolean pressed(int active) {
        return active >= sessionsMax * PRESSED_SHARE;
    }

    long unconfirmedTimeoutNanos(boolean pressed) {
        return pressed ? pressedTimeoutNanos : unconfirmedTimeoutNanos;
    }
}
