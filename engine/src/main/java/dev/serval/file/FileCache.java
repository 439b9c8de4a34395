package dev.serval.file;

import dev.serval.coding.Compression;
import dev.serval.listing.ListingView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Caches what was found at each path. The keys are the bytes of the path.
///
/// The cache is a table of buckets. Each bucket is an array that is replaced, never changed. Any
/// thread reads ([#find]) without a lock, an object or a String. A writer has looked at the disk
/// before, and takes the only lock, never during I/O. Three rings bound the cache, so that an entry
/// evicts only entries of its own kind: contents in memory, open files, and paths that do not
/// exist.
final class FileCache {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9e3779b97f4a7c15L; // 2^64 divided by the golden ratio
    private static final CachedFile[] NONE = {};
    private static final int ABSENT_SHARE = 8;

    /// A compressed form may take this part of the bytes of its ring.
    private static final int FORM_SHARE = 16;

    /// Secret, so that clients cannot cause collisions.
    private final long seed = ThreadLocalRandom.current().nextLong();

    private final int size;

    /// Has one bucket until the first entry is added: a server may have thousands of folders that are hardly
    /// ever asked for.
    private volatile AtomicReferenceArray<CachedFile @Nullable []> buckets =
            new AtomicReferenceArray<>(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final ClockRing contents;
    private final ClockRing openFiles;
    private final ClockRing absents;

    /// Makes an empty cache with the limits of `options`.
    FileCache(FileOptions options) {
        int entriesMax = options.entriesMax();
        this.size = Integer.highestOneBit(Math.max(16, entriesMax - 1)) << 1;
        long bytes = Math.min(options.cacheMaxBytes(), Runtime.getRuntime().maxMemory() / 4);
        this.absents = new ClockRing(entriesMax / ABSENT_SHARE, bytes / (2 * ABSENT_SHARE));
        // Files that are kept open may have compressed forms in memory.
        boolean forms = options.compression().covers(Compression.Scope.FILES);
        long open = forms ? bytes / 4 : bytes / (2 * ABSENT_SHARE);
        this.openFiles = new ClockRing(options.openFilesMax(), open);
        this.contents = new ClockRing(entriesMax, bytes - open - bytes / (2 * ABSENT_SHARE));
    }

    /// Returns the hash of the path `content[from, to)` in this cache.
    int hash(byte[] content, int from, int to) {
        long hash = seed ^ (to - from) * MIX;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(content, at));
        }
        long rest = 0;
        for (; at < to; at++) {
            rest = rest << Byte.SIZE | (content[at] & 0xff);
        }
        return (int) (mix(hash ^ rest) >>> 16);
    }

    /// Returns the entry of the path `content[from, to)`, or null.
    @Nullable CachedFile find(byte[] content, int from, int to) {
        return find(content, from, to, hash(content, from, to));
    }

    /// Adds an entry in place of an older one of the same path. Evicts other entries first if
    /// necessary. Blocks if it closes files.
    void put(CachedFile entry, byte[] path) {
        List<OpenFile> dropped = new ArrayList<>(1);
        lock.lock();
        try {
            add(entry, find(path, 0, path.length, entry.hash()), dropped);
        } finally {
            lock.unlock();
        }
        dropped.forEach(OpenFile::close);
    }

    /// Puts an entry in place of `old`, if that is still in the cache. Blocks if it closes files.
    ///
    /// @return whether it did so
    boolean replace(CachedFile old, CachedFile entry) {
        List<OpenFile> dropped = new ArrayList<>(1);
        lock.lock();
        try {
            byte[] path = old.path();
            if (old != find(path, 0, path.length, old.hash())) {
                return false;
            }
            add(entry, old, dropped);
        } finally {
            lock.unlock();
        }
        dropped.forEach(OpenFile::close);
        return true;
    }

    /// Returns the most bytes that a compressed form of the entry may have.
    long formMaxBytes(CachedFile entry) {
        return ring(entry).bytesMax() / FORM_SHARE;
    }

    private void add(CachedFile entry, @Nullable CachedFile old, List<OpenFile> dropped) {
        if (old != null) {
            drop(old, dropped);
        }
        if (buckets.length() < size) {
            buckets = new AtomicReferenceArray<>(size);
        }
        ClockRing ring = ring(entry);
        for (@Nullable CachedFile victim = ring.inTheWayOf(entry);
                victim != null;
                victim = ring.inTheWayOf(entry)) {
            drop(victim, dropped);
        }
        ring.add(entry);
        int at = index(entry.hash());
        CachedFile[] before = bucket(at);
        CachedFile[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = entry;
        buckets.set(at, after);
    }

    /// Releases every open file, because the process has no descriptors left. Blocks.
    void closeFiles() {
        closeFiles(0, 0);
    }

    /// Releases the open files whose last check of the disk is `idleNanos` or longer ago; 0
    /// releases all. Blocks.
    ///
    /// @return nanoseconds until the next of the remaining files reaches that age, or
    ///     [Long#MAX_VALUE] if none remains
    long closeFiles(long nowNanos, long idleNanos) {
        List<OpenFile> dropped = new ArrayList<>();
        long untilNext = Long.MAX_VALUE;
        lock.lock();
        try {
            // Backwards, because the last entry moves into a removed one's slot.
            for (int i = openFiles.size() - 1; i >= 0; i--) {
                CachedFile entry = openFiles.at(i);
                long left = idleNanos - (nowNanos - entry.checkedNanos());
                if (idleNanos == 0 || left <= 0) {
                    drop(entry, dropped);
                } else {
                    untilNext = Math.min(untilNext, left);
                }
            }
        } finally {
            lock.unlock();
        }
        dropped.forEach(OpenFile::close);
        return untilNext;
    }

    /// Returns the number of contents in memory, open files and missing paths, in this order; for
    /// tests.
    int[] sizes() {
        lock.lock();
        try {
            return new int[] {contents.size(), openFiles.size(), absents.size()};
        } finally {
            lock.unlock();
        }
    }

    /// Returns the cost of all entries in bytes; for tests.
    long bytes() {
        lock.lock();
        try {
            return contents.bytes() + openFiles.bytes() + absents.bytes();
        } finally {
            lock.unlock();
        }
    }

    /// Returns which bucket has the entries with this hash. Called under the lock.
    private int index(int hash) {
        return hash & (buckets.length() - 1);
    }

    private @Nullable CachedFile find(byte[] content, int from, int to, int hash) {
        AtomicReferenceArray<CachedFile @Nullable []> table = buckets;
        CachedFile @Nullable [] bucket = table.get(hash & (table.length() - 1));
        if (bucket != null) {
            for (CachedFile entry : bucket) {
                if (entry.isOf(content, from, to, hash)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /// Removes an entry. Adds its open file to `dropped`, for release after the unlock: closing a
    /// deleted file waits for the file system.
    private void drop(CachedFile entry, List<OpenFile> dropped) {
        ring(entry).remove(entry);
        int at = index(entry.hash());
        CachedFile[] before = bucket(at);
        CachedFile[] after = new CachedFile[before.length - 1];
        int kept = 0;
        for (CachedFile other : before) {
            if (other != entry) {
                after[kept++] = other;
            }
        }
        buckets.set(at, after.length == 0 ? null : after);
        dropped.addAll(Arrays.asList(entry.openFiles()));
    }

    private CachedFile[] bucket(int i) {
        CachedFile @Nullable [] bucket = buckets.get(i);
        return bucket == null ? NONE : bucket;
    }

    private ClockRing ring(CachedFile entry) {
        if (entry.openFiles().length > 0) {
            return openFiles;
        }
        if (ListingView.ofKey(entry.path()).isLaterPage()) {
            return absents; // clients can name any number of them
        }
        Found found = entry.found();
        return found instanceof Found.File || found == Found.Other.FOLDER ? contents : absents;
    }

    private static long mix(long hash) {
        long product = hash * MIX;
        return product ^ product >>> 32;
    }
}
