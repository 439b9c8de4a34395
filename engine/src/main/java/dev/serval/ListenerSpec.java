package dev.serval;

import dev.serval.conn.Protocol;
import dev.serval.handler.Handler;
import dev.serval.http.FieldChanges;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.tls.TlsProvider;
import java.net.SocketAddress;
import java.util.function.Consumer;
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
/// @param backlog how many connections the system queues until a loop accepts them, for each loop.
///     Linux reduces it to net.core.somaxconn
/// @param proxyProtocol requires a PROXY header at the beginning of each connection, before TLS; null
///     for connections without one
/// @param socket the listening socket of another process, bound to `address`; null to open one. Its
///     backlog is at most the other process's, and it needs epoll
/// @param ownerOnly whether only the user of this process may connect to a Unix-domain socket
/// @param tls encrypts its connections; null for plain ones
/// @param fields changes of the fields of every response, before those of a mount
public record ListenerSpec(
        SocketAddress address,
        @Nullable Protocol protocol,
        @Nullable Limits limits,
        @Nullable Handler handler,
        int backlog,
        @Nullable ProxyProtocol proxyProtocol,
        @Nullable ListeningSocket socket,
        boolean ownerOnly,
        @Nullable TlsProvider tls,
        FieldChanges fields) {
    /// The backlog if no other is set.
    public static final int BACKLOG = 4096;

    /// Checks the backlog.
    public ListenerSpec {
        if (backlog < 1) {
            throw new IllegalArgumentException("The backlog must be at least 1, not " + backlog);
        }
        if (proxyProtocol != null && protocol != null && !protocol.takesProxyProtocol()) {
            throw new IllegalArgumentException(
                    "The protocol of the listener at "
                            + address
                            + " takes no PROXY headers: require none there");
        }
    }

    /// Creates a listener that serves the server's mounts over HTTP.
    public ListenerSpec(SocketAddress address) {
        this(address, null, null, null, BACKLOG, null, null, false, null, FieldChanges.NONE);
    }

    /// Returns a listener on a socket of another process, which serves the server's mounts over HTTP.
    public static ListenerSpec on(ListeningSocket socket) {
        return new ListenerSpec(socket.address()).withSocket(socket);
    }

    /// Returns this listener with another protocol.
    public ListenerSpec withProtocol(Protocol other) {
        return with(draft -> draft.protocol = other);
    }

    /// Returns this listener with its own limits.
    public ListenerSpec withLimits(Limits other) {
        return with(draft -> draft.limits = other);
    }

    /// Returns this listener with a handler for all its requests.
    public ListenerSpec withHandler(Handler other) {
        return with(draft -> draft.handler = other);
    }

    /// Returns this listener with another backlog.
    public ListenerSpec withBacklog(int connections) {
        return with(draft -> draft.backlog = connections);
    }

    /// Returns this listener with a PROXY header at the beginning of each connection.
    public ListenerSpec withProxyProtocol(ProxyProtocol rule) {
        return with(draft -> draft.proxyProtocol = rule);
    }

    /// Returns this listener on a socket of another process, at the address of that.
    public ListenerSpec withSocket(ListeningSocket other) {
        return with(draft -> {
            draft.address = other.address();
            draft.socket = other;
        });
    }

    /// Returns this listener at a Unix-domain socket to which only the user of this process can connect,
    /// from the moment at which its file exists.
    public ListenerSpec withOwnerOnly() {
        return with(draft -> draft.ownerOnly = true);
    }

    /// Returns this listener with encrypted connections, such as
    /// `new ListenerSpec(address).withTls(JdkTls.of(certificate, key))`.
    public ListenerSpec withTls(TlsProvider other) {
        return with(draft -> draft.tls = other);
    }

    /// Returns this listener with changes of the fields of every response, such as those that only
    /// encrypted connections need.
    public ListenerSpec withFields(FieldChanges other) {
        return with(draft -> draft.fields = other);
    }

    /// Returns whether this listener belongs to the server's shared service.
    boolean isShared() {
        return limits == null && handler == null;
    }

    private ListenerSpec with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.build();
    }

    /// A copy while one component is changed. Used by one thread.
    private static final class Draft {
        private SocketAddress address;
        private @Nullable Protocol protocol;
        private @Nullable Limits limits;
        private @Nullable Handler handler;
        private int backlog;
        private @Nullable ProxyProtocol proxyProtocol;
        private @Nullable ListeningSocket socket;
        private boolean ownerOnly;
        private @Nullable TlsProvider tls;
        private FieldChanges fields;

        Draft(ListenerSpec from) {
            address = from.address;
            protocol = from.protocol;
            limits = from.limits;
            handler = from.handler;
            backlog = from.backlog;
            proxyProtocol = from.proxyProtocol;
            socket = from.socket;
            ownerOnly = from.ownerOnly;
            tls = from.tls;
            fields = from.fields;
        }

        ListenerSpec build() {
            return new ListenerSpec(
                    address,
                    protocol,
                    limits,
                    handler,
                    backlog,
                    proxyProtocol,
                    socket,
                    ownerOnly,
                    tls,
                    fields);
        }
    }
}
