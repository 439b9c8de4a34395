package dev.serval;

import dev.serval.load.LoadMonitor;
import dev.serval.loop.Clock;
import dev.serval.policy.LoadMode;

/// How loaded a server is.
///
/// @param mode the mode in force
/// @param forced whether it is in force whatever the load is
/// @param delayNanos the standing delay of new requests until their Worker begins, in nanoseconds
/// @param connectionsPercent the open connections in percent of their limit
/// @param changes how often the load has changed the mode
public record LoadView(
        LoadMode mode, boolean forced, long delayNanos, int connectionsPercent, int changes) {
    /// Looks at the load, and returns it.
    static LoadView of(LoadMonitor load) {
        load.look(Clock.SYSTEM.nanos());
        return new LoadView(
                load.mode(),
                load.isForced(),
                load.delayNanos(),
                load.connectionsPercent(),
                load.changes());
    }
}
