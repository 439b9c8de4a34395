package dev.serval.gateway.neighbour;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The pools of one set of neighbours while it is opened. A pool of the former set is used again: by
/// the mounts whose settings equal its own, or else by those that differ only in what may change.
/// Used by one thread.
final class SharedPools {
    private final Map<SharedPool.Key, List<String>> prefixes = new LinkedHashMap<>();
    private final Map<SharedPool.Key, SharedPool> pools = new HashMap<>();
    private final List<SharedPool> opened = new ArrayList<>();

    /// @param byPrefix the settings of each mount
    /// @param former the pools that are in use
    SharedPools(Map<String, Neighbour> byPrefix, List<SharedPool> former) {
        byPrefix.forEach((prefix, settings) ->
                prefixes.computeIfAbsent(SharedPool.Key.of(settings), _ -> new ArrayList<>())
                        .add(prefix));
        Map<SharedPool.Key, SharedPool> left = new LinkedHashMap<>();
        former.forEach(one -> left.put(one.key(), one));
        for (SharedPool.Key key : prefixes.keySet()) {
            use(key, left.remove(key));
        }
        for (SharedPool.Key key : prefixes.keySet()) {
            if (!pools.containsKey(key)) {
                use(key, similar(key, left));
            }
        }
    }

    private void use(SharedPool.Key key, @Nullable SharedPool known) {
        if (known != null) {
            pools.put(key, known.with(key, name(key)));
        }
    }

    private static @Nullable SharedPool similar(
            SharedPool.Key key, Map<SharedPool.Key, SharedPool> left) {
        for (SharedPool one : left.values()) {
            if (one.key().service().equals(key.service())) {
                return left.remove(one.key());
            }
        }
        return null;
    }

    /// Returns the pool for these settings.
    ///
    /// @throws IOException if a file of TLS cannot be used
    SharedPool of(Neighbour settings) throws IOException {
        SharedPool.Key key = SharedPool.Key.of(settings);
        @Nullable SharedPool known = pools.get(key);
        if (known != null) {
            return known;
        }
        SharedPool made = SharedPool.open(key, name(key));
        pools.put(key, made);
        opened.add(made);
        return made;
    }

    /// Closes the pools that were not there before.
    void closeOpened() {
        opened.forEach(SharedPool::close);
    }

    private String name(SharedPool.Key key) {
        return String.join(", ", prefixes.getOrDefault(key, List.of()));
    }
}
