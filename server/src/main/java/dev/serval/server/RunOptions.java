package dev.serval.server;

import java.net.SocketAddress;
import java.util.List;

/// What `serval run` was told, checked whole. Immutable.
///
/// @param mounts none for the welcome page
/// @param addresses at least one
/// @param transport `auto`, `nio` or `epoll`
/// @param loops event loops; 0 for one a processor
record RunOptions(List<Mount> mounts, List<SocketAddress> addresses, String transport, int loops) {
    RunOptions {
        mounts = List.copyOf(mounts);
        addresses = List.copyOf(addresses);
    }
}
