package dev.serval.servlet.session;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/// The time of sessions. Timeouts use the monotonic clock, so a change of the wall clock ends no
/// session. Immutable.
///
/// @param wall the clock for the times that applications read
/// @param nanos monotonic nanoseconds from an arbitrary origin
public record SessionClock(InstantSource wall, LongSupplier nanos) {
    /// The clocks of the machine.
    public static final SessionClock SYSTEM =
            new SessionClock(InstantSource.system(), System::nanoTime);

    public long nowMillis() {
        return wall.millis();
    }

    public long nowNanos() {
        return nanos.getAsLong();
    }
}
