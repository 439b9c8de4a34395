package dev.serval.net;

import dev.serval.loop.Reports;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Sends the bytes of a connection.
///
/// During a turn, Output gathers bytes in the loop's shared buffer and writes them in one call at
/// the turn's end ([Connection#flush]). Bytes that the socket does not take move to buffers lent by
/// the pool. While bytes wait there, later writes are queued after them. Large buffers and files
/// are queued by reference. If the connection is lost, Output discards what is written and reports
/// the loss at the end of the turn. Owned by the connection.
public final class Output {
    private static final String RELEASE_FAILED =
            Reports.text("A buffer's release callback failed; the connection continues");

    /// Bytes up to which a buffer is copied instead of queued by reference.
    private static final int COPY_MAX = 32 << 10;

    /// The most buffers of one gathering write.
    static final int GATHER_MAX = 16;

    /// The most bytes that one connection sends in a turn, so that a large file does not delay
    /// other connections. This is four of the largest packets of a loopback interface, so that none
    /// is partly filled. See docs/decisions/0009-whole-packets.md.
    static final int SENT_PER_TURN_MAX = 4 * 65_483;

    /// Stands for no buffer. Only its capacity is 0.
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final Connection connection;
    private final NetLoop net;
    private final ArrayDeque<Part> queue = new ArrayDeque<>(1); // mostly empty
    private ByteBuffer turn = NONE; // the shared buffer, while this Output uses it
    private ByteBuffer tail = NONE; // being filled; sent after the queue
    private long queued; // bytes in the queue
    private long lent; // buffers of the pool in the queue
    private long sent;
    private long sentBefore; // before this turn
    private boolean blocked; // the socket took less than it was given
    private @Nullable RegionReader reader; // null if the transport sends files

    Output(Connection connection, NetLoop net) {
        this.connection = connection;
        this.net = net;
        transportChanged();
    }

    /// Notes that the connection has another transport. Nothing was written before.
    void transportChanged() {
        reader = connection.transport().sendsFiles() ? null : new RegionReader(connection, net);
    }

    /// Returns a buffer with room for `length` bytes. The caller must fill it at once, before it
    /// writes anything else to this connection.
    public ByteBuffer room(int length) {
        connection.markDirty();
        if (queue.isEmpty() && !hasTail()) {
            ByteBuffer buffer = takeTurnBuffer();
            if (buffer.remaining() >= length) {
                return buffer;
            }
            flush();
            if (queue.isEmpty() && !hasTail()) {
                buffer = takeTurnBuffer();
                if (buffer.remaining() >= length) {
                    return buffer;
                }
            }
        }
        return roomInTail(length);
    }

    /// Appends the bytes from the buffer's position to its limit, and changes neither.
    ///
    /// @param released runs when the buffer is free again, perhaps before this method returns
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

    /// Appends a region of a file.
    ///
    /// @param released runs when the file is free again
    /// @param intact returns whether the file is unchanged, or null if no other process changes it.
    ///     Output asks before each piece but the first, and after each piece that it reads itself.
    ///     If it returns false, the connection ends
    public void write(
            FileChannel file,
            long position,
            long length,
            @Nullable Runnable released,
            @Nullable BooleanSupplier intact) {
        if (length == 0 || !connection.isOpen()) {
            run(released);
            return;
        }
        connection.markDirty();
        closeTail();
        queue.addLast(new Part.Region(file, position, position + length, released, intact));
        queued += length;
    }

    /// Appends bytes that a channel holds ready. They are copied, unless the channel is a [Conduit]
    /// that the transport can send by itself.
    ///
    /// @param released runs when the channel is free again
    public void write(ReadableByteChannel source, long length, @Nullable Runnable released) {
        if (connection.isOpen()
                && source instanceof Conduit conduit
                && connection.transport().sendsConduits()) {
            connection.markDirty();
            closeTail();
            queue.addLast(new Part.Inside(conduit, length, released));
            queued += length;
            return;
        }
        try {
            copy(source, connection.isOpen() ? length : 0);
        } catch (IOException e) {
            connection.failedToSend(e);
        }
        run(released);
    }

    /// Returns whether what a [Conduit] holds is not copied.
    public boolean sendsConduits() {
        return connection.transport().sendsConduits();
    }

    private void copy(ReadableByteChannel source, long length) throws IOException {
        long left = length;
        while (left > 0) {
            ByteBuffer into = room(1);
            int limit = into.limit();
            into.limit((int) Math.min(limit, into.position() + left));
            int n = source.read(into);
            into.limit(limit);
            if (n <= 0) {
                throw new IOException("A channel has fewer bytes than it was said to hold");
            }
            left -= n;
        }
    }

    /// Returns the bytes that were written here and that the system has not taken yet.
    public long unsent() {
        return queued + turn.position() + tail.position();
    }

    /// Returns the queued bytes that a writer should wait for. The system did not take them, or
    /// they are large and were not passed to it yet. Bytes in the shared buffer do not count. A
    /// buffer of the pool in the queue counts at least as half full: between small regions of a file,
    /// each holds only a few bytes.
    public long backlog() {
        return Math.max(queued, lent * (BufferPool.DIRECT_BYTES / 2)) + tail.position();
    }

    /// Returns the bytes of memory that the pool has lent to this Output.
    long held() {
        long reading = reader == null ? 0 : reader.lent();
        return (lent + reading + (hasTail() ? 1 : 0)) * BufferPool.DIRECT_BYTES;
    }

    /// Returns the bytes written here since the connection began, sent or not.
    public long written() {
        return sent + unsent();
    }

    /// Returns the bytes that the system has taken since the connection began.
    public long sent() {
        return sent;
    }

    /// Returns [#sent] as of the start of this turn.
    public long sentBefore() {
        return sentBefore;
    }

    /// Returns whether the connection has used up its quota of the turn. A writer should then yield
    /// to other connections, even if the system would take more.
    public boolean hasUsedQuota() {
        return sent - sentBefore >= SENT_PER_TURN_MAX;
    }

    /// Returns whether no byte waits to be sent.
    public boolean isEmpty() {
        return unsent() == 0;
    }

    /// Returns whether unsent bytes wait for the socket. If not, they wait for a file to be read.
    boolean waitsForSocket() {
        return reader == null || !reader.isWaiting();
    }

    /// Marks the socket as writable again.
    void unblock() {
        blocked = false;
    }

    /// Sends as much as the socket takes, up to the quota of a turn.
    void flush() {
        if (hasTurn()) {
            sendTurn(turn.flip());
            turn = NONE;
            net.shared().leaveAnswers();
        }
        if (!blocked) {
            sendQueue();
        }
    }

    /// Sends what it can, because another connection needs the shared buffer. If that fails, for
    /// example because no memory is left for the rest, only this connection ends.
    void flushForOther() {
        try {
            flush();
        } catch (RuntimeException | Error e) {
            turn = NONE; // part of it may be sent
            connection.failedToSend(e);
        }
    }

    /// Ends the connection's part of the turn.
    void endTurn() {
        sentBefore = sent;
    }

    /// Discards all unsent bytes and releases their buffers and files.
    void drop() {
        if (hasTurn()) {
            turn = NONE;
            net.shared().leaveAnswers();
        }
        ByteBuffer open = tail;
        tail = NONE;
        if (open.isDirect()) {
            net.pool().giveBack(open);
        }
        if (reader != null && reader.drop()) {
            queue.removeFirst();
        }
        while (!queue.isEmpty()) {
            releaseFirst();
        }
        queued = 0;
        blocked = false;
    }

    private boolean hasTurn() {
        return turn.capacity() > 0;
    }

    private boolean hasTail() {
        return tail.capacity() > 0;
    }

    private ByteBuffer takeTurnBuffer() {
        if (!hasTurn()) {
            turn = net.shared().takeAnswers(this);
        }
        return turn;
    }

    private ByteBuffer roomInTail(int length) {
        if (hasTail() && tail.remaining() >= length) {
            return tail;
        }
        closeTail();
        if (length > BufferPool.DIRECT_BYTES) {
            // The caller fills the buffer only after this method returns, so it becomes the tail.
            tail = ByteBuffer.allocate(length);
        } else {
            tail = net.pool().direct();
        }
        return tail;
    }

    private void closeTail() {
        if (!hasTail()) {
            return;
        }
        ByteBuffer open = tail;
        tail = NONE;
        open.flip();
        Part part = new Part.Bytes(open, open.isDirect(), null);
        if (open.hasRemaining()) {
            queued += open.remaining();
            lent += open.isDirect() ? 1 : 0;
            queue.addLast(part);
        } else {
            release(part);
        }
    }

    /// Sends the shared buffer, together with a large buffer that is queued next.
    private void sendTurn(ByteBuffer gathered) {
        if (!connection.canSend()) {
            return;
        }
        try {
            if (gathered.hasRemaining()
                    && queue.peekFirst() instanceof Part.Bytes next
                    && !blocked) {
                ByteBuffer[] parts = net.shared().gather();
                parts[0] = gathered;
                parts[1] = next.buffer();
                queued -= behind(connection.transport().write(parts, 2), gathered);
                blocked = parts[1].hasRemaining();
            } else if (gathered.hasRemaining() && !blocked) {
                sent += sendGathered(gathered);
            }
        } catch (IOException e) {
            connection.unwritable(e);
            return;
        }
        if (gathered.hasRemaining()) {
            blocked = true;
            keep(gathered);
        } else {
            releaseSent();
        }
    }

    /// Sends the shared buffer. If this turn also sends a file region after it, the system may put
    /// both into one packet.
    private int sendGathered(ByteBuffer gathered) throws IOException {
        boolean isNext =
                queue.peekFirst() instanceof Part.Inside
                        || (reader == null && queue.peekFirst() instanceof Part.Region);
        boolean fileNext = isNext && sent + gathered.remaining() < sentBefore + SENT_PER_TURN_MAX;
        return fileNext
                ? connection.transport().writeBeforeFile(gathered)
                : connection.transport().write(gathered);
    }

    /// Returns how many of `n` sent bytes were not from the shared buffer.
    private long behind(long n, ByteBuffer gathered) {
        sent += n;
        return gathered.hasRemaining() ? 0 : n - gathered.limit();
    }

    /// Copies the bytes that the socket did not take to the front of the queue.
    private void keep(ByteBuffer rest) {
        int end = rest.limit();
        while (end > rest.position()) { // backwards, since each copy goes to the front
            ByteBuffer copy = net.pool().direct();
            int n = Math.min(copy.remaining(), end - rest.position());
            end -= n;
            copy.put(0, rest, end, n).limit(n);
            queue.addFirst(new Part.Bytes(copy, true, null));
            queued += n;
            lent++;
        }
    }

    private void sendQueue() {
        long share = sentBefore + SENT_PER_TURN_MAX;
        try {
            while (!blocked && connection.canSend() && sent < share && next() != null) {
                if (queue.getFirst() instanceof Part.Region region) {
                    if (reader == null) {
                        sendRegion(region, share - sent);
                    } else if (reader.advance(region, sent - sentBefore)) {
                        moveRead(reader, region);
                    } else {
                        return;
                    }
                } else if (queue.getFirst() instanceof Part.Inside inside) {
                    sendInside(inside, share - sent);
                } else {
                    sendBytes();
                }
            }
        } catch (IOException e) {
            connection.unwritable(e);
        }
    }

    private void sendInside(Part.Inside inside, long share) throws IOException {
        long wanted = Math.min(inside.left, share);
        long n = connection.transport().transfer(inside.conduit, wanted);
        sent += n;
        queued -= n;
        inside.left -= n;
        if (inside.left == 0) {
            releaseFirst();
        } else {
            blocked = n < wanted;
        }
    }

    private @Nullable Part next() {
        if (queue.isEmpty()) {
            closeTail();
        }
        return queue.peekFirst();
    }

    private void sendBytes() throws IOException {
        ByteBuffer[] parts = net.shared().gather();
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
            releaseFirst();
        }
    }

    private void sendRegion(Part.Region region, long share) throws IOException {
        if (!region.mayContinue()) {
            throw new IOException("A file was changed while it was sent");
        }
        long wanted = Math.min(region.end - region.at, share);
        long n = connection.transport().transfer(region.file, region.at, wanted);
        if (n <= 0 && region.file.size() <= region.at) {
            throw new IOException("A file was truncated while it was sent");
        }
        region.begun = true;
        sent += n;
        queued -= n;
        region.at += n;
        if (region.at == region.end) {
            releaseFirst();
        } else {
            blocked = n < wanted;
        }
    }

    /// Puts the bytes that were read before the region, which is released if no more are to come.
    private void moveRead(RegionReader from, Part.Region region) {
        lent += from.moveTo(queue, region);
        if (region.at == region.end && queue.remove(region)) {
            release(region);
        }
    }

    private void releaseFirst() {
        Part first = queue.removeFirst();
        lent -= first instanceof Part.Bytes bytes && bytes.pooled() ? 1 : 0;
        release(first);
    }

    /// Releases a part that has left the queue.
    void release(Part part) {
        if (part instanceof Part.Bytes bytes) {
            if (bytes.pooled()) {
                net.pool().giveBack(bytes.buffer());
            }
            run(bytes.released());
        } else if (part instanceof Part.Region region) {
            run(region.released);
        } else if (part instanceof Part.Inside inside) {
            run(inside.released);
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
