package dev.serval.servlet.session;

import java.util.concurrent.TimeUnit;

/// The limits of an application's sessions. Immutable.
///
/// @param sessionsMax the sessions that may exist at once
/// @param unconfirmedTimeoutNanos the time after which a session ends if no request has returned
///     its id
/// @param pressedTimeoutNanos the same time while the server is in heavy or critical mode
public record SessionLimits(
        int sessionsMax, long unconfirmedTimeoutNanos, long pressedTimeoutNanos) {
    /// The limits unless the configuration sets others.
    public static final SessionLimits STANDARD =
            new SessionLimits(100_000, TimeUnit.SECONDS.toNanos(60), TimeUnit.SECONDS.toNanos(10));

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

    long unconfirmedTimeoutNanos(boolean pressed) {
        return pressed ? pressedTimeoutNanos : unconfirmedTimeoutNanos;
    }
}
