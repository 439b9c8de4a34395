package dev.serval.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What is known of one path: an entry of the [FileCache]. Loops read it without a lock; the fields
/// of the cache's own books are written under its lock.
final class CachedFile {
    private static final int OWN_BYTES = 1024; // this, heads with wire form, table and ring
    private static final VarHandle REFRESHING = refreshingHandle();

    private final byte[] path;
    private final int hash;
    private final Found found;
    private volatile long checkedNanos;
    private volatile long arrivedNanos;

    @SuppressWarnings("unused") // through REFRESHING
    private volatile int refreshing;

    /// Asked for since the clock's hand passed. Written by any loop without order: a lost write
    /// costs a useful entry its second chance, no more.
    private boolean used = true;

    /// ExecutorKind in its ring; of the cache's books.
    int slot;

    /// An entry as of `nowNanos`.
    ///
    /// @param path bytes below the mount, not to be changed any more
    CachedFile(byte[] path, int hash, Found found, long nowNanos) {
        this.path = path;
        this.hash = hash;
        this.found = found;
        this.checkedNanos = nowNanos;
        this.arrivedNanos = nowNanos;
    }

    /// The hash of the path.
    int hash() {
        return hash;
    }

    /// What is there.
    Found found() {
        return found;
    }

    /// Whether it is about the path `bytes[from, to)`.
    boolean isOf(byte[] bytes, int from, int to, int itsHash) {
        return hash == itsHash && Arrays.equals(bytes, from, to, path, 0, path.length);
    }

    /// Whether it may answer at `nowNanos`. Past half of `maxAgeNanos` it says no once, to whoever
    /// is then to look at the disk ([#checked], or [#unclaim]). While that look is under way the
    /// others are still served, up to `staleMaxNanos`, so that a slow disk is not asked by all of
    /// them. Who comes past the age, with no look under way, has to look.
    boolean isFresh(long nowNanos, long maxAgeNanos, long staleMaxNanos) {
        long age = nowNanos - checkedNanos;
        if (age < maxAgeNanos >>> 1) {
            return true;
        }
        boolean inDemand = nowNanos - arrivedNanos < maxAgeNanos;
        if (inDemand && age < staleMaxNanos) {
            return !REFRESHING.compareAndSet(this, 0, 1);
        }
        return refreshing != 0 && age < staleMaxNanos;
    }

    /// Whether it may answer where the disk cannot be asked.
    boolean mayStandIn(long nowNanos, long staleMaxNanos) {
        return nowNanos - checkedNanos < staleMaxNanos;
    }

    /// The look at the disk did not come about: another exchange may try.
    void unclaim() {
        refreshing = 0;
    }

    /// What a look found came back to a loop at `nowNanos`. A look that took long has used up the
    /// age; the next one is still due to one exchange and not to all.
    void arrived(long nowNanos) {
        arrivedNanos = nowNanos;
    }

    /// When the disk was last looked at.
    long checkedNanos() {
        return checkedNanos;
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
        long bytes =
                found instanceof Found.File file
                                && file.representation().content()
                                        instanceof Representation.InMemory memory
                        ? memory.length()
                        : 0;
        return OWN_BYTES + path.length + bytes;
    }

    /// Whether it can answer at all.
    boolean isUsable() {
        return !(found instanceof Found.File file) || file.isUsable();
    }

    /// The file it keeps open, or null.
    @Nullable OpenFile openFile() {
        return found instanceof Found.File file
                        && file.representation().content() instanceof OpenFile open
                ? open
                : null;
    }

    private static VarHandle refreshingHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(CachedFile.class, "refreshing", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
