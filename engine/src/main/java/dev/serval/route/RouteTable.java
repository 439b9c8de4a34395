package dev.serval.route;

import dev.serval.handler.Handler;
import dev.serval.handler.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The mounts of every virtual host. Immutable; made by a [Builder].
public final class RouteTable {
    /// The pattern of the host that answers where no other does.
    public static final String DEFAULT_HOST = "*";

    private final VirtualHost fallback;
    private final VirtualHost[] exact;
    private final VirtualHost[] suffixes; // longest first

    private RouteTable(VirtualHost fallback, VirtualHost[] exact, VirtualHost[] suffixes) {
        this.fallback = fallback;
        this.exact = exact;
        this.suffixes = suffixes;
    }

    /// An empty builder.
    public static Builder builder() {
        return new Builder();
    }

    /// Whether every request goes to the default host, so that no host need be looked at.
    boolean hasOneHost() {
        return exact.length == 0 && suffixes.length == 0;
    }

    VirtualHost fallback() {
        return fallback;
    }

    /// The host for `bytes[from, to)`, a host name without its port, letters in any case.
    VirtualHost host(byte[] bytes, int from, int to) {
        int end = to > from && bytes[to - 1] == '.' ? to - 1 : to; // the root's dot names the same
        for (VirtualHost host : exact) {
            if (host.isNamed(bytes, from, end)) {
                return host;
            }
        }
        for (VirtualHost host : suffixes) {
            if (host.endsName(bytes, from, end)) {
                return host;
            }
        }
        return fallback;
    }

    /// Gathers mounts; used once.
    public static final class Builder {
        private final Map<String, Map<String, Route>> hosts = new LinkedHashMap<>();

        private Builder() {}

        /// Mounts a chain on the default host.
        ///
        /// @throws IllegalArgumentException for a prefix that is taken or malformed
        public Builder mount(String prefix, Handler... chain) {
            return mount(DEFAULT_HOST, prefix, chain);
        }

        /// Mounts a chain.
        ///
        /// @param host `name`, `*.suffix` for every name below the suffix, or `*` for the default
        /// @throws IllegalArgumentException for a prefix that is taken or malformed, or such a host
        public Builder mount(String host, String prefix, Handler... chain) {
            String name = VirtualHost.checked(host);
            Route route = new Route(prefix, List.of(chain));
            Map<String, Route> mounts = hosts.computeIfAbsent(name, _ -> new TreeMap<>());
            if (mounts.putIfAbsent(prefix, route) != null) {
                throw new IllegalArgumentException(
                        "Two mounts at "
                                + prefix
                                + (name.equals(DEFAULT_HOST) ? "" : " of host " + name)
                                + ": a prefix leads to one place");
            }
            return this;
        }

        /// The table.
        public RouteTable build() {
            VirtualHost fallback = new VirtualHost(DEFAULT_HOST, List.of());
            List<VirtualHost> exact = new ArrayList<>();
            List<VirtualHost> suffixes = new ArrayList<>();
            for (Map.Entry<String, Map<String, Route>> entry : hosts.entrySet()) {
                String name = entry.getKey();
                VirtualHost host = new VirtualHost(name, List.copyOf(entry.getValue().values()));
                if (name.equals(DEFAULT_HOST)) {
                    fallback = host;
                } else if (name.startsWith("*.")) {
                    suffixes.add(host);
                } else {
                    exact.add(host);
                }
            }
            suffixes.sort((a, b) -> Integer.compare(b.name().length(), a.name().length()));
            return new RouteTable(
                    fallback,
                    exact.toArray(VirtualHost[]::new),
                    suffixes.toArray(VirtualHost[]::new));
        }
    }
}
