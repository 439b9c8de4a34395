package dev.serval.file;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Chooses which entry to evict by the clock algorithm. An entry that was used since the hand
/// passed it gets a second chance. The ring is bounded in bytes and in units: an entry counts as one,
/// or as many as it has open files. Guarded by the cache's lock.
final class ClockRing {
    private final int unitsMax;
    private final long bytesMax;
    private @Nullable CachedFile[] ring = new @Nullable CachedFile[16];
    private int size;
    private int hand;
    private int units;
    private long bytes;

    /// Makes an empty ring.
    ClockRing(int unitsMax, long bytesMax) {
        this.unitsMax = unitsMax;
        this.bytesMax = bytesMax;
    }

    /// Returns the most bytes that the ring may hold.
    long bytesMax() {
        return bytesMax;
    }

    /// Returns the number of entries.
    int size() {
        return size;
    }

    /// Returns the cost of all entries in bytes.
    long bytes() {
        return bytes;
    }

    /// Returns the entry to evict before `entry` can be added, or null if there is room.
    @Nullable CachedFile inTheWayOf(CachedFile entry) {
        boolean room = units + units(entry) <= unitsMax && bytes + entry.cost() <= bytesMax;
        return room || size == 0 ? null : victim();
    }

    /// Adds an entry.
    void add(CachedFile entry) {
        if (size == ring.length) {
            ring = Arrays.copyOf(ring, size * 2);
        }
        entry.slot = size;
        ring[size++] = entry;
        bytes += entry.cost();
        units += units(entry);
    }

    /// Removes an entry of this ring. The last entry moves into its slot.
    void remove(CachedFile entry) {
        CachedFile last = at(--size);
        ring[entry.slot] = last;
        last.slot = entry.slot;
        ring[size] = null;
        bytes -= entry.cost();
        units -= units(entry);
    }

    /// Returns the entry in slot `i`, from 0 to [#size] exclusive.
    CachedFile at(int i) {
        @Nullable CachedFile entry = ring[i];
        if (entry == null) {
            throw new IllegalStateException("No entry at " + i + " of " + size);
        }
        return entry;
    }

    private static int units(CachedFile entry) {
        return Math.max(1, entry.openFiles().length);
    }

    private CachedFile victim() {
        CachedFile entry = at(turn());
        for (int chances = size; chances > 0 && entry.takeUsed(); chances--) {
            entry = at(turn());
        }
        return entry;
    }

    private int turn() {
        hand = hand + 1 < size ? hand + 1 : 0;
        return hand;
    }
}
