package dev.serval.file;

import dev.serval.handler.Body;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;

/// A file that is kept open by the cache and by every exchange that borrows it. The last holder to
/// release it closes it. Any thread.
///
/// It also estimates whether its bytes are in the system's page cache ([#isHot]). Sending a file
/// that is not there would block the loop for as long as the disk takes.
final class OpenFile implements Representation.Content, Runnable {
    /// A file whose bytes were all read or sent within this time is assumed to be in the page
    /// cache.
    private static final long HOT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /// A longer file is never assumed to be completely in the page cache.
    private static final long HOT_MAX_BYTES = 256L << 20;

    private static final int READ_BYTES = 64 << 10;
    private static final VarHandle HOLDERS = holders();

    private final FileChannel channel;
    private final long length;
    private final Body.FileRegion whole;

    @SuppressWarnings("unused") // accessed through HOLDERS
    private volatile int holders = 1;

    private volatile boolean touched;
    private volatile long touchedNanos;

    /// Takes over an open channel, with one holder. `length` stays fixed even if the file changes.
    OpenFile(FileChannel channel, long length) {
        this.channel = channel;
        this.length = length;
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

    /// Keeps the file open until [#run]. Returns false if it is closed already.
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

    /// Releases the file. OpenFile is a Runnable, so that passing it to a [Body] as `released`
    /// allocates no object.
    @Override
    public void run() {
        if ((int) HOLDERS.getAndAdd(this, -1) == 1) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("A file opened for reading could not be closed", e);
            }
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
