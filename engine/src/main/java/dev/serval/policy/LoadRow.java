package dev.serval.policy;

/// When one load mode begins, and the settings that it has. Immutable; [#with] returns a changed
/// copy.
///
/// @param delayNanos the standing delay of new requests from which the mode begins: no request has
///     begun sooner for a while
/// @param connectionsPercent the part of `Limits.Counts.connectionsMax` from which the mode begins
/// @param idleNanos how long a keep-alive connection may wait for a request at most;
///     `Limits.Paces.idleNanos` applies, too
/// @param persistent whether a connection may stay open after a response
/// @param waitNanos how long a new request that needs a Worker may have to wait for its begin, as
///     far as the server can tell; past it 503
public record LoadRow(
        long delayNanos,
        int connectionsPercent,
        long idleNanos,
        boolean persistent,
        long waitNanos) {
    private static final int PERCENT_MAX = 100;

    /// Checks the numbers.
    public LoadRow {
        if (delayNanos < 0 || idleNanos < 1 || waitNanos < 1) {
            throw new IllegalArgumentException("A time of a load mode must be 1 ns or more");
        }
        if (connectionsPercent < 0 || connectionsPercent > PERCENT_MAX) {
            throw new IllegalArgumentException(
                    "The part of the connections from which a load mode begins must be from 0 to 100"
                            + " percent, not "
                            + connectionsPercent);
        }
    }

    /// Returns a copy that begins at another load.
    public LoadRow from(long otherDelayNanos, int otherPercent) {
        return new LoadRow(otherDelayNanos, otherPercent, idleNanos, persistent, waitNanos);
    }

    /// Returns a copy with another time for idle connections.
    public LoadRow withIdleNanos(long other) {
        return new LoadRow(delayNanos, connectionsPercent, other, persistent, waitNanos);
    }

    /// Returns a copy with another decision on connections after a response.
    public LoadRow withPersistent(boolean other) {
        return new LoadRow(delayNanos, connectionsPercent, idleNanos, other, waitNanos);
    }

    /// Returns a copy with another time that new requests may wait.
    public LoadRow withWaitNanos(long other) {
        return new LoadRow(delayNanos, connectionsPercent, idleNanos, persistent, other);
    }
}
