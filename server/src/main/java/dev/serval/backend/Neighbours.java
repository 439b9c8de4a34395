package dev.serval.backend;

import dev.serval.gateway.neighbour.Neighbour;
import dev.serval.gateway.neighbour.NeighbourChange;
import dev.serval.gateway.neighbour.OpenNeighbour;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.settings.NeighbourMount;
import dev.serval.settings.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The neighbours of a running server: HTTP servers, FastCGI and SCGI applications behind mounts.
/// Any thread.
public final class Neighbours implements AutoCloseable {
    /// No neighbours.
    static final Neighbours NONE = new Neighbours(Map.of(), null);

    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<Place, OpenNeighbour> byPlace;
    private final @Nullable SpoolQuota quota; // also of later neighbours; null if there were none

    private Neighbours(Map<Place, OpenNeighbour> byPlace, @Nullable SpoolQuota quota) {
        this.byPlace = byPlace;
        this.quota = quota;
    }

    /// Opens all neighbours. Connections are opened by the first requests.
    ///
    /// @throws IOException if a folder of a neighbour cannot be read
    public static Neighbours open(List<NeighbourMount> mounts) throws IOException {
        return NONE.changeTo(mounts).neighbours();
    }

    /// A change to other neighbours, which is prepared. Those with the same addresses keep their
    /// connections.
    ///
    /// @param neighbours those after the change
    /// @param change completes or cancels it
    public record Prepared(Neighbours neighbours, NeighbourChange change) {
        /// Completes the change, after the routes have changed.
        public void commit() {
            change.commit();
        }

        /// Closes what was opened for it.
        public void cancel() {
            change.cancel();
        }
    }

    /// Opens the neighbours of a changed configuration. Those in use are not changed yet.
    ///
    /// @throws IOException as [#open]; then nothing new is left open
    Prepared changeTo(List<NeighbourMount> mounts) throws IOException {
        Map<String, OpenNeighbour> former = new LinkedHashMap<>();
        byPlace.forEach((place, open) -> former.put(place.toString(), open));
        Map<String, Neighbour> settings = new LinkedHashMap<>();
        mounts.forEach(mount -> settings.put(mount.place().toString(), mount.neighbour()));
        SpoolQuota kept = quota == null ? new SpoolQuota(SpoolLimits.DEFAULT) : quota;
        NeighbourChange change = NeighbourChange.prepare(former, settings, kept);
        Map<Place, OpenNeighbour> next = new LinkedHashMap<>();
        for (NeighbourMount mount : mounts) {
            @Nullable OpenNeighbour open = change.next().get(mount.place().toString());
            if (open != null) {
                next.put(mount.place(), open);
            }
        }
        return new Prepared(new Neighbours(next, kept), change);
    }

    /// Adds the handlers of each mount by its place.
    public void addTo(Map<Place, Mounted> mounted) {
        byPlace.forEach((place, open) ->
                mounted.put(place, new Mounted(open.chain().toArray(Handler[]::new))));
    }

    /// Returns what is at each mount, such as `http://127.0.0.1:9000`.
    public Map<Place, String> startTexts() {
        Map<Place, String> texts = new LinkedHashMap<>();
        byPlace.forEach((place, open) -> texts.put(place, open.settings().text()));
        return texts;
    }

    /// Returns the rows for `serval status`; none without neighbours.
    public List<String> statusLines() {
        List<String> lines = new ArrayList<>();
        if (byPlace.isEmpty()) {
            return lines;
        }
        lines.add("");
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%-28s%8s%8s%8s%8s%8s%9s %9s %9s",
                        "Neighbour",
                        "open",
                        "busy",
                        "queued",
                        "served",
                        "failed",
                        "refused",
                        "median",
                        "p99"));
        // Mounts that share their connections have one row.
        byPlace.values().stream()
                .map(OpenNeighbour::pool)
                .distinct()
                .forEach(pool -> addRows(pool, lines));
        return lines;
    }

    /// Returns what the connections of the neighbours do now. Mounts that share their connections are
    /// one pool.
    List<PoolFigures> pools() {
        Map<PeerPool, String> kinds = new LinkedHashMap<>();
        byPlace.values().forEach(open -> kinds.putIfAbsent(open.pool(), kind(open.settings())));
        List<PoolFigures> pools = new ArrayList<>();
        kinds.forEach((pool, kind) ->
                pools.add(
                        new PoolFigures(
                                kind,
                                pool.status(),
                                pool.upstreams().stream().map(Neighbours::figures).toList())));
        return pools;
    }

    private static String kind(Neighbour neighbour) {
        return switch (neighbour.kind()) {
            case Neighbour.Http _ -> "http";
            case Neighbour.Fastcgi _ -> "fastcgi";
            case Neighbour.Scgi _ -> "scgi";
        };
    }

    private static PoolFigures.OfUpstream figures(Upstream upstream) {
        return new PoolFigures.OfUpstream(
                upstream.name(),
                upstream.isUp(System.nanoTime()),
                upstream.open(),
                upstream.busy());
    }

    private static void addRows(PeerPool pool, List<String> lines) {
        PoolStatus status = pool.status();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%-28s%8d%8d%8d%8d%8d%9d %6.1f ms %6.1f ms",
                        status.name(),
                        status.peers(),
                        status.busy(),
                        status.queued(),
                        status.served(),
                        status.failures(),
                        status.refusals(),
                        status.medianNanos() / NANOS_PER_MILLI,
                        status.p99Nanos() / NANOS_PER_MILLI));
        String causes = causes(status);
        if (!causes.isEmpty()) {
            lines.add("  " + causes);
        }
        for (Upstream upstream : pool.upstreams()) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "  %-26s%8d%8d  %s",
                            upstream.name(),
                            upstream.open(),
                            upstream.busy(),
                            upstream.isUp(System.nanoTime()) ? "up" : "rests after failures"));
        }
    }

    /// Returns the numbers of failures and refusals by cause, such as `lost 3, late 1`.
    private static String causes(PoolStatus status) {
        Map<String, Long> counts = new TreeMap<>();
        status.failed().forEach((why, count) -> counts.put(word(why), count));
        status.refused().forEach((why, count) -> counts.merge(word(why), count, Long::sum));
        counts.values().removeIf(count -> count == 0);
        return counts.entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String word(Enum<?> cause) {
        return cause.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /// Ends the checks, and closes each connection after its request.
    @Override
    public void close() {
        byPlace.values().forEach(OpenNeighbour::close);
    }
}
