package dev.serval.gateway.neighbour;

import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.gateway.fastcgi.FastcgiHandler;
import dev.serval.gateway.fastcgi.FastcgiTarget;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.proxy.HealthChecks;
import dev.serval.gateway.proxy.ProxyHandler;
import dev.serval.gateway.scgi.ScgiHandler;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A neighbour in use: the handlers of its mount, and its connections. Any thread.
public final class OpenNeighbour implements AutoCloseable {
    private static final String CHECK_HOST = "localhost";

    private final Neighbour settings;
    private final PeerPool pool;
    private final List<Handler> chain;
    private final @Nullable HealthChecks checks;

    private OpenNeighbour(
            Neighbour settings, PeerPool pool, List<Handler> chain, @Nullable HealthChecks checks) {
        this.settings = settings;
        this.pool = pool;
        this.chain = List.copyOf(chain);
        this.checks = checks;
    }

    /// Opens the neighbours of some mounts. Connections are opened by the first requests. Mounts
    /// with the same addresses, protocol and limits share their connections and the health of the
    /// addresses, so that the idle connections of one mount do not take the application's processes
    /// from the other one.
    ///
    /// @param byPrefix the settings of each mount
    /// @param quota memory and files for the contents of requests, the same for all neighbours
    /// @throws IOException if a folder of the settings cannot be read
    public static Map<String, OpenNeighbour> open(Map<String, Neighbour> byPrefix, SpoolQuota quota)
            throws IOException {
        Map<Shared, List<String>> prefixes = new HashMap<>();
        byPrefix.forEach((prefix, settings) ->
                prefixes.computeIfAbsent(Shared.of(settings), _ -> new ArrayList<>()).add(prefix));
        Map<Shared, PeerPool> pools = new HashMap<>();
        Map<String, OpenNeighbour> opened = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, Neighbour> mount : byPrefix.entrySet()) {
                Shared shared = Shared.of(mount.getValue());
                boolean first = !pools.containsKey(shared);
                PeerPool pool =
                        pools.computeIfAbsent(
                                shared, one -> one.pool(prefixes.getOrDefault(one, List.of())));
                opened.put(mount.getKey(), open(mount.getValue(), pool, first, quota));
            }
        } catch (IOException | RuntimeException e) {
            opened.values().forEach(OpenNeighbour::close);
            throw e;
        }
        return opened;
    }

    private static OpenNeighbour open(
            Neighbour settings, PeerPool pool, boolean first, SpoolQuota quota) throws IOException {
        List<Handler> chain =
                switch (settings.kind()) {
                    case Neighbour.Http http -> List.of(new ProxyHandler(pool, http.target()));
                    case Neighbour.Fastcgi php ->
                            fastcgi(pool, php.target(), new Collecting(quota, php.collects()));
                    case Neighbour.Scgi scgi ->
                            List.of(new ScgiHandler(pool, new Collecting(quota, scgi.collects())));
                };
        @Nullable HealthChecks checks = first ? checks(settings, pool.upstreams()) : null;
        return new OpenNeighbour(settings, pool, chain, checks);
    }

    /// What mounts that share their connections have in common.
    ///
    /// @param checks how an address is checked; null for not at all
    private record Shared(
            List<Neighbour.Place> addresses,
            PoolLimits limits,
            Protocol protocol,
            @Nullable CheckedBy checks) {
        static Shared of(Neighbour settings) {
            Protocol protocol =
                    switch (settings.kind()) {
                        case Neighbour.Http _ -> Protocol.HTTP;
                        case Neighbour.Fastcgi php ->
                                php.target().keepsConnections()
                                        ? Protocol.FASTCGI_KEPT
                                        : Protocol.FASTCGI;
                        case Neighbour.Scgi _ -> Protocol.SCGI;
                    };
            return new Shared(
                    settings.addresses(), settings.limits(), protocol, CheckedBy.of(settings));
        }

        PeerPool pool(List<String> prefixes) {
            List<Upstream> upstreams = new ArrayList<>();
            for (Neighbour.Place place : addresses) {
                upstreams.add(new Upstream(place.address(), place.name()));
            }
            return PeerPool.dialOut(String.join(", ", prefixes), limits, upstreams);
        }
    }

    /// What is spoken on a connection.
    private enum Protocol {
        HTTP,
        FASTCGI,
        FASTCGI_KEPT,
        SCGI
    }

    /// A check, and the host that it names.
    private record CheckedBy(Neighbour.Check check, String host) {
        static @Nullable CheckedBy of(Neighbour settings) {
            if (!(settings.kind() instanceof Neighbour.Http http) || http.check() == null) {
                return null;
            }
            @Nullable String host = http.target().host();
            return new CheckedBy(http.check(), host == null ? CHECK_HOST : host);
        }
    }

    private static List<Handler> fastcgi(PeerPool pool, FastcgiTarget target, Collecting collecting)
            throws IOException {
        Handler scripts = new FastcgiHandler(pool, target, collecting);
        @Nullable Path root = target.root();
        return root != null && target.local()
                ? List.of(scripts, FileHandler.of(root, FileOptions.DEFAULT))
                : List.of(scripts);
    }

    private static @Nullable HealthChecks checks(Neighbour settings, List<Upstream> upstreams) {
        @Nullable CheckedBy by = CheckedBy.of(settings);
        return by == null
                ? null
                : HealthChecks.start(
                        upstreams,
                        by.check().path(),
                        by.host(),
                        by.check().intervalNanos(),
                        by.check().timeoutNanos());
    }

    /// Returns the settings.
    public Neighbour settings() {
        return settings;
    }

    /// Returns the handlers of the mount, in order.
    public List<Handler> chain() {
        return chain;
    }

    /// Returns the connections.
    public PeerPool pool() {
        return pool;
    }

    /// Ends the checks, and closes each connection after its request.
    @Override
    public void close() {
        if (checks != null) {
            checks.close();
        }
        pool.drain();
    }
}
