package dev.serval.backend;

import dev.serval.gateway.neighbour.OpenNeighbour;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The neighbours of a running server: HTTP servers, FastCGI and SCGI applications behind mounts.
/// Any thread.
public final class Neighbours implements AutoCloseable {
    /// No neighbours.
    static final Neighbours NONE = new Neighbours(Map.of());

    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<String, OpenNeighbour> byPrefix;

    private Neighbours(Map<String, OpenNeighbour> byPrefix) {
        this.byPrefix = byPrefix;
    }

    /// Opens all neighbours. Connections are opened by the first requests.
    ///
    /// @throws IOException if a folder of a neighbour cannot be read
    public static Neighbours open(List<NeighbourMount> mounts) throws IOException {
        Map<String, OpenNeighbour> opened = new LinkedHashMap<>();
        Neighbours neighbours = new Neighbours(opened);
        SpoolQuota quota = new SpoolQuota(SpoolLimits.DEFAULT);
        try {
            for (NeighbourMount mount : mounts) {
                opened.put(
                        mount.prefix(),
                        OpenNeighbour.open(mount.prefix(), mount.neighbour(), quota));
            }
        } catch (IOException | RuntimeException e) {
            neighbours.close();
            throw e;
        }
        return neighbours;
    }

    /// Adds the handlers of each mount by its prefix.
    public void addTo(Map<String, Handler[]> mounted) {
        byPrefix.forEach(
                (prefix, open) -> mounted.put(prefix, open.chain().toArray(Handler[]::new)));
    }

    /// Returns a line for each mount, such as `/api/  http://127.0.0.1:9000`.
    public List<String> startLines() {
        List<String> lines = new ArrayList<>();
        byPrefix.forEach((prefix, open) ->
                lines.add(prefix + (prefix.endsWith("/") ? "  " : "/  ") + open.settings().text()));
        return lines;
    }

    /// Returns the rows for `serval status`; none without neighbours.
    public List<String> statusLines() {
        List<String> lines = new ArrayList<>();
        if (byPrefix.isEmpty()) {
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
        byPrefix.values().forEach(open -> addRows(open, lines));
        return lines;
    }

    private static void addRows(OpenNeighbour open, List<String> lines) {
        PoolStatus status = open.pool().status();
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
        for (Upstream upstream : open.pool().upstreams()) {
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

    /// Ends the checks, and closes each connection after its request.
    @Override
    public void close() {
        byPrefix.values().forEach(OpenNeighbour::close);
    }
}
