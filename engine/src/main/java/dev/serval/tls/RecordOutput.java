package dev.serval.tls;

import dev.serval.net.BufferPool;
import dev.serval.net.NetLoop;
import dev.serval.net.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Sends sealed records, and keeps those that the socket has not taken whole. Owned by the connection's
/// loop.
final class RecordOutput {
    private final NetLoop net;
    private final Transport socket;
    private @Nullable Kept kept;

    RecordOutput(NetLoop net, Transport socket) {
        this.net = net;
        this.socket = socket;
    }

    /// Returns whether the socket has taken all records.
    boolean isEmpty() {
        return kept == null;
    }

    /// Returns whether records wait that have no content, such as those of a handshake. The connection
    /// does not know of them.
    boolean waitsForItself() {
        Kept waiting = kept;
        return waiting != null && !waiting.hasContent();
    }

    /// Sends records without content, if there are any.
    void send(ByteBuffer sealed) throws IOException {
        if (!sealed.hasRemaining()) {
            return;
        }
        socket.write(sealed);
        if (sealed.hasRemaining()) {
            kept = new Kept(net, sealed, new int[1], new int[] {sealed.remaining()});
        }
    }

    /// Sends records.
    ///
    /// @param contents the bytes of content in each
    /// @param lengths the length of each
    /// @return the content of those that the socket has taken whole
    int send(ByteBuffer sealed, int[] contents, int[] lengths, int count) throws IOException {
        int whole = socket.write(sealed);
        int content = 0;
        int i = 0;
        while (i < count && lengths[i] <= whole) {
            whole -= lengths[i];
            content += contents[i++];
        }
        if (i < count) {
            int[] left = Arrays.copyOfRange(lengths, i, count);
            left[0] -= whole;
            kept = new Kept(net, sealed, Arrays.copyOfRange(contents, i, count), left);
        }
        return content;
    }

    /// Sends what was kept.
    ///
    /// @return the content of the records that the socket has taken whole now
    int resume() throws IOException {
        Kept waiting = kept;
        if (waiting == null) {
            return 0;
        }
        int content = waiting.send(socket);
        if (waiting.isSent()) {
            kept = null;
        }
        return content;
    }

    /// Returns the bytes of memory that it keeps, as [BufferPool#held] counts them.
    long held() {
        Kept waiting = kept;
        return waiting == null ? 0 : waiting.held();
    }

    /// Drops what was kept.
    void free() {
        Kept waiting = kept;
        kept = null;
        if (waiting != null) {
            waiting.free();
        }
    }

    /// Records that wait, in buffers of the pool. The first may have been sent in part.
    private static final class Kept {
        private final NetLoop net;
        private final ByteBuffer[] buffers;
        private final int[] contents;
        private final int[] lengths;
        private int buffer; // the first that waits
        private int record; // likewise

        Kept(NetLoop net, ByteBuffer sealed, int[] contents, int[] lengths) {
            this.net = net;
            this.contents = contents;
            this.lengths = lengths;
            int size = BufferPool.DIRECT_BYTES;
            this.buffers = new ByteBuffer[(sealed.remaining() + size - 1) / size];
            for (int i = 0; i < buffers.length; i++) {
                ByteBuffer copy = net.pool().direct();
                int n = Math.min(copy.remaining(), sealed.remaining());
                copy.put(0, sealed, sealed.position(), n).limit(n);
                sealed.position(sealed.position() + n);
                buffers[i] = copy;
            }
        }

        boolean hasContent() {
            int sum = 0;
            for (int i = record; i < contents.length; i++) {
                sum += contents[i];
            }
            return sum > 0;
        }

        boolean isSent() {
            return record == lengths.length;
        }

        int send(Transport socket) throws IOException {
            int content = 0;
            boolean takes = true;
            while (takes && buffer < buffers.length) {
                ByteBuffer next = buffers[buffer];
                content += taken(socket.write(next));
                takes = !next.hasRemaining();
                if (takes) {
                    net.pool().giveBack(next);
                    buffer++;
                }
            }
            return content;
        }

        private int taken(int bytes) {
            int content = 0;
            int left = bytes;
            while (record < lengths.length && lengths[record] <= left) {
                left -= lengths[record];
                content += contents[record++];
            }
            if (record < lengths.length) {
                lengths[record] -= left;
            }
            return content;
        }

        long held() {
            return (long) (buffers.length - buffer) * BufferPool.DIRECT_BYTES;
        }

        void free() {
            for (; buffer < buffers.length; buffer++) {
                net.pool().giveBack(buffers[buffer]);
            }
        }
    }
}
