package dev.serval.net;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Holds the bytes of a connection that were read and not yet used: `array()[from(), to())`.
///
/// During a turn they are in the loop's shared read buffer. At the end of the turn, the rest moves
/// to an array that the pool lends. So an idle connection holds no memory. Owned by the connection.
public final class Input {
    /// The result of [#fill] if the peer has finished sending.
    public static final int END = -1;

    /// The result of [#fill] if the connection is lost.
    public static final int LOST = -2;

    private static final byte[] NONE = {};
    private static final int LEAST_ROOM = 512;
    private static final int FILLS_PER_TURN = 16;

    /// More than nearly all heads have.
    private static final int BRIEF_BYTES = 8 << 10;

    private final Connection connection;
    private final NetLoop net;
    private byte[] array = NONE;
    private int from;
    private int to;
    private boolean shared;
    private boolean ended;
    private int fills; // since the socket became ready
    private long received;
    private long heldSinceNanos;

    Input(Connection connection, NetLoop net) {
        this.connection = connection;
        this.net = net;
    }

    /// Returns the array that holds the bytes. It changes with every [#fill].
    public byte[] array() {
        return array;
    }

    /// Returns the index of the first byte.
    public int from() {
        return from;
    }

    /// Returns the index after the last byte.
    public int to() {
        return to;
    }

    /// Returns the number of bytes.
    public int length() {
        return to - from;
    }

    /// Returns whether the peer has finished sending.
    public boolean ended() {
        return ended;
    }

    /// Returns the number of bytes received since the connection began.
    public long received() {
        return received;
    }

    /// Returns the bytes of memory that it holds beyond the turn.
    long held() {
        return shared ? 0 : array.length;
    }

    /// Returns the time since when it holds memory, if it holds any.
    long heldSinceNanos() {
        return heldSinceNanos;
    }

    /// Marks the first `bytes` bytes as used.
    public void consume(int bytes) {
        from += bytes;
    }

    /// Reads once and appends. The number of reads in a turn is bounded, so that a peer that sends
    /// fast does not delay other connections. Past that bound it returns 0 until the next turn.
    ///
    /// @return the number of bytes read, 0 if none are available now, [#END] or [#LOST]
    public int fill() {
        return fill(Integer.MAX_VALUE);
    }

    /// Reads once as [#fill] does, but only a little if many connections are read in this turn. So a
    /// client with a short head does not wait until the loop has read the long ones of many others.
    public int fillBriefly() {
        int most = net.isCrowded() ? BRIEF_BYTES : Integer.MAX_VALUE;
        net.countRead();
        return fill(most);
    }

    /// Reads once as [#fill()] does, also past the bound of the turn: 0 means that nothing has
    /// arrived. For a connection that rests, from which nothing may have come.
    public int probe() {
        fills = Math.min(fills, FILLS_PER_TURN - 1);
        return fill();
    }

    /// Reads once as [#fill()] does, but at most `most` bytes.
    public int fill(int most) {
        if (ended || !connection.canRead()) {
            return ended ? END : LOST;
        }
        if (fills == FILLS_PER_TURN) {
            return 0;
        }
        fills++;
        connection.markDirty();
        makeRoom();
        ByteBuffer buffer = net.shared().direct();
        buffer.clear().limit(Math.min(Math.min(buffer.capacity(), most), array.length - to));
        int n = counted(read(buffer));
        if (n > 0) {
            buffer.flip().get(array, to, n);
            to += n;
        }
        return n;
    }

    /// Reads once into a direct buffer of another connection, past this input, which must be empty.
    /// The bound of [#fill] holds for both.
    ///
    /// @return as [#fill]
    public int fill(ByteBuffer into) {
        if (ended || !connection.canRead()) {
            return ended ? END : LOST;
        }
        if (fills == FILLS_PER_TURN) {
            return 0;
        }
        fills++;
        connection.markDirty();
        return counted(read(into));
    }

    /// Reads once into an empty conduit, past this input, which must be empty. The bound of [#fill()]
    /// holds for both.
    ///
    /// @return as [#fill()]
    public int fill(Conduit into, int most) {
        if (ended || !connection.canRead()) {
            return ended ? END : LOST;
        }
        if (fills == FILLS_PER_TURN) {
            return 0;
        }
        fills++;
        connection.markDirty();
        try {
            return counted(into.fill(connection.transport(), most));
        } catch (IOException e) {
            connection.lost(e);
            return LOST;
        }
    }

    private int counted(int n) {
        if (n > 0) {
            received += n;
        } else if (n == END) {
            ended = true;
        }
        return n;
    }

    /// Starts a new turn with a full quota of reads.
    void beginTurn() {
        fills = 0;
    }

    /// Moves unused bytes out of the shared read buffer.
    void save() {
        if (!shared) {
            if (array.length > 0 && from == to) {
                free();
            }
            return;
        }
        shared = false;
        net.shared().leaveInput();
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
            } catch (OutOfMemoryError e) { // maybe while another connection takes the buffer
                connection.unsaved(e);
            }
        }
    }

    /// Drops all bytes and returns the array.
    void free() {
        if (shared) {
            net.shared().leaveInput();
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
                array = net.shared().takeInput(this);
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
