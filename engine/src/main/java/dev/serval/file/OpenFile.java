package dev.serval.file;

import dev.serval.handler.Body;
import dev.serval.net.epoll.FileState;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// A file that is kept open by the cache and by every exchange that borrows it. It is closed when
/// the last holder releases it. Any thread.
///
/// The last close of a deleted file frees its blocks, which takes the system some tens of
/// milliseconds if the file is large. So a loop releases by [#run], which leaves the close to
/// another thread, and a thread that may block releases by [#close].
///
/// Other processes may write to the file while it is open. An answer begins only if the file is as
/// it was when it was opened ([#lendUnchanged]), and continues only while its first [#length] bytes
/// may still be the same ([#getAsBoolean]). A file that has failed such a check is outdated, and the
/// cache gives it up.
///
/// It also estimates whether its bytes are in the system's page cache ([#isHot]). Sending a file
/// that is not there would block the loop for as long as the disk takes.
final class OpenFile implements Representation.Content, Runnable, BooleanSupplier {
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

    /// Bytes at the end of a file by which one that only grew, such as a log, is told from one that
    /// was written anew.
    private static final int TAIL_BYTES = 64;

    /// How often a file that has a new time and its old length is looked at again. A write sets the
    /// time first and the length last.
    private static final int LOOKS = 1000;

    private static final VarHandle HOLDERS = holders();

    private final FileChannel channel;
    private final FileState opened;
    private final long length;
    private final byte[] tail;
    private final Executor closers;
    private final Body.FileRegion whole;

    @SuppressWarnings("unused") // accessed through HOLDERS
    private volatile int holders = 1;

    private volatile boolean outdated;
    private volatile boolean rewritten; // it has kept its length for so long that it did not grow
    private volatile boolean mayHaveGrown;
    private volatile boolean touched;
    private volatile long touchedNanos;

    /// Creates a file with one holder, which `closers` close if the last holder releases it by
    /// [#run].
    ///
    /// @param opened its state; its length stays that of the content even if the file changes
    /// @param tail the last bytes of the content
    OpenFile(FileChannel channel, FileState opened, byte[] tail, Executor closers) {
        this.channel = channel;
        this.opened = opened;
        this.length = opened.size();
        this.tail = tail;
        this.closers = closers;
        this.whole = region(0, length);
    }

    /// Takes over an open channel, with one holder. Blocks.
    static OpenFile of(FileChannel channel) throws IOException {
        FileState opened = FileState.of(channel);
        byte[] tail = tail(channel, opened.size());
        return new OpenFile(channel, opened, tail, CLOSERS);
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
        return new Body.FileRegion(channel, position, bytes, this, this);
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

    /// Keeps the file open as [#lend] does, to begin an answer. Returns false also if the file has
    /// changed since it was opened. It costs one system call.
    boolean lendUnchanged() {
        if (!lend()) {
            return false;
        }
        boolean same = isUnchanged(); // the descriptor stays the file's while it is lent
        if (!same) {
            run();
        }
        return same;
    }

    /// Returns whether an answer may begin: the file is as it was when it was opened. The caller
    /// must [#lend] it first.
    boolean isUnchanged() {
        if (mayHaveGrown) {
            return getAsBoolean();
        }
        boolean same = !outdated && opened.isStateOf(channel);
        if (!same) {
            outdated = true;
        }
        return same;
    }

    /// Allows answers to begin although the file has grown. Without this, no answer would begin
    /// while a process adds to the file faster than it can be looked up.
    void allowGrowth() {
        mayHaveGrown = true;
        outdated = false;
    }

    /// Returns whether an answer that has begun may continue: the file is unchanged, or is longer
    /// and has the same bytes at the end of the content. The caller must [#lend] it first.
    @Override
    public boolean getAsBoolean() {
        boolean intact = opened.isStateOf(channel) || onlyGrew();
        if (!intact) {
            outdated = true;
        }
        return intact;
    }

    /// Reads from the end of the file, which the process that made it longer has just written. So the
    /// loop does not wait for the disk. A file that was written anew and kept its length holds the
    /// thread for up to a millisecond, once.
    @SuppressWarnings("ThreadPriorityCheck") // the writer may wait for this thread's processor
    private boolean onlyGrew() {
        try {
            for (int look = 0; channel.size() == length && !rewritten; look++) {
                Thread.yield();
                if (look == LOOKS) {
                    rewritten = true;
                }
            }
            return channel.size() > length && Arrays.equals(tail, tail(channel, length));
        } catch (IOException e) {
            return false; // closed, or the disk failed
        }
    }

    private static byte[] tail(FileChannel channel, long length) throws IOException {
        int bytes = (int) Math.min(TAIL_BYTES, length);
        return read(channel, length - bytes, bytes);
    }

    /// Returns `bytes` bytes from `position` on; fewer if the file ends before. Blocks.
    byte[] read(long position, int bytes) throws IOException {
        return read(channel, position, bytes);
    }

    private static byte[] read(FileChannel channel, long position, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        int n = 0;
        while (n >= 0 && into.hasRemaining()) {
            n = channel.read(into, position + into.position());
        }
        return into.hasRemaining() ? Arrays.copyOf(into.array(), into.position()) : into.array();
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
            LOG.log(Level.WARNING, "The server could not close a file", e);
        }
    }

    /// Returns whether answers may still begin with the file, as far as is known: it is open, and no
    /// check has found a change.
    boolean isUsable() {
        return !outdated && (int) HOLDERS.getVolatile(this) > 0 && channel.isOpen();
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
