package dev.serval.gateway.neighbour;

import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.gateway.fastcgi.FastcgiHandler;
import dev.serval.gateway.fastcgi.FastcgiTarget;
import dev.serval.gateway.peer.PeerPool;
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
import java.util.List;
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

    /// Opens a neighbour. Connections are opened by the first requests.
    ///
    /// @param prefix of the mount, for people
    /// @param quota memory and files for the contents of requests, the same for all neighbours
    /// @throws IOException if a folder of the settings cannot be read
    public static OpenNeighbour open(String prefix, Neighbour settings, SpoolQuota quota)
            throws IOException {
        List<Upstream> upstreams = new ArrayList<>();
        for (Neighbour.Place place : settings.addresses()) {
            upstreams.add(new Upstream(place.address(), place.name()));
        }
        PeerPool pool = PeerPool.dialOut(prefix, settings.limits(), upstreams);
        List<Handler> chain =
                switch (settings.kind()) {
                    case Neighbour.Http http -> List.of(new ProxyHandler(pool, http.target()));
                    case Neighbour.Fastcgi php ->
                            fastcgi(pool, php.target(), new Collecting(quota, php.collects()));
                    case Neighbour.Scgi scgi ->
                            List.of(new ScgiHandler(pool, new Collecting(quota, scgi.collects())));
                };
        return new OpenNeighbour(settings, pool, chain, checks(settings, upstreams));
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
        if (!(settings.kind() instanceof Neighbour.Http http)) {
            return null;
        }
        Neighbour.@Nullable Check check = http.check();
        @Nullable String host = http.target().host();
        return check == null
                ? null
                : HealthChecks.start(
                        upstreams,
                        check.path(),
                        host == null ? CHECK_HOST : host,
                        check.intervalNanos(),
                        check.timeoutNanos());
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
