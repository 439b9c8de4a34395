package dev.serval;

import dev.serval.conn.Protocol;
import dev.serval.handler.Handler;
import dev.serval.policy.Limits;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// One address at which a server listens, and what it serves there. What is null is the server's own:
/// all listeners with the server's limits and handler share one count of connections and requests;
/// one with limits or a handler of its own is counted by itself, so that an administrator still gets in
/// while the public address is full. Immutable.
///
/// @param address of the internet or of the Unix domain
/// @param protocol what its connections speak; null for HTTP
/// @param limits every bound of its connections and requests; null for the server's. Sizes of buffers
///     and numbers of threads are the server's for all listeners
/// @param handler sees every exchange first; null for the server's mounts
public record ListenerSpec(
        SocketAddress address,
        @Nullable Protocol protocol,
        @Nullable Limits limits,
        @Nullable Handler handler) {
    /// Serves the server's mounts over HTTP.
    public ListenerSpec(SocketAddress address) {
        this(address, null, null, null);
    }

    /// Speaks that protocol.
    public ListenerSpec withProtocol(Protocol other) {
        return new ListenerSpec(address, other, limits, handler);
    }

    /// Keeps limits of its own.
    public ListenerSpec withLimits(Limits other) {
        return new ListenerSpec(address, protocol, other, handler);
    }

    /// Serves all requests by that handler.
    public ListenerSpec withHandler(Handler other) {
        return new ListenerSpec(address, protocol, limits, other);
    }

    /// Whether it belongs to the server's own service.
    boolean isShared() {
        return limits == null && handler == null;
    }
}
