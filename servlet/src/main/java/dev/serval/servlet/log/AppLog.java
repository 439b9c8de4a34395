package dev.serval.servlet.log;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The log of one application. Threads add to a buffer, and the writer's thread empties it to the
/// file. A thread waits a limited time for a slow disk, and not at all for one that fails, so the
/// log never makes a request fail. What is dropped is counted and reported.
///
/// ```
///   WRITING ── the disk fails ──▶ FAILING ── a write succeeds ──▶ WRITING
/// ```
///
/// Event loops do not write here, because they must not wait for the lock.
public final class AppLog implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AppLog.class.getName());

    private enum State {
        WRITING,
        FAILING
    }

    private final LogFile file; // used under `writing`
    private final LogLimits limits;
    private final @Nullable PrintStream echo;
    private final Consumer<AppLog> wake;
    private final LongSupplier nanoTime;
    private final PrintStream stream = new PrintStream(new Sink(), false, UTF_8);
    private final ReentrantLock writing = new ReentrantLock();
    private int users = 1; // under `writing`; the last one closes the file
    private final ReentrantLock lock = new ReentrantLock(); // of the following
    private final Condition room = lock.newCondition();
    private ByteArrayOutputStream buffer = new ByteArrayOutputStream();
    private long dropped; // bytes since the last report
    private long retryNanos;
    private volatile State state = State.WRITING;
    private volatile boolean closed;

    AppLog(
            LogFile file,
            LogLimits limits,
            @Nullable PrintStream echo,
            Consumer<AppLog> wake,
            LongSupplier nanoTime) {
        this.file = file;
        this.limits = limits;
        this.echo = echo;
        this.wake = wake;
        this.nanoTime = nanoTime;
    }

    /// Returns the current file.
    public Path path() {
        return file.path();
    }

    /// Returns whether the log takes text.
    public boolean isOpen() {
        return !closed;
    }

    /// Returns a stream that writes here, in UTF-8. It never fails.
    public PrintStream stream() {
        return stream;
    }

    /// Adds a text.
    void add(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        write(bytes, 0, bytes.length);
    }

    private void write(byte[] bytes, int from, int length) {
        if (echo != null) {
            echo.write(bytes, from, length);
            echo.flush();
        }
        int at = from;
        int end = from + length;
        while (at < end) { // a long text in pieces that fit
            int piece = Math.min(end - at, limits.bufferMaxBytes());
            writePiece(bytes, at, piece);
            at += piece;
        }
    }

    private void writePiece(byte[] bytes, int from, int length) {
        boolean first = false;
        lock.lock();
        try {
            if (closed || !awaitRoom(length)) {
                dropped += length;
                return;
            }
            first = buffer.size() == 0;
            buffer.write(bytes, from, length);
        } finally {
            lock.unlock();
        }
        if (first) {
            wake.accept(this);
        }
    }

    /// Waits for room, under the lock.
    private boolean awaitRoom(int length) {
        long left = limits.waitNanos();
        boolean interrupted = false;
        while (buffer.size() > 0 && buffer.size() + length > limits.bufferMaxBytes()) {
            if (left <= 0 || state == State.FAILING || closed) {
                break;
            }
            try {
                left = room.awaitNanos(left);
            } catch (InterruptedException e) {
                interrupted = true; // the request learns of it elsewhere
                left = 0;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return buffer.size() == 0 || buffer.size() + length <= limits.bufferMaxBytes();
    }

    /// Writes what waits to the file, if that is open. For the writer's thread.
    void drain() {
        writing.lock();
        try {
            if (users > 0) { // else a write would open the file again
                writeWaiting();
            }
        } finally {
            writing.unlock();
        }
    }

    /// Under `writing`.
    private void writeWaiting() {
        ByteArrayOutputStream full;
        long lost;
        lock.lock();
        try {
            full = buffer;
            buffer = new ByteArrayOutputStream();
            lost = dropped;
            dropped = 0;
            room.signalAll();
        } finally {
            lock.unlock();
        }
        write(full, lost);
    }

    private void write(ByteArrayOutputStream full, long lost) {
        if (state == State.FAILING && nanoTime.getAsLong() - retryNanos < 0) {
            drop(lost + full.size());
            return;
        }
        try {
            if (lost > 0) {
                String line =
                        "[" + lost + " bytes were dropped, because the disk was slow or full]";
                file.write(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)));
            }
            file.write(ByteBuffer.wrap(full.toByteArray()));
            if (state == State.FAILING) {
                state = State.WRITING;
                LOG.log(INFO, "The log " + path() + " can be written again.");
            }
        } catch (IOException e) {
            drop(lost + full.size());
            retryNanos = nanoTime.getAsLong() + limits.retryNanos();
            if (state == State.WRITING) {
                state = State.FAILING;
                LOG.log(
                        WARNING,
                        "The log "
                                + path()
                                + " cannot be written ("
                                + e
                                + "), so what its application prints is dropped: free the disk, or"
                                + " make the folder writable.");
            }
        }
    }

    private void drop(long bytes) {
        lock.lock();
        try {
            dropped += bytes;
        } finally {
            lock.unlock();
        }
    }

    /// Has the next text open the file again, because a program may have moved it.
    void reopen() {
        writing.lock();
        try {
            file.reopen();
        } catch (IOException e) {
            LOG.log(WARNING, "The log " + path() + " could not be closed", e);
        } finally {
            writing.unlock();
        }
    }

    /// Adds a user, who must close the log, too.
    ///
    /// @return whether the log is still open
    boolean share() {
        writing.lock();
        try {
            users += closed ? 0 : 1;
            return !closed;
        } finally {
            writing.unlock();
        }
    }

    /// Ends the use by one user. The last one writes what waits, and closes the file. Later texts
    /// are dropped.
    @Override
    public void close() throws IOException {
        writing.lock();
        try {
            users--;
            if (users == 0) {
                closed = true;
                writeWaiting();
                file.close();
            }
        } finally {
            writing.unlock();
        }
    }

    /// The bytes of the stream.
    private final class Sink extends OutputStream {
        @Override
        public void write(int b) {
            AppLog.this.write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            AppLog.this.write(bytes, from, length);
        }
    }
}
