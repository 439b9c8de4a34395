package dev.serval.net;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Lends the conduits of a loop. Owned by the loop.
final class Conduits {
    /// The most conduits that are lent at a time. Each has two descriptors, and up to 256 KiB of the
    /// system's memory. Without one, bytes are copied as always.
    static final int LENT_MAX = 16;

    /// The most conduits that wait for their next use.
    private static final int SPARE_MAX = 4;

    private final Network network;
    private final ArrayDeque<Conduit> spare = new ArrayDeque<>(SPARE_MAX);
    private int lent;

    Conduits(Network network) {
        this.network = network;
    }

    /// Lends an empty conduit; null if the network has none, or too many are lent.
    @Nullable Conduit lend() {
        if (lent == LENT_MAX) {
            return null;
        }
        @Nullable Conduit one = spare.poll();
        if (one == null) {
            one = network.conduit();
        }
        lent += one == null ? 0 : 1;
        return one;
    }

    /// Takes a conduit back. One that still holds bytes is closed, because they belong to a response
    /// that has ended.
    void giveBack(Conduit one) {
        lent--;
        if (one.length() == 0 && spare.size() < SPARE_MAX) {
            spare.add(one);
        } else {
            one.close();
        }
    }

    /// Returns the conduits that are lent.
    int lent() {
        return lent;
    }

    /// Closes those that are not lent.
    void close() {
        spare.forEach(Conduit::close);
        spare.clear();
    }
}
