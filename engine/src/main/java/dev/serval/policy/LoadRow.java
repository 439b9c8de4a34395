package dev.serval.policy;

/// When one load mode begins, and the settings that it has. Immutable.
///
/// @param delayNanos the standing delay of new requests from which the mode begins: no request has
///     begun sooner for a while
/// @param connectionsPercent the part of `Limits.Counts.connectionsMax` from which the mode begins
/// @param idleNanos how long a keep-alive connection may wait for a request at most, while so many
///     connections are open; `Limits.Paces.idleNanos` applies, too
/// @param persistent whether a connection may stay open after a response, while so many are open
/// @param waitNanos how long a new request that needs a Worker may have to wait for its begin, as
///     far as the server can tell; past it 503
/// @param returningNanos the same for a request with a cookie, or from a page of the same host;
///     the larger of the two counts
public record LoadRow(
        long delayNanos,
        int connectionsPercent,
        long idleNanos,
        boolean persistent,
        long waitNanos,
        long returningNanos) {
    private static final int PERCENT_MAX = 100;

    /// Checks the numbers.
    public LoadRow {
        if (delayNanos < 0 || idleNanos < 1 || waitNanos < 1 || returningNanos < 1) {
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
        return new LoadRow(
                otherDelayNanos, otherPercent, idleNanos, persistent, waitNanos, returningNanos);
    }

    /// Returns a copy with another time for idle connections.
    public LoadRow withIdleNanos(long other) {
        return new LoadRow(
                delayNanos, connectionsPercent, other, persistent, waitNanos, returningNanos);
    }

    /// Returns a copy with other times that new requests may wait.
    ///
    /// @param returning those of clients that return
    public LoadRow withWaitNanos(long other, long returning) {
        return new LoadRow(delayNanos, connectionsPercent, idleNanos, persistent, other, returning);
    }
}
