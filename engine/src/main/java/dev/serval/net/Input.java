package dev.serval.net;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Bytes of a connection that were read and not yet used: `array()[from(), to())`.
///
/// During a turn they lie in the loop's shared array; what is left at its end moves to an array of
/// the connection's own, lent by the pool, so that a connection at rest holds no memory. Owned by
/// the connection.
public final class Input {
    /// [#fill]: the peer has finished sending.
    public static final int END = -1;

    /// [#fill]: the connection is lost.
    public static final int LOST = -2;

    private static final byte[] NONE = {};
    private static final int LEAST_ROOM = 512;
    private static final int FILLS_PER_TURN = 16;

    private final Connection connection;
    private final NetLoop net;
    private byte[] array = NONE;
    private int from;
    private int to;
    private boolean shared;
    private boolean ended;
    private int fills; // since the socket was ready
    private long received;
    private long heldSinceNanos;

    Input(Connection connection, NetLoop net) {
        this.connection = connection;
        this.net = net;
    }

    /// Where the bytes lie; changes with every [#fill].
    public byte[] array() {
        return array;
    }

    /// The first byte.
    public int from() {
        return from;
    }

    /// Behind the last byte.
    public int to() {
        return to;
    }

    /// Bytes here.
    public int length() {
        return to - from;
    }

    /// Whether the peer has finished sending.
    public boolean ended() {
        return ended;
    }

    /// Bytes received since the connection began.
    public long received() {
        return received;
    }

    /// Bytes of memory that it holds beyond the turn.
    long held() {
        return shared ? 0 : array.length;
    }

    /// When it began to hold memory, if it does.
    long heldSinceNanos() {
        return heldSinceNanos;
    }

    /// Marks `bytes` of them as used.
    public void consume(int bytes) {
        from += bytes;
    }

    /// Reads once and appends. A peer that sends faster than it is read gets no more than its share
    /// of a turn: then there is nothing here until the next.
    ///
    /// @return bytes read, 0 for none here now, [#END] or [#LOST]
    public int fill() {
        if (ended || !connection.isOpen()) {
            return ended ? END : LOST;
        }
        if (fills == FILLS_PER_TURN) {
            return 0;
        }
        fills++;
        connection.markDirty();
        makeRoom();
        ByteBuffer buffer = net.readBuffer();
        buffer.clear().limit(Math.min(buffer.capacity(), array.length - to));
        int n = read(buffer);
        if (n > 0) {
            buffer.flip().get(array, to, n);
            to += n;
            received += n;
        } else if (n == END) {
            ended = true;
        }
        return n;
    }

    /// The socket is ready: a new share.
    void beginTurn() {
        fills = 0;
    }

    /// Moves what is left out of the shared array.
    void save() {
        if (!shared) {
            if (array.length > 0 && from == to) {
                free();
            }
            return;
        }
        shared = false;
        net.leaveSharedReadBuffer();
        byte[] left = array;
        int length = to - from;
        array = NONE;
        int first = from;
        from = 0;
        to = 0;
        if (length > 0) {
            try {
                array = net.pool().array(length);
                System.arraycopy(left, first, array, 0, length);
                to = length;
                heldSinceNanos = net.loop().nowNanos();
            } catch (OutOfMemoryError e) { // another connection may have asked for the shared array
                connection.unsaved(e);
            }
        }
    }

    /// Drops everything.
    void free() {
        if (shared) {
            net.leaveSharedReadBuffer();
        } else if (array.length > 0) {
            net.pool().giveBack(array);
        }
        shared = false;
        array = NONE;
        from = 0;
        to = 0;
    }

    private int read(ByteBuffer buffer) {
        try {
            return connection.transport().read(buffer);
        } catch (IOException e) {
            connection.lost(e);
            return LOST;
        }
    }

    private void makeRoom() {
        if (from == to) {
            if (!shared) {
                free();
                array = net.takeSharedReadBuffer(this);
                shared = true;
            }
            from = 0;
            to = 0;
        } else if (array.length - to < LEAST_ROOM) {
            compactOrGrow();
        }
    }

    private void compactOrGrow() {
        int length = to - from;
        byte[] old = array;
        boolean grow = !shared && length > old.length / 2;
        if (shared && length > old.length - LEAST_ROOM) {
            save();
            compactOrGrow();
            return;
        }
        if (grow) {
            array = net.pool().array(2 * old.length);
        }
        System.arraycopy(old, from, array, 0, length);
        if (grow) {
            net.pool().giveBack(old);
        }
        from = 0;
        to = length;
    }
}
