package dev.serval.gateway.spool;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.exchange.Lender;
import dev.serval.handler.Body;
import dev.serval.handler.Sink;
import dev.serval.net.Output;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// One content that waits: up to 8 KiB in a lent buffer, up to 64 KiB in a larger one if the quota
/// allows it, and the rest in a file.
///
/// ```
///   FILLING ── full: reserve, then flush on a DISK thread ──▶ FILLING
///      └── all there: writeTo, or part by part ──▶ LENT ── all parts sent or dropped, and free ──▶ FREE
/// ```
/// It counts its users: its owner, a flush, and each part that was written and is not sent yet.
/// The last one to leave frees memory and file. Owned by the loop, except [#flush].
@SuppressWarnings("exports") // only the gateway and its protocols use it
public final class Spool {
    /// The bytes of the larger buffer.
    public static final int LARGE_BYTES = 64 << 10;

    private static final System.Logger LOG = System.getLogger(Spool.class.getName());
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final SpoolQuota quota;
    private final Lender lender;
    private final boolean ofAnswer;
    private final Runnable release = this::release;
    private ByteBuffer chunk = NONE; // content up to its position
    private @Nullable FileChannel file;
    private @Nullable IOException failure;
    private long inFile; // bytes
    private long reserved; // bytes of the disk's quota
    private int users = 1;

    /// Creates an empty spool, which holds nothing yet.
    ///
    /// @param lender of the loop's buffers
    /// @param ofAnswer whether its file counts among those of answers
    Spool(SpoolQuota quota, Lender lender, boolean ofAnswer) {
        this.quota = quota;
        this.lender = lender;
        this.ofAnswer = ofAnswer;
    }

    /// Returns the number of bytes.
    public long length() {
        return inFile + chunk.position();
    }

    /// Returns a buffer to fill from its position. If it has no room, there must be a [#flush]
    /// first.
    public ByteBuffer room() {
        if (!chunk.hasRemaining() && inFile == 0) {
            grow();
        }
        return chunk;
    }

    /// Appends as many bytes of `source[from, to)` as there is room for.
    ///
    /// @return the number of bytes
    public int append(byte[] source, int from, int to) {
        ByteBuffer into = room();
        int n = Math.min(into.remaining(), to - from);
        into.put(source, from, n);
        return n;
    }

    /// Returns whether a [#flush] must make room.
    public boolean isFull() {
        return !room().hasRemaining();
    }

    /// Reserves disk space for a [#flush].
    ///
    /// @return whether the quota allows it
    public boolean reserve() {
        int more = chunk.position();
        boolean taken = ofAnswer ? quota.takeDiskOfAnswer(more) : quota.takeDisk(more);
        if (!taken) {
            return false;
        }
        reserved += more;
        users++;
        return true;
    }

    /// Moves the bytes in memory to the file. What the disk does not take stays in memory. On a thread that
    /// may block, after [#reserve]; the loop calls [#flushed] after it.
    public void flush() {
        try {
            FileChannel to = file == null ? quota.open() : file;
            file = to;
            store(to);
        } catch (IOException e) {
            failure = e;
        } catch (RuntimeException | Error e) { // else the quota would never be given back
            failure = new IOException("The content could not be stored", e);
        }
    }

    private void store(FileChannel to) throws IOException {
        chunk.flip();
        try {
            while (chunk.hasRemaining()) {
                inFile += to.write(chunk, inFile);
            }
        } finally {
            chunk.compact();
        }
    }

    /// Ends a flush. On the loop, also if the flush was dropped.
    ///
    /// @return the error of the flush, or null
    public @Nullable IOException flushed() {
        @Nullable IOException wrong = failure;
        if (wrong != null) {
            giveDisk(reserved - inFile);
        }
        release();
        return wrong;
    }

    /// Appends the content to a connection. Call it once, after the last byte is here.
    public void writeTo(Output out) {
        if (file != null && inFile > 0) {
            users++;
            out.write(file, 0, inFile, release, null); // only this process has the file
        }
        if (chunk.position() > 0) {
            users++;
            out.write(chunk.duplicate().flip(), release);
        }
    }

    /// Appends the content to a response. Call it once, after the last byte is here.
    public void writeTo(Sink out) {
        if (file != null && inFile > 0) {
            users++;
            out.write(new Body.FileRegion(file, 0, inFile, release));
        }
        if (chunk.position() > 0) {
            users++;
            out.write(new Body.Bytes(chunk.duplicate().flip(), release));
        }
    }

    /// Returns the part that begins at byte `from`. Call it after the last byte is here. The part
    /// keeps memory and file until it is released.
    ///
    /// @param from less than [#length]
    /// @param maxBytes at least 1
    public Body part(long from, int maxBytes) {
        users++;
        if (file != null && from < inFile) {
            return new Body.FileRegion(file, from, Math.min(maxBytes, inFile - from), release);
        }
        int at = (int) (from - inFile);
        ByteBuffer slice = chunk.slice(at, Math.min(maxBytes, chunk.position() - at));
        return new Body.Bytes(slice, release);
    }

    /// Ends the owner's use. Parts that are being sent stay until they are sent.
    public void free() {
        release();
    }

    private void grow() {
        if (chunk.capacity() == 0) {
            chunk = lender.lend();
        } else if (chunk.capacity() < LARGE_BYTES && quota.takeMemory(LARGE_BYTES)) {
            ByteBuffer large;
            try {
                large = ByteBuffer.allocate(LARGE_BYTES);
            } catch (OutOfMemoryError e) {
                quota.giveMemory(LARGE_BYTES);
                throw e;
            }
            large.put(chunk.flip());
            lender.giveBack(chunk.clear());
            chunk = large;
        }
    }

    private void release() {
        if (--users > 0) {
            return;
        }
        if (chunk.capacity() == LARGE_BYTES) {
            quota.giveMemory(LARGE_BYTES);
        } else if (chunk.capacity() > 0) {
            lender.giveBack(chunk.clear());
        }
        chunk = NONE;
        giveDisk(reserved);
        @Nullable FileChannel open = file;
        file = null;
        if (open != null) {
            // To close the last descriptor of a large file takes the system some milliseconds.
            try {
                Thread.ofVirtual().name("serval-spool-close").start(() -> close(open));
            } catch (OutOfMemoryError e) { // what releases this has more to do
                close(open);
            }
        }
    }

    private void giveDisk(long bytes) {
        reserved -= bytes;
        if (ofAnswer) {
            quota.giveDiskOfAnswer(bytes);
        } else {
            quota.giveDisk(bytes);
        }
    }

    private static void close(FileChannel open) {
        try {
            open.close();
        } catch (IOException e) {
            LOG.log(WARNING, "A temporary file could not be closed", e);
        }
    }
}
