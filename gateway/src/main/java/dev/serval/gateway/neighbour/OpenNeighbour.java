package dev.serval.gateway.neighbour;

import dev.serval.file.FileOptions;
import dev.serval.gateway.fastcgi.FastcgiHandler;
import dev.serval.gateway.fastcgi.FastcgiTarget;
import dev.serval.gateway.fastcgi.LocalFiles;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.proxy.ProxyHandler;
import dev.serval.gateway.scgi.ScgiHandler;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.http.PathPatterns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A neighbour in use: the handlers of its mount, and its connections. Any thread.
public final class OpenNeighbour implements AutoCloseable {
    private final Neighbour settings;
    private final List<Handler> chain;
    private final SharedPool shared;

    private OpenNeighbour(Neighbour settings, SharedPool shared, List<Handler> chain) {
        this.settings = settings;
        this.shared = shared;
        this.chain = List.copyOf(chain);
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
        return open(byPrefix, quota, List.of());
    }

    /// Opens neighbours, and takes pools over from a former set. [#takeOver] completes that.
    static Map<String, OpenNeighbour> open(
            Map<String, Neighbour> byPrefix, SpoolQuota quota, Collection<OpenNeighbour> former)
            throws IOException {
        SharedPools pools =
                new SharedPools(byPrefix, former.stream().map(one -> one.shared).toList());
        Map<String, OpenNeighbour> opened = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, Neighbour> mount : byPrefix.entrySet()) {
                Neighbour settings = mount.getValue();
                SharedPool shared = pools.of(settings);
                opened.put(
                        mount.getKey(),
                        new OpenNeighbour(settings, shared, chain(settings, shared.pool(), quota)));
            }
        } catch (IOException | RuntimeException e) {
            pools.closeOpened();
            throw e;
        }
        return opened;
    }

    private static List<Handler> chain(Neighbour settings, PeerPool pool, SpoolQuota quota)
            throws IOException {
        return switch (settings.kind()) {
            case Neighbour.Http http ->
                    List.of(
                            new ProxyHandler(
                                    pool, http.target(), new Collecting(quota, http.collects())));
            case Neighbour.Fastcgi php -> fastcgi(pool, php, new Collecting(quota, php.collects()));
            case Neighbour.Scgi scgi ->
                    List.of(
                            new ScgiHandler(
                                    pool,
                                    new Collecting(quota, scgi.collects()),
                                    scgi.sent(),
                                    scgi.variables()));
        };
    }

    private static List<Handler> fastcgi(
            PeerPool pool, Neighbour.Fastcgi php, Collecting collecting) throws IOException {
        FastcgiTarget target = php.target();
        FileOptions sent = FileOptions.DEFAULT.with(draft -> draft.links = php.files().links());
        PathPatterns denied = php.files().denied();
        @Nullable Path root = target.local() ? target.root() : null;
        if (root == null) {
            return List.of(new FastcgiHandler(pool, target, null, denied, sent, collecting));
        }
        Path _ = root.toRealPath(); // an IOException if it has been removed
        LocalFiles files = LocalFiles.of(root, php.files());
        return List.of(
                new FastcgiHandler(pool, target, files, denied, sent, collecting), files.handler());
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
        return shared.pool();
    }

    /// Returns whether both use the same connections.
    boolean sharesPool(OpenNeighbour other) {
        return shared.pool().equals(other.shared.pool());
    }

    /// Gives a pool that was taken over the limits, weights and name of these settings.
    void takeOver() {
        shared.takeOver();
    }

    /// Ends the checks, and keeps no idle connection.
    void retire() {
        shared.retire();
    }

    /// Ends the checks, and closes each connection after its request.
    @Override
    public void close() {
        shared.close();
    }
}
