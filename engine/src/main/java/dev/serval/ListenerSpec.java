package dev.serval;

import dev.serval.conn.Protocol;
import dev.serval.handler.Handler;
import dev.serval.policy.Limits;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// One address at which a server listens, and what it serves there. For a null component, the
/// server's setting applies. Immutable.
///
/// Listeners with the server's limits and handler share one count of connections and requests. A
/// listener with its own limits or handler has its own count. So an administrator can connect to it
/// even if the public address is full.
///
/// @param address an internet or Unix-domain address
/// @param protocol the protocol of its connections; null for HTTP
/// @param limits every bound of its connections and requests; null for the server's. Buffer sizes
///     and thread counts are always the server's
/// @param handler receives every exchange first; null for the server's mounts
public record ListenerSpec(
        SocketAddress address,
        @Nullable Protocol protocol,
        @Nullable Limits limits,
        @Nullable Handler handler) {
    /// Creates a listener that serves the server's mounts over HTTP.
    public ListenerSpec(SocketAddress address) {
        this(address, null, null, null);
    }

    /// Returns this listener with another protocol.
    public ListenerSpec withProtocol(Protocol other) {
        return new ListenerSpec(address, other, limits, handler);
    }

    /// Returns this listener with its own limits.
    public ListenerSpec withLimits(Limits other) {
        return new ListenerSpec(address, protocol, other, handler);
    }

    /// Returns this listener with a handler for all its requests.
    public ListenerSpec withHandler(Handler other) {
        return new ListenerSpec(address, protocol, limits, other);
    }

    /// Returns whether this listener belongs to the server's shared service.
    boolean isShared() {
        return limits == null && handler == null;
    }
}
