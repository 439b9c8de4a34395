package dev.serval;

import dev.serval.policy.LoadMode;

/// How loaded a server is.
///
/// @param mode the mode in force, which may be forced
/// @param delayNanos the standing delay of new requests until their Worker begins, in nanoseconds
/// @param connectionsPercent the open connections in percent of their limit
/// @param changes how often the load has changed the mode
public record LoadView(LoadMode mode, long delayNanos, int connectionsPercent, int changes) {}
