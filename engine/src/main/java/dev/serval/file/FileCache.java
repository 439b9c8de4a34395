package dev.serval.file;

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

/// Paths and what was found there, by the bytes of the path.
///
/// A table of buckets, each an array that is never changed but replaced: any thread reads ([#find])
/// without lock, object or String. Writers, who come from looking at the disk, take the one lock,
/// never during I/O. Three rings bound it, so that nothing pushes out what is of another kind:
/// contents in memory, open files, and paths that lead nowhere.
final class FileCache {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9e3779b97f4a7c15L; // 2^64 divided by the golden ratio
    private static final CachedFile[] NONE = {};
    private static final int ABSENT_SHARE = 8;

    private final long seed = ThreadLocalRandom.current().nextLong(); // not for clients to know
    private final AtomicReferenceArray<CachedFile @Nullable []> buckets;
    private final int mask;
    private final ReentrantLock lock = new ReentrantLock();
    private final ClockRing contents;
    private final ClockRing openFiles;
    private final ClockRing absents;

    /// An empty cache with the bounds of `options`.
    FileCache(FileOptions options) {
        int entriesMax = options.entriesMax();
        int size = Integer.highestOneBit(Math.max(16, entriesMax - 1)) << 1;
        this.buckets = new AtomicReferenceArray<>(size);
        this.mask = size - 1;
        long bytes = Math.min(options.cacheMaxBytes(), Runtime.getRuntime().maxMemory() / 4);
        this.absents = new ClockRing(entriesMax / ABSENT_SHARE, bytes / (2 * ABSENT_SHARE));
        this.openFiles = new ClockRing(options.openFilesMax(), bytes / (2 * ABSENT_SHARE));
        this.contents = new ClockRing(entriesMax, bytes - bytes / ABSENT_SHARE);
    }

    /// The hash of the path `bytes[from, to)` in this cache.
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

    /// The entry of that path, or null.
    @Nullable CachedFile find(byte[] content, int from, int to) {
        return find(content, from, to, hash(content, from, to));
    }

    /// Puts an entry in, in the place of an older one of the same path. Makes room first.
    void put(CachedFile entry, byte[] path) {
        List<OpenFile> dropped = new ArrayList<>(1);
        lock.lock();
        try {
            @Nullable CachedFile old = find(path, 0, path.length, entry.hash());
            if (old != null) {
                drop(old, dropped);
            }
            ClockRing ring = ring(entry);
            for (@Nullable CachedFile victim = ring.inTheWayOf(entry);
                    victim != null;
                    victim = ring.inTheWayOf(entry)) {
                drop(victim, dropped);
            }
            ring.add(entry);
            CachedFile[] before = bucket(entry.hash() & mask);
            CachedFile[] after = Arrays.copyOf(before, before.length + 1);
            after[before.length] = entry;
            buckets.set(entry.hash() & mask, after);
        } finally {
            lock.unlock();
        }
        dropped.forEach(OpenFile::run);
    }

    /// Lets go of every open file: the process has no descriptors left.
    void closeFiles() {
        closeFiles(0, 0);
    }

    /// Lets go of the open files whose last look at the disk is `idleNanos` or longer ago; 0: of
    /// all.
    ///
    /// @return nanoseconds until the next of those that stay comes to that age, or
    ///     [Long#MAX_VALUE] where none stays
    long closeFiles(long nowNanos, long idleNanos) {
        List<OpenFile> dropped = new ArrayList<>();
        long untilNext = Long.MAX_VALUE;
        lock.lock();
        try {
            for (int i = openFiles.size() - 1;
                    i >= 0;
                    i--) { // the last takes a removed one's place
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
        dropped.forEach(OpenFile::run);
        return untilNext;
    }

    /// Entries in memory, open files and paths that lead nowhere, in this order; for tests.
    int[] sizes() {
        lock.lock();
        try {
            return new int[] {contents.size(), openFiles.size(), absents.size()};
        } finally {
            lock.unlock();
        }
    }

    /// What all entries cost; for tests.
    long bytes() {
        lock.lock();
        try {
            return contents.bytes() + openFiles.bytes() + absents.bytes();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable CachedFile find(byte[] content, int from, int to, int hash) {
        CachedFile @Nullable [] bucket = buckets.get(hash & mask);
        if (bucket != null) {
            for (CachedFile entry : bucket) {
                if (entry.isOf(content, from, to, hash)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /// Takes an entry out. Its open file is added to `dropped`, to be let go of behind the lock:
    /// the last to close a deleted file waits for the file system.
    private void drop(CachedFile entry, List<OpenFile> dropped) {
        ring(entry).remove(entry);
        CachedFile[] before = bucket(entry.hash() & mask);
        CachedFile[] after = new CachedFile[before.length - 1];
        int kept = 0;
        for (CachedFile other : before) {
            if (other != entry) {
                after[kept++] = other;
            }
        }
        buckets.set(entry.hash() & mask, after.length == 0 ? null : after);
        @Nullable OpenFile open = entry.openFile();
        if (open != null) {
            dropped.add(open);
        }
    }

    private CachedFile[] bucket(int i) {
        CachedFile @Nullable [] bucket = buckets.get(i);
        return bucket == null ? NONE : bucket;
    }

    private ClockRing ring(CachedFile entry) {
        return switch (entry.found()) {
            case Found.File file ->
                    switch (file.representation().content()) {
                        case Representation.InMemory _ -> contents;
                        case OpenFile _ -> openFiles;
                    };
            case Found.Other.FOLDER -> contents;
            case Found.Other.ABSENT, Found.Other.DENIED -> absents;
        };
    }

    private static long mix(long hash) {
        long product = hash * MIX;
        return product ^ product >>> 32;
    }
}
