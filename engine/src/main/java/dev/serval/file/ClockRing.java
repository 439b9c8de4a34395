package dev.serval.file;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Entries in a ring with a hand, to choose whom to evict: an entry that was asked for since the
/// hand passed gets a second chance. Bounded in entries and bytes. Used under the cache's lock.
final class ClockRing {
    private final int entriesMax;
    private final long bytesMax;
    private @Nullable CachedFile[] ring = new @Nullable CachedFile[16];
    private int size;
    private int hand;
    private long bytes;

    /// An empty ring.
    ClockRing(int entriesMax, long bytesMax) {
        this.entriesMax = entriesMax;
        this.bytesMax = bytesMax;
    }

    /// Entries.
    int size() {
        return size;
    }

    /// What the entries cost.
    long bytes() {
        return bytes;
    }

    /// Who has to go so that there is room for `entry`, or null when there is room.
    @Nullable CachedFile inTheWayOf(CachedFile entry) {
        boolean room = size < entriesMax && bytes + entry.cost() <= bytesMax;
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
    }

    /// Removes an entry of this ring; the last one takes its place.
    void remove(CachedFile entry) {
        CachedFile last = at(--size);
        ring[entry.slot] = last;
        last.slot = entry.slot;
        ring[size] = null;
        bytes -= entry.cost();
    }

    /// The entry at place `i`, from 0 to [#size].
    CachedFile at(int i) {
        @Nullable CachedFile entry = ring[i];
        if (entry == null) {
            throw new IllegalStateException("No entry at " + i + " of " + size);
        }
        return entry;
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
