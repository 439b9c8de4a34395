package dev.serval.file;

import dev.serval.handler.Body;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;

/// A file kept open: by the cache, and by every exchange it is lent to. The last to let go closes
/// it. Any thread.
///
/// Also knows whether its bytes are likely in the system's page cache ([#isHot]), since sending a
/// file that is not would hold up the loop for as long as the disk takes.
final class OpenFile implements Representation.Content, Runnable {
    /// A file whose bytes were all touched so recently is taken to be in the page cache.
    private static final long HOT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /// A longer file is never taken to be in the page cache as a whole.
    private static final long HOT_MAX_BYTES = 256L << 20;

    private static final int READ_BYTES = 64 << 10;
    private static final VarHandle HOLDERS = holders();

    private final FileChannel channel;
    private final long length;
    private final Body.FileRegion whole;

    @SuppressWarnings("unused") // through HOLDERS
    private volatile int holders = 1;

    private volatile boolean touched;
    private volatile long touchedNanos;

    /// Takes over an open channel for whoever keeps it; `length` is fixed, whatever becomes of the
    /// file.
    OpenFile(FileChannel channel, long length) {
        this.channel = channel;
        this.length = length;
        this.whole = region(0, length);
    }

    @Override
    public long length() {
        return length;
    }

    /// All of it, for which one must have [#lend] first.
    Body.FileRegion whole() {
        return whole;
    }

    /// A piece, for which one must have [#lend] first.
    Body.FileRegion region(long position, long bytes) {
        return new Body.FileRegion(channel, position, bytes, this);
    }

    /// Keeps it open until [#run]; false where it is closed already.
    boolean lend() {
        int n = (int) HOLDERS.getVolatile(this);
        while (n > 0 && channel.isOpen()) { // an interrupted reader closes a channel under all
            int seen = (int) HOLDERS.compareAndExchange(this, n, n + 1);
            if (seen == n) {
                return true;
            }
            n = seen;
        }
        return false;
    }

    /// Lets go. Runnable, so that handing it to a [Body] as `released` makes no object.
    @Override
    public void run() {
        if ((int) HOLDERS.getAndAdd(this, -1) == 1) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("A file that was only read did not close", e);
            }
        }
    }

    /// Whether it can still be lent.
    boolean isOpen() {
        return (int) HOLDERS.getVolatile(this) > 0 && channel.isOpen();
    }

    /// Whether sending it will hardly wait for the disk.
    boolean isHot(long nowNanos) {
        return touched && nowNanos - touchedNanos < HOT_NANOS && length <= HOT_MAX_BYTES;
    }

    /// All of it was read or sent.
    void touch(long nowNanos) {
        if (!touched || nowNanos - touchedNanos > HOT_NANOS / 8) { // spares the other cores
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
                return; // shorter than it was: sending it will find out
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
