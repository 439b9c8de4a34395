package dev.serval.gateway.neighbour;

import dev.serval.file.FileOptions;
import dev.serval.gateway.cgi.OwnVariable;
import dev.serval.gateway.fastcgi.FastcgiTarget;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.proxy.ProxyTarget;
import dev.serval.gateway.tls.TlsTarget;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The checked settings of one neighbour. Immutable.
///
/// @param text as it was written, for people
/// @param addresses at least one
/// @param limits of its connections
/// @param kind its protocol, with the settings of that protocol
public record Neighbour(String text, List<Place> addresses, PoolLimits limits, Kind kind) {
    /// Checks that there is an address.
    public Neighbour {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("A neighbour needs an address");
        }
    }

    /// An address of an upstream.
    ///
    /// @param addresses at least one, internet or Unix-domain, which are tried in this order
    /// @param name as it was written
    /// @param share of the requests
    public record Place(List<SocketAddress> addresses, String name, Upstream.Share share) {
        /// Copies the addresses.
        public Place {
            addresses = List.copyOf(addresses);
        }
    }

    /// A protocol.
    public sealed interface Kind {}

    /// An HTTP/1.1 server.
    ///
    /// @param collects whether content of known length is collected before a connection is asked for,
    ///     and answers are stored for slow clients
    /// @param check how its health is checked; null for not at all
    /// @param tls how its connections are encrypted; null for plain HTTP
    public record Http(
            ProxyTarget target, boolean collects, @Nullable Check check, @Nullable TlsTarget tls)
            implements Kind {}

    /// A FastCGI server.
    ///
    /// @param collects whether content is collected before a connection is asked for
    /// @param files how the files beside the scripts are served, and which links are followed
    public record Fastcgi(FastcgiTarget target, boolean collects, FileOptions files)
            implements Kind {}

    /// An SCGI server.
    ///
    /// @param collects whether content is collected before a connection is asked for
    /// @param sent the folder whose files it may name in place of its content; null for none
    /// @param variables what the mount sets in place of variables of the request
    public record Scgi(boolean collects, @Nullable Path sent, List<OwnVariable> variables)
            implements Kind {
        /// Copies the variables.
        public Scgi {
            variables = List.copyOf(variables);
        }
    }

    /// An active check of health.
    ///
    /// @param path what is asked for
    /// @param intervalNanos between two rounds
    /// @param timeoutNanos for one answer
    public record Check(String path, long intervalNanos, long timeoutNanos) {}
}
