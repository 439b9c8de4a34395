package dev.serval.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// An entry of the [FileCache]: what was found at one path. Loops read it without a lock. The
/// fields that the cache manages are written under its lock.
final class CachedFile {
    /// Approximate bytes of an entry without its content and path: this object, the heads and their
    /// wire form, and the slots in table and ring.
    private static final int OWN_BYTES = 1024;

    private static final OpenFile[] NO_FILES = {};
    private static final VarHandle REFRESHING = refreshingHandle();

    private final byte[] path;
    private final int hash;
    private final Found found;
    private final OpenFile[] openFiles;
    private volatile long checkedNanos;
    private volatile long arrivedNanos;

    @SuppressWarnings("unused") // accessed through REFRESHING
    private volatile int refreshing;

    /// Whether no gzip form is made any more, because that has begun or was not worth it.
    private volatile boolean gzipDone;

    /// Whether the entry was used since the clock's hand passed it. Any loop writes it without
    /// ordering. A lost write costs a useful entry only its second chance.
    private boolean used = true;

    /// The entry's slot in the cache's ring. Managed by the cache.
    int slot;

    /// Makes an entry as of `nowNanos`.
    ///
    /// @param path bytes below the mount; must not change any more
    CachedFile(byte[] path, int hash, Found found, long nowNanos) {
        this.path = path;
        this.hash = hash;
        this.found = found;
        this.openFiles = openFiles(found);
        this.checkedNanos = nowNanos;
        this.arrivedNanos = nowNanos;
        this.gzipDone = !(found instanceof Found.File file) || !file.wantsGzip();
    }

    private static OpenFile[] openFiles(Found found) {
        if (!(found instanceof Found.File file)) {
            return NO_FILES;
        }
        List<OpenFile> files = new ArrayList<>();
        if (file.representation().content() instanceof OpenFile open) {
            files.add(open);
        }
        for (int i = 0; i < file.coded().count(); i++) {
            if (file.coded().at(i).representation().content() instanceof OpenFile open) {
                files.add(open);
            }
        }
        return files.isEmpty() ? NO_FILES : files.toArray(NO_FILES);
    }

    /// Returns an entry for the same path, checked when this one was.
    CachedFile with(Found.File other) {
        CachedFile entry = new CachedFile(path, hash, other, checkedNanos);
        entry.arrived(arrivedNanos);
        return entry;
    }

    /// Returns the hash of the path.
    int hash() {
        return hash;
    }

    /// Returns what was found at the path.
    Found found() {
        return found;
    }

    /// Returns whether the entry's path is `bytes[from, to)`.
    boolean isOf(byte[] bytes, int from, int to, int itsHash) {
        return hash == itsHash && Arrays.equals(bytes, from, to, path, 0, path.length);
    }

    /// Returns whether the entry may answer at `nowNanos`.
    ///
    /// Past half of `maxAgeNanos` it returns false to one exchange, which must then look at the
    /// disk ([#checked] or [#unclaim]). During that look-up other exchanges get true until
    /// `staleMaxNanos`, so that they do not all wait for a slow disk. If the last result arrived
    /// `maxAgeNanos` ago or earlier and no look-up is under way, every exchange gets false.
    ///
    /// A file that was written just before the look-up may have been read in the middle of that. It
    /// is fresh for no exchange.
    boolean isFresh(long nowNanos, long maxAgeNanos, long staleMaxNanos) {
        if (nowNanos - checkedNanos < maxAgeNanos >>> 1 && found.isSettled()) {
            return true;
        }
        return isFreshForOthers(nowNanos, maxAgeNanos, staleMaxNanos);
    }

    /// Is not inlined, because it is called so seldom. Otherwise the first request after a pause would
    /// let the JIT compiler drop all code around it.
    private boolean isFreshForOthers(long nowNanos, long maxAgeNanos, long staleMaxNanos) {
        if (!found.isSettled()) {
            return false;
        }
        long age = nowNanos - checkedNanos;
        boolean inDemand = nowNanos - arrivedNanos < maxAgeNanos;
        if (inDemand && age < staleMaxNanos) {
            return !REFRESHING.compareAndSet(this, 0, 1);
        }
        return refreshing != 0 && age < staleMaxNanos;
    }

    /// Returns whether the entry may answer if the disk cannot be read.
    boolean mayStandIn(long nowNanos, long staleMaxNanos) {
        return found.isSettled() && nowNanos - checkedNanos < staleMaxNanos;
    }

    /// Records that the look-up did not take place, so that another exchange may start one.
    void unclaim() {
        refreshing = 0;
    }

    /// Records that the result of a look-up reached a loop at `nowNanos`. A slow look-up has used
    /// up the entry's age, and the next one is still left to one exchange.
    void arrived(long nowNanos) {
        arrivedNanos = nowNanos;
    }

    /// Returns when the disk was last checked.
    long checkedNanos() {
        return checkedNanos;
    }

    /// Returns whether the disk was checked so recently that another check is not needed. If the
    /// file was just written, only a check for an exchange that asked after `nowNanos` counts.
    boolean isJustChecked(long nowNanos, long maxAgeNanos) {
        long age = nowNanos - checkedNanos;
        return found.isSettled() ? age < maxAgeNanos >>> 1 : age < 0;
    }

    /// Records that the disk was checked as of `nowNanos` and nothing had changed.
    void checked(long nowNanos) {
        checkedNanos = nowNanos;
        refreshing = 0;
    }

    /// Marks the entry as used.
    void use() {
        if (!used) { // a store takes the cache line from other cores
            used = true;
        }
    }

    /// Returns whether the entry was used since the last call.
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /// Returns the path. Must not be changed.
    byte[] path() {
        return path;
    }

    /// Returns whether the entry would be of more use with a form in gzip.
    boolean wantsGzip() {
        return !gzipDone;
    }

    /// Records that a form in gzip is being made, or is not worth it.
    void gzipDone() {
        gzipDone = true;
    }

    /// Returns the approximate memory of the entry in bytes.
    long cost() {
        long bytes = (long) OWN_BYTES + path.length;
        if (found instanceof Found.File file) {
            bytes += bytes(file.representation());
            for (int i = 0; i < file.coded().count(); i++) {
                bytes += OWN_BYTES + bytes(file.coded().at(i).representation());
            }
        }
        return bytes;
    }

    private static long bytes(Representation one) {
        return one.content() instanceof Representation.InMemory memory ? memory.length() : 0;
    }

    /// Returns whether the entry can answer at all.
    boolean isUsable() {
        return !(found instanceof Found.File file) || file.isUsable();
    }

    /// Keeps the entry's open files open until [#giveBack], although the cache may evict the entry.
    /// Returns false if one is closed already. An entry without an open file can always be lent.
    boolean lend() {
        for (int i = 0; i < openFiles.length; i++) {
            if (!openFiles[i].lend()) {
                for (int k = 0; k < i; k++) {
                    openFiles[k].run();
                }
                return false;
            }
        }
        return true;
    }

    /// Ends [#lend] without waiting.
    void giveBack() {
        for (OpenFile open : openFiles) {
            open.run();
        }
    }

    /// Returns the files that the entry keeps open. Must not be changed.
    OpenFile[] openFiles() {
        return openFiles;
    }

    private static VarHandle refreshingHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(CachedFile.class, "refreshing", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
