package dev.serval.server;

import java.net.SocketAddress;
import java.util.List;

/// The checked options of `serval run`. Immutable.
///
/// @param mounts empty for the welcome page
/// @param addresses at least one
/// @param transport `auto`, `nio` or `epoll`
/// @param loops the number of event loops; 0 for one per processor
/// @param dev whether clients may see why an application failed
record RunOptions(
        List<Mount> mounts,
        List<SocketAddress> addresses,
        String transport,
        int loops,
        boolean dev) {
    RunOptions {
        mounts = List.copyOf(mounts);
        addresses = List.copyOf(addresses);
    }
}
