package dev.serval.conn;

import dev.serval.http.Fields;
import dev.serval.net.BufferPool;
import dev.serval.testkit.ToyFrames;
import java.nio.ByteBuffer;

/// The bytes that arrived on a stream and were not read yet, in an array of the pool. They never
/// exceed the window, which is granted again only for bytes that were read or dropped.
final class ToyInlet {
    private static final byte[] NONE = {};

    private final ToyConnection connection;
    private final int stream;
    private final BufferPool pool;
    private byte[] held = NONE;
    private int from;
    private int to;
    private long window = ToyFrames.STREAM_WINDOW;
    private int owed; // read, but not granted again yet
    private long received;
    private long dropped;
    private long dropMax = -1; // -1: nothing is dropped
    private boolean ended;
    private boolean cut;
    private Fields trailers = Fields.EMPTY;

    ToyInlet(ToyConnection connection, int stream) {
        this.connection = connection;
        this.stream = stream;
        this.pool = connection.accepted().net().net().pool();
    }

    /// Adds arrived bytes.
    ///
    /// @return whether the peer was allowed to send them
    boolean data(byte[] bytes, int at, int length) {
        window -= length;
        if (window < 0 || ended) {
            return false;
        }
        received += length;
        if (dropMax >= 0) {
            drop(length);
            return true;
        }
        makeRoom(length);
        System.arraycopy(bytes, at, held, to, length);
        to += length;
        return true;
    }

    /// Handles the end of the peer's direction, as its framing marks it.
    void end(Fields fields) {
        ended = true;
        trailers = fields;
    }

    /// Handles the end of the connection before the stream's end.
    void cut() {
        cut = !ended;
    }

    int take(ByteBuffer into) {
        int n = Math.min(length(), into.remaining());
        if (n > 0) {
            into.put(held, from, n);
            from += n;
            free();
            grant(n);
        }
        return n;
    }

    /// Drops the available bytes and later ones, up to `most` bytes.
    void dropAll(long most) {
        dropMax = most;
        int here = length();
        from = to;
        free();
        drop(here);
    }

    /// Closes the stream: drops the available bytes and grants them to the connection's window.
    void close() {
        int here = length();
        from = to;
        free();
        connection.grant(here);
        ended = true;
    }

    int length() {
        return to - from;
    }

    long received() {
        return received;
    }

    boolean ended() {
        return ended;
    }

    boolean wasCut() {
        return cut;
    }

    Fields trailers() {
        return trailers;
    }

    private void drop(int bytes) {
        dropped += bytes;
        if (dropped <= dropMax) {
            grant(bytes);
        } else {
            connection.grant(bytes); // for the other streams; this one gets no more
        }
    }

    private void grant(int bytes) {
        connection.grant(bytes);
        owed += bytes;
        if (!ended && owed >= ToyFrames.STREAM_WINDOW / 4) {
            connection.sendGrant(stream, owed);
            window += owed;
            owed = 0;
        }
    }

    private void makeRoom(int length) {
        if (held.length - to >= length) {
            return;
        }
        byte[] old = held;
        int here = length();
        byte[] larger = here + length <= old.length ? old : pool.array(here + length);
        System.arraycopy(old, from, larger, 0, here);
        if (old.length > 0 && larger.length != old.length) {
            pool.giveBack(old);
        }
        held = larger;
        from = 0;
        to = here;
    }

    private void free() {
        if (from == to && held.length > 0) {
            pool.giveBack(held);
            held = NONE;
            from = 0;
            to = 0;
        }
    }
}
