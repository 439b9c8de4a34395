package dev.serval.gateway.neighbour;

import dev.serval.gateway.spool.SpoolQuota;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// The change from one set of neighbours to another one while requests are served, such as after a
/// reload of the configuration.
///
/// ```text
/// prepare ──▶ the caller mounts the handlers of next() ──▶ commit
///    └──────── anything fails ──▶ cancel
/// ```
/// Neighbours with equal addresses, protocol and check keep their pool with its connections, the
/// health of the addresses, and the counters. Their limits and weights may change. All others of the
/// former set are retired: they serve what still reaches them, and keep no idle connection. Used by
/// one thread.
public final class NeighbourChange {
    private final Collection<OpenNeighbour> former;
    private final Map<String, OpenNeighbour> next;

    private NeighbourChange(Collection<OpenNeighbour> former, Map<String, OpenNeighbour> next) {
        this.former = List.copyOf(former);
        this.next = next;
    }

    /// Opens the next set. The former one is not changed yet.
    ///
    /// @param former neighbours that are in use, by mount
    /// @param settings those of each mount after the change
    /// @param quota the same as for the former set
    /// @throws IOException if a folder of the settings cannot be read; then nothing has changed
    public static NeighbourChange prepare(
            Map<String, OpenNeighbour> former, Map<String, Neighbour> settings, SpoolQuota quota)
            throws IOException {
        Map<String, OpenNeighbour> next = OpenNeighbour.open(settings, quota, former.values());
        return new NeighbourChange(former.values(), next);
    }

    /// Returns the neighbours after the change, by mount.
    public Map<String, OpenNeighbour> next() {
        return next;
    }

    /// Completes the change, after no new request reaches the handlers of the former set. The former
    /// neighbours need not be closed.
    public void commit() {
        next.values().forEach(OpenNeighbour::takeOver);
        for (OpenNeighbour one : former) {
            if (next.values().stream().noneMatch(one::sharesPool)) {
                one.retire();
            }
        }
    }

    /// Closes what was opened for the change. The former set stays in use.
    public void cancel() {
        for (OpenNeighbour one : next.values()) {
            if (former.stream().noneMatch(one::sharesPool)) {
                one.close();
            }
        }
    }
}
