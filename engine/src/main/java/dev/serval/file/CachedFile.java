package dev.serval.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// What is known of one path: an entry of the [FileCache]. Loops read it without a lock; the fields
/// of the cache's own books are written under its lock.
final class CachedFile {
    private static final int OWN_BYTES = 1024; // this, heads with wire form, table and ring
    private static final VarHandle REFRESHING = refreshingHandle();

    private final byte[] path;
    private final int hash;
    private final Found found;
    private volatile long checkedNanos;

    @SuppressWarnings("unused") // through REFRESHING
    private volatile int refreshing;

    /// Asked for since the clock's hand passed. Written by any loop without order: a lost write
    /// costs a useful entry its second chance, no more.
    private boolean used = true;

    /// Place in its ring; of the cache's books.
    int slot;

    /// An entry as of `nowNanos`.
    ///
    /// @param path octets below the mount, not to be changed any more
    CachedFile(byte[] path, int hash, Found found, long nowNanos) {
        this.path = path;
        this.hash = hash;
        this.found = found;
        this.checkedNanos = nowNanos;
    }

    /// The hash of the path.
    int hash() {
        return hash;
    }

    /// What is there.
    Found found() {
        return found;
    }

    /// Whether it is about the path `octets[from, to)`.
    boolean isOf(byte[] octets, int from, int to, int itsHash) {
        return hash == itsHash && Arrays.equals(octets, from, to, path, 0, path.length);
    }

    /// Whether it may answer at `nowNanos`. Past half of `maxAgeNanos` it says no once, to whoever
    /// is then to look at the disk while the others are still served.
    boolean isFresh(long nowNanos, long maxAgeNanos) {
        long age = nowNanos - checkedNanos;
        if (age < maxAgeNanos >>> 1) {
            return true;
        }
        return age < maxAgeNanos && !REFRESHING.compareAndSet(this, 0, 1);
    }

    /// Whether somebody looked at the disk so recently that another look tells nothing new.
    boolean isJustChecked(long nowNanos, long maxAgeNanos) {
        return nowNanos - checkedNanos < maxAgeNanos >>> 1;
    }

    /// The disk was looked at, as of `nowNanos`, and nothing had changed.
    void checked(long nowNanos) {
        checkedNanos = nowNanos;
        refreshing = 0;
    }

    /// Somebody asked for it.
    void use() {
        if (!used) { // a store would take the line from the other cores
            used = true;
        }
    }

    /// Whether somebody asked for it since the last call.
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /// Memory it takes, roughly.
    long cost() {
        long octets =
                found instanceof Found.File file
                                && file.representation().content()
                                        instanceof Representation.InMemory memory
                        ? memory.length()
                        : 0;
        return OWN_BYTES + path.length + octets;
    }

    /// Whether it can answer at all.
    boolean isUsable() {
        return !(found instanceof Found.File file) || file.isUsable();
    }

    private static VarHandle refreshingHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(CachedFile.class, "refreshing", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
