package dev.serval.command;

import java.net.SocketAddress;
import java.util.List;

/// How the engine runs. Immutable.
///
/// @param addresses where it listens; at least one
/// @param transport `auto`, `nio` or `epoll`
/// @param loops the number of event loops; 0 for one per processor
/// @param contentMaxBytes the most content of one request
public record EngineChoice(
        List<SocketAddress> addresses, String transport, int loops, long contentMaxBytes) {
    /// Copies the list.
    public EngineChoice {
        addresses = List.copyOf(addresses);
    }
}
