package dev.serval.route;

import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The mounts of every virtual host. Immutable; a [Builder] creates it.
public final class RouteTable {
    /// The pattern of the host that answers if no other host matches.
    public static final String DEFAULT_HOST = "*";

    private final VirtualHost fallback;
    private final @Nullable HostTable others; // null if there are none
    private final Set<String> connectProtocols;

    private RouteTable(
            VirtualHost fallback, List<VirtualHost> others, Set<String> connectProtocols) {
        this.connectProtocols = connectProtocols;
        this.fallback = fallback;
        this.others = others.isEmpty() ? null : new HostTable(others);
    }

    /// Returns an empty builder.
    public static Builder builder() {
        return new Builder();
    }

    /// Returns whether every request goes to the default host, so that no host needs a look-up.
    boolean hasOneHost() {
        return others == null;
    }

    VirtualHost fallback() {
        return fallback;
    }

    /// Returns the protocols for which any mount opens tunnels.
    Set<String> connectProtocols() {
        return connectProtocols;
    }

    /// Returns the host for `bytes[from, to)`, a host name without its port, ignoring case.
    VirtualHost host(byte[] bytes, int from, int to) {
        int end =
                to > from && bytes[to - 1] == '.' ? to - 1 : to; // a final dot names the same host
        @Nullable VirtualHost found = others == null ? null : others.find(bytes, from, end);
        return found == null ? fallback : found;
    }

    /// Collects mounts. It can build only once.
    public static final class Builder {
        private final Map<String, Map<String, Route>> hosts = new LinkedHashMap<>();

        private Builder() {}

        /// Mounts a chain on the default host.
        ///
        /// @throws IllegalArgumentException if the prefix is taken or malformed
        public Builder mount(String prefix, Handler... chain) {
            return mount(DEFAULT_HOST, prefix, chain);
        }

        /// Mounts a chain on a host.
        ///
        /// @param host `name`, `*.suffix` for every name below the suffix, or `*` for the default
        ///     host
        /// @throws IllegalArgumentException if the prefix is taken or malformed, or the host is
        ///     malformed
        public Builder mount(String host, String prefix, Handler... chain) {
            return mount(host, new Route(prefix, List.of(chain), mapping(host, prefix)));
        }

        /// Mounts a chain with settings on a host.
        ///
        /// @throws IllegalArgumentException as [#mount(String, String, Handler...)]
        public Builder mount(String host, String prefix, MountSettings settings, Handler... chain) {
            Mapping mapping = mapping(host, prefix);
            return mount(host, new Route(prefix, List.of(chain), mapping, settings));
        }

        /// Returns a mapping whose name also tells the host, for people and metrics.
        private static Mapping mapping(String host, String prefix) {
            return new Mapping(host.equals(DEFAULT_HOST) ? prefix : host + prefix);
        }

        private Builder mount(String host, Route route) {
            String name = VirtualHost.checked(host);
            String prefix = route.prefix();
            Map<String, Route> mounts = hosts.computeIfAbsent(name, _ -> new TreeMap<>());
            if (mounts.putIfAbsent(prefix, route) != null) {
                throw new IllegalArgumentException(
                        "Two mounts at "
                                + prefix
                                + (name.equals(DEFAULT_HOST) ? "" : " of host " + name)
                                + ": give each mount its own prefix");
            }
            return this;
        }

        /// Returns the table.
        public RouteTable build() {
            VirtualHost fallback = new VirtualHost(DEFAULT_HOST, List.of());
            List<VirtualHost> others = new ArrayList<>();
            for (Map.Entry<String, Map<String, Route>> entry : hosts.entrySet()) {
                String name = entry.getKey();
                VirtualHost host = new VirtualHost(name, List.copyOf(entry.getValue().values()));
                if (name.equals(DEFAULT_HOST)) {
                    fallback = host;
                } else {
                    others.add(host);
                }
            }
            return new RouteTable(fallback, others, connectProtocols());
        }

        private Set<String> connectProtocols() {
            return hosts.values().stream()
                    .flatMap(mounts -> mounts.values().stream())
                    .flatMap(route -> route.chain().stream())
                    .flatMap(handler -> handler.connectProtocols().stream())
                    .collect(Collectors.toUnmodifiableSet());
        }
    }
}
