package dev.serval.gateway.fastcgi;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Keeps what paths lead to, for a short time. A path has one place in a table of fixed size, and
/// replaces what is there. Entries are immutable, so any thread may use it without a lock.
final class ScriptCache {
    /// The longest path that is kept.
    static final int PATH_MAX_BYTES = 512;

    private static final int PLACES = 2048;

    /// @param path below the mount
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    private record Entry(byte[] path, Script script, long foundNanos) {}

    private final AtomicReferenceArray<@Nullable Entry> places = new AtomicReferenceArray<>(PLACES);
    private final long maxAgeNanos;

    ScriptCache(long maxAgeNanos) {
        this.maxAgeNanos = maxAgeNanos;
    }

    /// Returns what `bytes[from, to)` leads to, or null if that is not known or too old.
    @Nullable Script find(byte[] bytes, int from, int to, long nowNanos) {
        @Nullable Entry entry = places.get(place(bytes, from, to));
        return entry != null
                        && nowNanos - entry.foundNanos() < maxAgeNanos
                        && Arrays.equals(entry.path(), 0, entry.path().length, bytes, from, to)
                ? entry.script()
                : null;
    }

    /// Keeps the result of a look-up.
    void put(byte[] path, Script script, long nowNanos) {
        if (path.length <= PATH_MAX_BYTES) {
            places.set(place(path, 0, path.length), new Entry(path, script, nowNanos));
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
