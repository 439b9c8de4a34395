package dev.serval.route;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the host for a name in one pass over its bytes, however many hosts there are. Immutable.
///
/// The table has names and suffixes (`.example.org`). Hashes begin at the end of a name, so that the pass
/// meets the hash of each suffix of it.
final class HostTable {
    private final @Nullable VirtualHost[] places; // a power of two; at least half of them are empty

    /// Creates the table of hosts other than the default.
    HostTable(List<VirtualHost> hosts) {
        places = new VirtualHost[Integer.highestOneBit(4 * hosts.size() + 1)];
        for (VirtualHost host : hosts) {
            byte[] key = host.key();
            int hash = 0;
            for (int i = key.length - 1; i >= 0; i--) {
                hash = hash(hash, key[i]);
            }
            int at = place(hash);
            while (places[at] != null) {
                at = next(at);
            }
            places[at] = host;
        }
    }

    /// Returns the host of that name, or with the longest suffix that matches it, ignoring case; null if
    /// there is none.
    @Nullable VirtualHost find(byte[] bytes, int from, int to) {
        @Nullable VirtualHost found = null;
        int hash = 0;
        for (int i = to - 1; i > from; i--) {
            hash = hash(hash, bytes[i]);
            if (bytes[i] == '.') {
                @Nullable VirtualHost suffix = at(hash, bytes, i, to);
                found = suffix == null ? found : suffix;
            }
        }
        if (from == to || bytes[from] == '.') {
            return found; // a suffix alone is no name
        }
        @Nullable VirtualHost exact = at(hash(hash, bytes[from]), bytes, from, to);
        return exact == null ? found : exact;
    }

    private @Nullable VirtualHost at(int hash, byte[] bytes, int from, int to) {
        int at = place(hash);
        @Nullable VirtualHost host = places[at];
        while (host != null && !host.hasKey(bytes, from, to)) {
            at = next(at);
            host = places[at];
        }
        return host;
    }

    private int place(int hash) {
        return (hash ^ hash >>> 16) & places.length - 1;
    }

    private int next(int at) {
        return at + 1 & places.length - 1;
    }

    private static int hash(int hash, byte b) {
        return 31 * hash + VirtualHost.lower(b);
    }
}
