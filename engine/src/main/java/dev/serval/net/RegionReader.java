package dev.serval.net;

import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Reads files for an [Output] whose transport cannot send them ([Transport#sendsFiles]): a piece at
/// a time, into buffers of the pool. The loop reads what the system has in memory
/// ([Network#readNow]), and a thread that may wait for the disk reads the rest. The loop takes what
/// the thread has read, and the connection sends on.
///
/// ```
///      ┌──────── in memory ──────────────┐
///      │                 thread done,    ▼
///    IDLE ───▶ READING ── on the loop ─▶ READ ───▶ IDLE
///     │ ▲         │ drop()               moveTo(), drop()
///     ▼ │         ▼
///   PAUSED     DROPPED ──▶ IDLE
/// ```
///
/// PAUSED: no thread was free, and it tries again soon. DROPPED: the connection is closed while a
/// thread reads; the buffers and the file are released once that thread has returned.
///
/// Owned by the loop. Only [#read] runs on another thread, and touches nothing of the connection.
final class RegionReader {
    /// The most buffers of one piece. Four cost a change of threads for each 64 KiB, which is also
    /// what a socket takes at a time.
    static final int PIECE_BUFFERS_MAX = 4;

    /// The bytes that a connection sends in a turn, past which the loop reads no more for it. To transform
    /// bytes takes longer than to send a file, so this is less than [Output#SENT_PER_TURN_MAX].
    static final int READ_PER_TURN_MAX = PIECE_BUFFERS_MAX * BufferPool.DIRECT_BYTES;

    /// How long a response may wait for a free thread.
    static final long PAUSED_MAX_NANOS = 30_000_000_000L;

    private static final long PAUSE_NANOS = 50_000_000;

    /// The states of the diagram above.
    private enum State {
        IDLE,
        PAUSED,
        READING,
        READ,
        DROPPED
    }

    private final Connection connection;
    private final NetLoop net;
    private final ByteBuffer[] buffers = new ByteBuffer[PIECE_BUFFERS_MAX];
    private final AtomicBoolean taken = new AtomicBoolean(); // by a thread, or withdrawn
    private final Deadline again = new Deadline(this::resume);
    private final Command done = new Command(this::done);
    private State state = State.IDLE;
    private int count; // of buffers
    private boolean readByLoop; // the last piece
    private Part.@Nullable Region region; // while it is read
    private @Nullable Throwable fault; // of the last read
    private long pausedSinceNanos = Deadline.NEVER;

    RegionReader(Connection connection, NetLoop net) {
        this.connection = connection;
        this.net = net;
    }

    /// Returns whether the connection waits for a read, and not for its socket.
    boolean isWaiting() {
        return state == State.READING || state == State.PAUSED;
    }

    /// Returns the number of buffers that the pool has lent to it.
    int lent() {
        return count;
    }

    /// Reads on in a region, the first part of its queue, unless that is in progress already, or waits
    /// for the next turn.
    ///
    /// @param sentInTurn the bytes that the connection has sent in this turn
    /// @return whether bytes were read, which the caller takes by [#moveTo]
    /// @throws IOException if the file could not be read, has changed or was truncated, or if no
    ///     thread was free for too long
    boolean advance(Part.Region first, long sentInTurn) throws IOException {
        if (state == State.IDLE && readByLoop && sentInTurn >= READ_PER_TURN_MAX) {
            return false; // the socket brings it back
        }
        if (state == State.IDLE) {
            start(first);
        }
        if (state != State.READ) {
            return false;
        }
        check(first);
        return true;
    }

    /// Moves the bytes that were read from the region, the first part of the queue, to buffers
    /// before it.
    ///
    /// @return the number of these buffers
    int moveTo(ArrayDeque<Part> queue, Part.Region first) {
        int moved = 0;
        while (count > 0) {
            ByteBuffer last = buffers[count - 1];
            if (last.position() > 0) {
                queue.addFirst(new Part.Bytes(last.flip(), true, null));
                first.at += last.remaining();
                moved++;
            } else { // the file was truncated, or less of it is in memory
                net.pool().giveBack(last);
            }
            count--; // only now, since no memory may be left for the queue
        }
        enter(State.IDLE);
        return moved;
    }

    /// Ends a read because the queue is dropped.
    ///
    /// @return whether it releases the queue's first part itself, after the read
    boolean drop() {
        if (state == State.READING) {
            enter(State.DROPPED);
            return true;
        }
        net.loop().timers().cancel(again);
        giveBack();
        enter(State.IDLE);
        return false;
    }

    private void start(Part.Region first) throws IOException {
        lend(first.end - first.at);
        first.begun = true;
        fault = null;
        readByLoop = net.network().readNow(first.file, first.at, buffers, count) > 0;
        if (readByLoop) {
            enter(State.READ);
            return;
        }
        region = first;
        taken.set(false);
        enter(State.READING);
        if (submitted()) {
            pausedSinceNanos = Deadline.NEVER;
        } else {
            pause();
        }
    }

    private boolean submitted() {
        try {
            return net.diskThreads().submit(this::read, this::refused);
        } catch (RuntimeException | Error e) {
            // A thread may have taken the work all the same, for example if the executor had no
            // memory for another thread. Otherwise no thread may do so later, when another
            // connection has these buffers.
            if (taken.compareAndSet(false, true)) {
                giveBack();
                enter(State.IDLE);
            }
            throw e;
        }
    }

    private void lend(long bytes) {
        int most = net.isShortOfMemory() ? 1 : PIECE_BUFFERS_MAX;
        long left = bytes;
        while (count < most && left > 0) {
            ByteBuffer buffer = net.pool().direct();
            buffer.limit((int) Math.min(buffer.capacity(), left));
            left -= buffer.limit();
            buffers[count++] = buffer;
        }
    }

    private void pause() throws IOException {
        giveBack();
        long now = net.loop().nowNanos();
        if (pausedSinceNanos == Deadline.NEVER) {
            pausedSinceNanos = now;
        }
        if (now - pausedSinceNanos >= PAUSED_MAX_NANOS) {
            enter(State.IDLE);
            throw new IOException("No thread was free to read a file");
        }
        net.loop().timers().set(again, now + PAUSE_NANOS);
        enter(State.PAUSED);
    }

    private void resume() {
        enter(State.IDLE);
        connection.ready(false, true);
    }

    /// Reads a piece. On a thread that may wait.
    private void read() {
        Part.@Nullable Region source = region;
        if (source == null || !taken.compareAndSet(false, true)) {
            return; // it was withdrawn
        }
        try {
            fill(source.file, source.at);
        } catch (Throwable e) { // whatever it is, the loop takes the buffers back
            fault = e;
        }
        net.loop().submit(done);
    }

    private void fill(FileChannel file, long from) throws IOException {
        long at = from;
        for (int i = 0; i < count; i++) {
            while (buffers[i].hasRemaining()) {
                int n = file.read(buffers[i], at);
                if (n < 0) {
                    return; // the file was truncated
                }
                at += n;
            }
        }
    }

    /// Notes that the server stops before a thread has read. On any thread.
    private void refused() {
        fault = new IOException("The server stops");
        net.loop().submit(done);
    }

    private void done() {
        Part.@Nullable Region source = region;
        region = null;
        if (state == State.READING) {
            enter(State.READ);
            connection.ready(false, true);
        } else if (state == State.DROPPED && source != null) {
            giveBack();
            enter(State.IDLE);
            connection.out().release(source);
        }
    }

    /// Checks a piece after its read, so that no byte of a changed file is sent.
    private void check(Part.Region first) throws IOException {
        @Nullable Throwable why = fault;
        if (why != null) {
            throw new IOException("A file could not be read while it was sent", why);
        }
        if (!first.mayContinue()) {
            throw new IOException("A file was changed while it was sent");
        }
        if (buffers[0].position() == 0) {
            throw new IOException("A file was truncated while it was sent");
        }
    }

    private void giveBack() {
        while (count > 0) {
            net.pool().giveBack(buffers[--count]);
        }
    }

    /// Changes the state. No other method does.
    private void enter(State next) {
        state = next;
    }
}
