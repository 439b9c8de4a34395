package dev.serval.file;

import dev.serval.handler.Body;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// A file that is kept open by the cache and by every exchange that borrows it. It is closed when
/// the last holder releases it. Any thread.
///
/// The last close of a deleted file frees its blocks, which takes the system some tens of
/// milliseconds if the file is large. So a loop releases by [#run], which leaves the close to
/// another thread, and a thread that may block releases by [#close].
///
/// It also estimates whether its bytes are in the system's page cache ([#isHot]). Sending a file
/// that is not there would block the loop for as long as the disk takes.
final class OpenFile implements Representation.Content, Runnable {
    private static final System.Logger LOG = System.getLogger(OpenFile.class.getName());

    /// Starts the threads that close files for loops. No thread waits for them, and each ends with
    /// its file. There are never more of them than open files.
    private static final Executor CLOSERS =
            work -> Thread.ofVirtual().name("serval-file-close").start(work);

    /// A file whose bytes were all read or sent within this time is assumed to be in the page
    /// cache.
    private static final long HOT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /// A longer file is never assumed to be completely in the page cache.
    private static final long HOT_MAX_BYTES = 256L << 20;

    private static final int READ_BYTES = 64 << 10;
    private static final VarHandle HOLDERS = holders();

    private final FileChannel channel;
    private final long length;
    private final Executor closers;
    private final Body.FileRegion whole;

    @SuppressWarnings("unused") // accessed through HOLDERS
    private volatile int holders = 1;

    private volatile boolean touched;
    private volatile long touchedNanos;

    /// Takes over an open channel, with one holder. `length` stays fixed even if the file changes.
    OpenFile(FileChannel channel, long length) {
        this(channel, length, CLOSERS);
    }

    /// Creates a file that `closers` close if the last holder releases it by [#run].
    OpenFile(FileChannel channel, long length, Executor closers) {
        this.channel = channel;
        this.length = length;
        this.closers = closers;
        this.whole = region(0, length);
    }

    @Override
    public long length() {
        return length;
    }

    /// Returns the whole file. The caller must [#lend] it first.
    Body.FileRegion whole() {
        return whole;
    }

    /// Returns a region of the file. The caller must [#lend] it first.
    Body.FileRegion region(long position, long bytes) {
        return new Body.FileRegion(channel, position, bytes, this);
    }

    /// Keeps the file open until [#run] or [#close]. Returns false if it is closed already.
    boolean lend() {
        int n = (int) HOLDERS.getVolatile(this);
        // A holder that is interrupted during a read closes the channel for all.
        while (n > 0 && channel.isOpen()) {
            int seen = (int) HOLDERS.compareAndExchange(this, n, n + 1);
            if (seen == n) {
                return true;
            }
            n = seen;
        }
        return false;
    }

    /// Releases the file without waiting. If no other holder is left, another thread closes it soon.
    /// OpenFile is a Runnable, so that passing it to a [Body] as `released` allocates no object.
    @Override
    public void run() {
        if (!releasedByLast()) {
            return;
        }
        try {
            closers.execute(this::closeChannel);
        } catch (RuntimeException | Error e) { // no memory for a thread: better wait than leak it
            closeChannel();
        }
    }

    /// Releases the file, and closes it at once if no other holder is left. Blocks.
    void close() {
        if (releasedByLast()) {
            closeChannel();
        }
    }

    private boolean releasedByLast() {
        return (int) HOLDERS.getAndAdd(this, -1) == 1;
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "A file opened for reading could not be closed", e);
        }
    }

    /// Returns whether the file can still be lent.
    boolean isOpen() {
        return (int) HOLDERS.getVolatile(this) > 0 && channel.isOpen();
    }

    /// Returns whether sending the file is unlikely to wait for the disk.
    boolean isHot(long nowNanos) {
        return touched && nowNanos - touchedNanos < HOT_NANOS && length <= HOT_MAX_BYTES;
    }

    /// Records that all bytes of the file were read or sent.
    void touch(long nowNanos) {
        // Most calls store nothing, because a store takes the cache line from other cores.
        if (!touched || nowNanos - touchedNanos > HOT_NANOS / 8) {
            touchedNanos = nowNanos;
            touched = true;
        }
    }

    /// Reads `[position, position + bytes)` into the system's page cache. Blocks.
    void readAhead(long position, long bytes) throws IOException {
        ByteBuffer scratch = ByteBuffer.allocate((int) Math.min(bytes, READ_BYTES));
        long end = position + bytes;
        for (long at = position; at < end; ) {
            int n = channel.read(scratch.clear(), at);
            if (n < 0) {
                return; // the file was truncated: sending it will detect that
            }
            at += n;
        }
    }

    private static VarHandle holders() {
        try {
            return MethodHandles.lookup().findVarHandle(OpenFile.class, "holders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
