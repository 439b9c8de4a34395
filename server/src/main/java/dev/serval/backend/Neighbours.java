package dev.serval.backend;

import dev.serval.gateway.neighbour.Neighbour;
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
    static final Neighbours NONE = new Neighbours(Map.of());

    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<Place, OpenNeighbour> byPlace;

    private Neighbours(Map<Place, OpenNeighbour> byPlace) {
        this.byPlace = byPlace;
    }

    /// Opens all neighbours. Connections are opened by the first requests.
    ///
    /// @throws IOException if a folder of a neighbour cannot be read
    public static Neighbours open(List<NeighbourMount> mounts) throws IOException {
        Map<String, Neighbour> byName = new LinkedHashMap<>();
        mounts.forEach(mount -> byName.put(mount.place().toString(), mount.neighbour()));
        Map<String, OpenNeighbour> opened =
                OpenNeighbour.open(byName, new SpoolQuota(SpoolLimits.DEFAULT));
        Map<Place, OpenNeighbour> byPlace = new LinkedHashMap<>();
        for (NeighbourMount mount : mounts) {
            @Nullable OpenNeighbour open = opened.get(mount.place().toString());
            if (open != null) {
                byPlace.put(mount.place(), open);
            }
        }
        return new Neighbours(byPlace);
    }

    /// Returns the neighbours of a changed configuration. Those that are the same are shared.
    ///
    /// @throws IOException as [#open]; then nothing new is left open
    Neighbours changedTo(List<NeighbourMount> mounts) throws IOException {
        Map<Place, OpenNeighbour> kept = new LinkedHashMap<>();
        List<NeighbourMount> fresh = new ArrayList<>();
        for (NeighbourMount mount : mounts) {
            @Nullable OpenNeighbour present = byPlace.get(mount.place());
            if (present != null && present.settings().equals(mount.neighbour())) {
                kept.put(mount.place(), present);
            } else {
                fresh.add(mount);
            }
        }
        kept.putAll(open(fresh).byPlace);
        return new Neighbours(kept);
    }

    /// Closes the neighbours that are not among those of `next`.
    public void closeAllBut(Neighbours next) {
        byPlace.values().stream()
                .filter(open -> !next.byPlace.containsValue(open))
                .forEach(OpenNeighbour::close);
    }

    /// Adds the handlers of each mount by its place.
    public void addTo(Map<Place, Mounted> mounted) {
        byPlace.forEach(
                (place, open) ->
                        mounted.put(place, new Mounted(open.chain().toArray(Handler[]::new))));
    }

    /// Returns a line for each mount, such as `/api/  http://127.0.0.1:9000`.
    public List<String> startLines() {
        List<String> lines = new ArrayList<>();
        byPlace.forEach((place, open) ->
                lines.add(place + (place.isRoot() ? "  " : "/  ") + open.settings().text()));
        return lines;
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
