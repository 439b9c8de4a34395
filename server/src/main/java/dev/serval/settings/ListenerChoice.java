package dev.serval.settings;

import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.tls.TlsSettings;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An address at which the server listens for HTTP, or a socket that another process has opened.
/// Immutable.
///
/// @param address null for a socket of another process
/// @param inherited the name or number of a socket that systemd passes on; null for none
/// @param limits its own limits; null for those of the server
/// @param backlog how many connections the system queues
/// @param proxy requires a PROXY header of each connection; null for none
/// @param tls encrypts its connections; null for plain HTTP
/// @param httpsPort the port with TLS to which it redirects all requests; 0 if it serves them
/// @param hsts how long browsers use only https for a host after one of its answers
public record ListenerChoice(
        @Nullable SocketAddress address,
        @Nullable String inherited,
        @Nullable Limits limits,
        int backlog,
        @Nullable ProxyProtocol proxy,
        @Nullable TlsSettings tls,
        int httpsPort,
        Hsts hsts) {
    /// How long browsers use only https for a host after an answer (RFC 6797). Immutable.
    ///
    /// @param seconds 0 if answers do not say that
    /// @param onlyAtHttpsPort whether only answers of a listener at port 443 say it. A browser then asks
    ///     for `https://host/` in place of `http://host/`, so another port would lock it out (§8.3)
    public record Hsts(long seconds, boolean onlyAtHttpsPort) {
        /// No answer says it.
        public static final Hsts NONE = new Hsts(0, false);

        private static final int HTTPS_PORT = 443;

        /// Returns the seconds that answers of a listener at `address` state; 0 for none.
        public long secondsAt(SocketAddress address) {
            boolean fits =
                    !onlyAtHttpsPort
                            || (address instanceof InetSocketAddress inet
                                    && inet.getPort() == HTTPS_PORT);
            return fits ? seconds : 0;
        }
    }

    /// The usual length of the queue.
    public static final int BACKLOG = 4096;

    /// Creates a listener with the limits of the server.
    public ListenerChoice(SocketAddress address) {
        this(address, null);
    }

    /// Creates a listener with the limits of the server.
    ///
    /// @param tls as the component
    public ListenerChoice(SocketAddress address, @Nullable TlsSettings tls) {
        this(address, null, null, BACKLOG, null, tls, 0, Hsts.NONE);
    }

    /// Returns this listener, with another limit of content if it has limits of its own.
    ListenerChoice withContentLimit(long maxBytes) {
        return withOwn(draft -> draft.content.maxBytes = maxBytes);
    }

    /// Returns this listener, whose mounts may allow more content than itself.
    ListenerChoice withMountContent(long maxBytes) {
        return withOwn(draft -> draft.content.mountMaxBytes = maxBytes);
    }

    private ListenerChoice withOwn(Consumer<Limits.Draft> change) {
        return limits == null
                ? this
                : new ListenerChoice(
                        address,
                        inherited,
                        limits.with(change),
                        backlog,
                        proxy,
                        tls,
                        httpsPort,
                        hsts);
    }

    /// Returns this listener, which redirects all requests to a port with TLS.
    ListenerChoice withHttpsPort(int port) {
        return new ListenerChoice(address, inherited, limits, backlog, proxy, tls, port, hsts);
    }

    /// Returns this listener, whose answers tell browsers to use only https.
    public ListenerChoice withHsts(Hsts told) {
        return new ListenerChoice(address, inherited, limits, backlog, proxy, tls, httpsPort, told);
    }

    /// Returns whether the system chooses the port, so that it is a place of its own.
    boolean isAnywhere() {
        return address instanceof InetSocketAddress inet && inet.getPort() == 0;
    }

    /// Returns whether both listen at the same place, or each at any free port of the same address.
    public boolean isAt(ListenerChoice other) {
        return address == null
                ? inherited != null && inherited.equals(other.inherited)
                : address.equals(other.address);
    }

    /// Returns whether both cannot be open, because one has the address of the other and more.
    boolean overlaps(ListenerChoice other) {
        return address != null
                && other.address != null
                && ListenAddress.overlap(address, other.address);
    }

    /// Returns whether both differ only in their limits, which can change while it is open. Both have
    /// limits of their own, or both have those of the server.
    public boolean isSameSocket(ListenerChoice other) {
        return isAt(other)
                && (limits == null) == (other.limits == null)
                && backlog == other.backlog
                && Objects.equals(proxy, other.proxy)
                && Objects.equals(tls, other.tls)
                && httpsPort == other.httpsPort
                && hsts.equals(other.hsts);
    }

    /// Returns the place as people read it.
    public String text() {
        return address == null ? "inherited:" + inherited : url(address);
    }

    /// Returns the URL of one of its addresses; without a slash at the end.
    public String url(SocketAddress at) {
        String url = ListenAddress.url(at);
        return tls == null ? url : url.replaceFirst("^http:", "https:");
    }
}
