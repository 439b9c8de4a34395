package dev.serval.gateway.neighbour;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.proxy.HealthChecks;
import dev.serval.gateway.tls.TlsTarget;
import dev.serval.gateway.tls.UpstreamTls;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections of one or several mounts, and the checks of their addresses. Any thread.
///
/// A change of the settings makes another object. If the pool is taken over, both have the same pool
/// and checks.
final class SharedPool {
    private static final System.Logger LOG = System.getLogger(SharedPool.class.getName());

    private final Key key;
    private final String name;
    private final PeerPool pool;
    private final @Nullable HealthChecks checks;

    private SharedPool(Key key, String name, PeerPool pool, @Nullable HealthChecks checks) {
        this.key = key;
        this.name = name;
        this.pool = pool;
        this.checks = checks;
    }

    /// Creates the pool of some mounts, and starts its checks.
    ///
    /// @param name for people
    /// @throws IOException if a file of TLS cannot be used
    static SharedPool open(Key key, String name) throws IOException {
        @Nullable TlsTarget target = key.service.tls;
        @Nullable UpstreamTls tls = target == null ? null : UpstreamTls.of(target);
        if (target != null && !target.verifies()) {
            LOG.log(
                    WARNING,
                    "The certificates of the upstreams of {0} are not verified (tls.verify = false):"
                            + " anyone on the way can read and change what is sent to them.",
                    name);
        }
        List<Upstream> upstreams = new ArrayList<>();
        for (Neighbour.Place place : key.places) {
            upstreams.add(new Upstream(place.addresses(), place.name(), place.share(), tls));
        }
        PeerPool pool = PeerPool.dialOut(name, key.limits, upstreams);
        return new SharedPool(key, name, pool, checks(key.service.checks, upstreams));
    }

    /// Returns the same pool for other settings, which count after [#takeOver].
    SharedPool with(Key next, String nextName) {
        return new SharedPool(next, nextName, pool, checks);
    }

    private static @Nullable HealthChecks checks(@Nullable CheckedBy by, List<Upstream> upstreams) {
        return by == null
                ? null
                : HealthChecks.start(
                        upstreams,
                        by.check.path(),
                        by.host,
                        by.check.intervalNanos(),
                        by.check.timeoutNanos());
    }

    Key key() {
        return key;
    }

    PeerPool pool() {
        return pool;
    }

    /// Gives the pool what may change while it is used.
    void takeOver() {
        if (!pool.limits().equals(key.limits)) {
            pool.limits(key.limits);
        }
        if (!pool.name().equals(name)) {
            pool.name(name);
        }
        for (int i = 0; i < key.places.size(); i++) {
            pool.upstreams().get(i).share(key.places.get(i).share());
        }
    }

    void retire() {
        endChecks();
        pool.retire();
    }

    void close() {
        endChecks();
        pool.drain();
    }

    private void endChecks() {
        if (checks != null) {
            checks.close();
        }
    }

    /// What mounts that share a pool have in common.
    record Key(List<Neighbour.Place> places, PoolLimits limits, Service service) {
        static Key of(Neighbour settings) {
            return new Key(settings.addresses(), settings.limits(), Service.of(settings));
        }
    }

    /// What must stay the same for as long as a pool is used.
    ///
    /// @param addresses of each upstream; a name service may give them in another order each time
    /// @param checks how an address is checked; null for not at all
    /// @param tls how connections are encrypted; null if they are not
    record Service(
            List<Set<SocketAddress>> addresses,
            List<String> names,
            Protocol protocol,
            @Nullable CheckedBy checks,
            @Nullable TlsTarget tls) {
        static Service of(Neighbour settings) {
            Protocol protocol =
                    switch (settings.kind()) {
                        case Neighbour.Http _ -> Protocol.HTTP;
                        case Neighbour.Fastcgi php ->
                                php.target().keepsConnections()
                                        ? Protocol.FASTCGI_KEPT
                                        : Protocol.FASTCGI;
                        case Neighbour.Scgi _ -> Protocol.SCGI;
                    };
            return new Service(
                    settings.addresses().stream()
                            .map(place -> Set.copyOf(place.addresses()))
                            .toList(),
                    settings.addresses().stream().map(Neighbour.Place::name).toList(),
                    protocol,
                    CheckedBy.of(settings),
                    settings.kind() instanceof Neighbour.Http http ? http.tls() : null);
        }
    }

    /// What is spoken on a connection.
    enum Protocol {
        HTTP,
        FASTCGI,
        FASTCGI_KEPT,
        SCGI
    }

    /// A check.
    ///
    /// @param host that it names; null for the address that is checked
    record CheckedBy(Neighbour.Check check, @Nullable String host) {
        static @Nullable CheckedBy of(Neighbour settings) {
            return settings.kind() instanceof Neighbour.Http http && http.check() != null
                    ? new CheckedBy(http.check(), http.target().host())
                    : null;
        }
    }
}
