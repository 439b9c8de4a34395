package dev.serval.settings;

import dev.serval.policy.Limits;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// An address at which the server listens for HTTP. Immutable.
///
/// @param limits its own limits; null for those of the server
/// @param backlog how many connections the system queues
public record ListenerChoice(SocketAddress address, @Nullable Limits limits, int backlog) {
    /// The usual length of the queue.
    public static final int BACKLOG = 4096;

    /// Creates a listener with the limits of the server.
    public ListenerChoice(SocketAddress address) {
        this(address, null, BACKLOG);
    }
}
