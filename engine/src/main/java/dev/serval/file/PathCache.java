package dev.serval.file;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Keeps what paths lead to, for a short time. A path has one place in a table of fixed size, and
/// replaces what is there. Entries are immutable, so any thread may use it without a lock.
///
/// @param <T> the result of a look-up, which must not change
public final class PathCache<T> {
    /// The longest path that is kept.
    public static final int PATH_MAX_BYTES = 512;

    private static final int PLACES = 2048;

    /// @param path below the mount
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    private record Entry<T>(byte[] path, T result, long foundNanos) {}

    private final AtomicReferenceArray<@Nullable Entry<T>> places =
            new AtomicReferenceArray<>(PLACES);
    private final long maxAgeNanos;

    /// Creates an empty cache.
    ///
    /// @param maxAgeNanos how long a result is kept
    public PathCache(long maxAgeNanos) {
        this.maxAgeNanos = maxAgeNanos;
    }

    /// Returns what `bytes[from, to)` leads to, or null if that is not known or too old.
    public @Nullable T find(byte[] bytes, int from, int to, long nowNanos) {
        @Nullable Entry<T> entry = places.get(place(bytes, from, to));
        return entry != null
                        && nowNanos - entry.foundNanos() < maxAgeNanos
                        && Arrays.equals(entry.path(), 0, entry.path().length, bytes, from, to)
                ? entry.result()
                : null;
    }

    /// Keeps the result of a look-up.
    ///
    /// @param path below the mount; must not change any more
    public void put(byte[] path, T result, long nowNanos) {
        if (path.length <= PATH_MAX_BYTES) {
            places.set(place(path, 0, path.length), new Entry<>(path, result, nowNanos));
        }
    }

    private static int place(byte[] bytes, int from, int to) {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        return (hash ^ hash >>> 15) & (PLACES - 1);
    }
}
