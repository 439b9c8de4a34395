package dev.serval.figures;

import dev.serval.backend.Backends;
import dev.serval.backend.PoolFigures;
import dev.serval.gateway.peer.PoolStatus;
import java.util.Locale;

/// Reads the figures of applications in other processes. Stateless.
final class BackendFigures {
    private BackendFigures() {}

    static void add(Backends backends, Exposition to) {
        for (PoolFigures pool : backends.pools()) {
            PoolStatus now = pool.status();
            String name = now.name();
            String kind = pool.kind();
            to.add(Metric.POOL_CONNECTIONS, now.peers(), name, kind);
            to.add(Metric.POOL_BUSY, now.busy(), name, kind);
            to.add(Metric.POOL_QUEUED, now.queued(), name, kind);
            to.add(Metric.POOL_TIME, now.times(), name, kind);
            now.refused()
                    .forEach((why, count) ->
                            to.add(Metric.POOL_REFUSALS, count, name, kind, word(why)));
            now.failed()
                    .forEach((why, count) ->
                            to.add(Metric.POOL_FAILURES, count, name, kind, word(why)));
            for (PoolFigures.OfUpstream one : pool.upstreams()) {
                to.add(Metric.UPSTREAM_UP, one.up() ? 1 : 0, name, one.name());
                to.add(Metric.UPSTREAM_CONNECTIONS, one.open(), name, one.name());
                to.add(Metric.UPSTREAM_BUSY, one.busy(), name, one.name());
            }
        }
        to.add(Metric.PEERS_REFUSED, backends.peersRefused());
    }

    private static String word(Enum<?> cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }
}
