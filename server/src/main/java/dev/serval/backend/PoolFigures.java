package dev.serval.backend;

import dev.serval.gateway.peer.PoolStatus;
import java.util.List;

/// What the connections to an application in other processes do at one moment. Immutable.
///
/// @param kind `http`, `fastcgi`, `scgi` or `lrwp`
/// @param status the sums of all connections
/// @param upstreams the addresses that are connected to; none for applications that dial in
public record PoolFigures(String kind, PoolStatus status, List<OfUpstream> upstreams) {
    /// Copies the list.
    public PoolFigures {
        upstreams = List.copyOf(upstreams);
    }

    /// What the connections to one address do.
    ///
    /// @param name the address for people
    /// @param up whether requests are sent to it; false while it rests after failures
    /// @param open connections
    /// @param busy requests in progress
    public record OfUpstream(String name, boolean up, int open, int busy) {}
}
