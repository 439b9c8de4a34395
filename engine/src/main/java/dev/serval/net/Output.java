package dev.serval.net;

import dev.serval.loop.Reports;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Bytes of a connection on their way out.
///
/// During a turn they are gathered in the loop's shared buffer and leave in one write at its end
/// ([Connection#flush]). What the socket does not take moves to buffers lent by the pool; while
/// something waits there, everything later queues behind it. Large buffers and files are queued by
/// reference. A lost connection swallows what is written, and says so at the end of the turn. Owned
/// by the connection.
public final class Output {
    private static final String RELEASE_FAILED =
            Reports.text("What was told of a free buffer failed; the connection goes on");

    /// Bytes up to which a buffer is copied rather than referred to.
    private static final int COPY_MAX = 32 << 10;

    /// Buffers of one gathering write.
    static final int GATHER_MAX = 16;

    /// The most bytes that one connection sends in a turn, so that a large file does not delay
    /// other connections. Four of the largest packets of a loopback interface: none leaves partly
    /// filled. docs/decisions/0009-bodies-by-reference.md
    static final int SENT_PER_TURN_MAX = 4 * 65_483;

    /// Something queued behind the shared buffer.
    private sealed interface Part {
        /// Bytes, and who gets the buffer back: the pool, or `released`.
        record Bytes(ByteBuffer buffer, boolean pooled, @Nullable Runnable released)
                implements Part {}

        /// A piece of a file; `at` moves on as it is sent.
        final class Region implements Part {
            final FileChannel file;
            long at;
            final long end;
            final @Nullable Runnable released;

            Region(FileChannel file, long at, long end, @Nullable Runnable released) {
                this.file = file;
                this.at = at;
                this.end = end;
                this.released = released;
            }
        }
    }

    private final Connection connection;
    private final NetLoop net;
    private final ArrayDeque<Part> queue = new ArrayDeque<>(4);
    private @Nullable ByteBuffer turn; // the shared buffer, while it is ours
    private @Nullable ByteBuffer tail; // lent, being filled; goes behind the queue
    private long queued; // bytes in the queue
    private long sent;
    private long sentBefore; // this turn
    private boolean blocked; // the socket took less than it was given

    Output(Connection connection, NetLoop net) {
        this.connection = connection;
        this.net = net;
    }

    /// A buffer with room for `length` bytes, to be written to at once, before anything else of
    /// this connection.
    public ByteBuffer room(int length) {
        connection.markDirty();
        if (queue.isEmpty() && tail == null) {
            ByteBuffer buffer = takeTurnBuffer();
            if (buffer.remaining() >= length) {
                return buffer;
            }
            flush();
            if (queue.isEmpty() && tail == null) {
                buffer = takeTurnBuffer();
                if (buffer.remaining() >= length) {
                    return buffer;
                }
            }
        }
        return roomInTail(length);
    }

    /// Appends bytes from the buffer's position to its limit, neither of which changes.
    ///
    /// @param released runs when the buffer is free again, perhaps at once
    public void write(ByteBuffer bytes, @Nullable Runnable released) {
        int length = bytes.remaining();
        if (!connection.isOpen()) {
            run(released);
            return;
        }
        if (length > COPY_MAX) {
            connection.markDirty();
            closeTail();
            queue.addLast(new Part.Bytes(bytes.duplicate(), false, released));
            queued += length;
            return;
        }
        int at = bytes.position();
        int end = at + length;
        while (at < end) {
            ByteBuffer into = room(1);
            int n = Math.min(into.remaining(), end - at);
            into.put(into.position(), bytes, at, n);
            into.position(into.position() + n);
            at += n;
        }
        run(released);
    }

    /// Appends a piece of a file.
    ///
    /// @param released runs when the file is free again
    public void write(FileChannel file, long position, long length, @Nullable Runnable released) {
        if (length == 0 || !connection.isOpen()) {
            run(released);
            return;
        }
        connection.markDirty();
        closeTail();
        queue.addLast(new Part.Region(file, position, position + length, released));
        queued += length;
    }

    /// Bytes that were written here and not yet taken by the system.
    public long unsent() {
        @Nullable ByteBuffer gathered = turn;
        @Nullable ByteBuffer open = tail;
        return queued
                + (gathered == null ? 0 : gathered.position())
                + (open == null ? 0 : open.position());
    }

    /// Bytes that the system did not take, or was not given yet since they are large: what a writer
    /// should wait for. What is gathered for the end of the turn does not count.
    public long backlog() {
        @Nullable ByteBuffer open = tail;
        return queued + (open == null ? 0 : open.position());
    }

    /// Bytes of memory that the pool lent for it.
    long held() {
        long buffers = tail == null ? 0 : 1;
        for (Part part : queue) {
            buffers += part instanceof Part.Bytes bytes && bytes.pooled() ? 1 : 0;
        }
        return buffers * BufferPool.DIRECT_BYTES;
    }

    /// Bytes that were written here since the connection began, sent or not.
    public long written() {
        return sent + unsent();
    }

    /// Bytes taken by the system since the connection began.
    public long sent() {
        return sent;
    }

    /// As [#sent], before this turn.
    public long sentBefore() {
        return sentBefore;
    }

    /// Whether so much was sent since the last turn that a writer should let others have theirs,
    /// though the system would take more.
    public boolean hadItsShare() {
        return sent - sentBefore >= SENT_PER_TURN_MAX;
    }

    /// Whether nothing waits.
    public boolean isEmpty() {
        return unsent() == 0;
    }

    Connection connection() {
        return connection;
    }

    /// Whether the socket is full and we wait for room.
    boolean blocked() {
        return blocked;
    }

    /// The socket has room again, as far as we know.
    void unblock() {
        blocked = false;
    }

    /// Sends as much as the socket takes, at most a turn's share.
    void flush() {
        @Nullable ByteBuffer gathered = turn;
        if (gathered != null) {
            sendTurn(gathered.flip());
            turn = null;
            net.leaveTurnBuffer();
        }
        if (!blocked) {
            sendQueue();
        }
    }

    /// The connection's part of the turn is over.
    void endTurn() {
        sentBefore = sent;
    }

    /// Gives everything back unsent.
    void drop() {
        if (turn != null) {
            turn = null;
            net.leaveTurnBuffer();
        }
        @Nullable ByteBuffer open = tail;
        tail = null;
        if (open != null && open.isDirect()) {
            net.pool().giveBack(open);
        }
        while (!queue.isEmpty()) {
            release(queue.removeFirst());
        }
        queued = 0;
        blocked = false;
    }

    private ByteBuffer takeTurnBuffer() {
        @Nullable ByteBuffer mine = turn;
        if (mine == null) {
            mine = net.takeTurnBuffer(this);
            turn = mine;
        }
        return mine;
    }

    private ByteBuffer roomInTail(int length) {
        @Nullable ByteBuffer open = tail;
        if (open != null && open.remaining() >= length) {
            return open;
        }
        closeTail();
        if (length > BufferPool.DIRECT_BYTES) {
            // The buffer is filled by the caller only after this: it becomes a tail of its own.
            open = ByteBuffer.allocate(length);
        } else {
            open = net.pool().direct();
        }
        tail = open;
        return open;
    }

    private void closeTail() {
        @Nullable ByteBuffer open = tail;
        if (open == null) {
            return;
        }
        tail = null;
        open.flip();
        Part part = new Part.Bytes(open, open.isDirect(), null);
        if (open.hasRemaining()) {
            queued += open.remaining();
            queue.addLast(part);
        } else {
            release(part);
        }
    }

    /// Sends the shared buffer, together with a large buffer queued right behind it.
    private void sendTurn(ByteBuffer gathered) {
        if (!connection.canSend()) {
            return;
        }
        try {
            if (gathered.hasRemaining()
                    && queue.peekFirst() instanceof Part.Bytes next
                    && !blocked) {
                ByteBuffer[] parts = net.gather();
                parts[0] = gathered;
                parts[1] = next.buffer();
                queued -= behind(connection.transport().write(parts, 2), gathered);
                blocked = parts[1].hasRemaining();
            } else if (gathered.hasRemaining() && !blocked) {
                sent += sendGathered(gathered);
            }
        } catch (IOException e) {
            connection.lost(e);
            return;
        }
        if (gathered.hasRemaining()) {
            blocked = true;
            keep(gathered);
        } else {
            releaseSent();
        }
    }

    /// Sends the shared buffer. If this turn also sends a piece of a file after it, the system may
    /// put both into one packet.
    private int sendGathered(ByteBuffer gathered) throws IOException {
        boolean fileNext =
                queue.peekFirst() instanceof Part.Region
                        && sent + gathered.remaining() < sentBefore + SENT_PER_TURN_MAX;
        return fileNext
                ? connection.transport().writeBeforeFile(gathered)
                : connection.transport().write(gathered);
    }

    /// Of `n` bytes sent, those that were not the shared buffer's.
    private long behind(long n, ByteBuffer gathered) {
        sent += n;
        return gathered.hasRemaining() ? 0 : n - gathered.limit();
    }

    /// Copies what the socket did not take in front of the queue.
    private void keep(ByteBuffer rest) {
        int end = rest.limit();
        while (end > rest.position()) { // from the back, since each goes to the front
            ByteBuffer copy = net.pool().direct();
            int n = Math.min(copy.remaining(), end - rest.position());
            end -= n;
            copy.put(0, rest, end, n).limit(n);
            queue.addFirst(new Part.Bytes(copy, true, null));
            queued += n;
        }
    }

    private void sendQueue() {
        long share = sentBefore + SENT_PER_TURN_MAX;
        try {
            while (!blocked && connection.canSend() && sent < share && next() != null) {
                switch (queue.getFirst()) {
                    case Part.Bytes _ -> sendBytes();
                    case Part.Region region -> sendRegion(region, share - sent);
                }
            }
        } catch (IOException e) {
            connection.lost(e);
        }
    }

    private @Nullable Part next() {
        if (queue.isEmpty()) {
            closeTail();
        }
        return queue.peekFirst();
    }

    private void sendBytes() throws IOException {
        ByteBuffer[] parts = net.gather();
        int count = 0;
        long length = 0;
        for (Part part : queue) {
            if (!(part instanceof Part.Bytes bytes) || count == GATHER_MAX) {
                break;
            }
            parts[count++] = bytes.buffer();
            length += bytes.buffer().remaining();
        }
        long n =
                count == 1
                        ? connection.transport().write(parts[0])
                        : connection.transport().write(parts, count);
        sent += n;
        queued -= n;
        blocked = n < length;
        releaseSent();
    }

    private void releaseSent() {
        while (queue.peekFirst() instanceof Part.Bytes first && !first.buffer().hasRemaining()) {
            release(queue.removeFirst());
        }
    }

    private void sendRegion(Part.Region region, long share) throws IOException {
        long wanted = Math.min(region.end - region.at, share);
        long n = connection.transport().transfer(region.file, region.at, wanted);
        if (n <= 0 && region.file.size() <= region.at) {
            throw new IOException("A file became shorter while it was sent");
        }
        sent += n;
        queued -= n;
        region.at += n;
        if (region.at == region.end) {
            release(queue.removeFirst());
        } else {
            blocked = n < wanted;
        }
    }

    private void release(Part part) {
        switch (part) {
            case Part.Bytes bytes -> {
                if (bytes.pooled()) {
                    net.pool().giveBack(bytes.buffer());
                }
                run(bytes.released());
            }
            case Part.Region region -> run(region.released);
        }
    }

    private void run(@Nullable Runnable released) {
        if (released == null) {
            return;
        }
        try {
            released.run();
        } catch (RuntimeException | Error e) {
            net.loop().report(RELEASE_FAILED, e);
        }
    }
}
