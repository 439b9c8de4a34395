package dev.serval.conn;

import dev.serval.exchange.ContentLength;
import dev.serval.exchange.ContentPort;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http2.ReceiveWindow;
import dev.serval.net.BufferPool;
import dev.serval.net.NetLoop;
import dev.serval.policy.Http2Limits;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The content of the requests of an [Http2Stream], one after the other: the bytes that arrived and
/// were not read yet. They never exceed the window, which is opened again only for bytes that were read
/// or dropped. A reader that waits takes them from the loop's array ([#add]); only what it leaves is
/// copied to an array of the pool ([#keep]). Owned by the connection's loop.
final class Http2Content implements ContentPort {
    private static final byte[] NONE = {};

    /// What the client has done with its half.
    private enum Half {
        OPEN,
        ENDED,
        /// The connection has ended before it.
        CUT
    }

    private final Http2Stream stream;
    private final StreamDeadlines deadlines;
    private final ContentLength length;
    private final ReceiveWindow window = new ReceiveWindow(0, 0);
    private byte[] held = NONE;
    private boolean borrowed; // held is the array of the loop
    private int from;
    private int to;
    private long announced;
    private long received;
    private long dropped;
    private long dropMax = -1; // -1: nothing is dropped
    private Half half = Half.ENDED;
    private boolean tunnel;
    private Fields trailers = Fields.EMPTY;
    private int trailerBytes; // of memory, as counted by the pool

    Http2Content(Http2Loop http, Http2Stream stream, StreamDeadlines deadlines) {
        this.stream = stream;
        this.deadlines = deadlines;
        this.length = new ContentLength(http.service());
    }

    /// Prepares for a request whose head is being read.
    void open(Http2Limits limits) {
        window.reset(limits.streamWindowBytes(), limits.streamWindowMaxBytes());
        announced = RequestHead.UNKNOWN_LENGTH;
        received = 0;
        dropped = 0;
        dropMax = -1;
        half = Half.OPEN;
        tunnel = false;
        trailers = Fields.EMPTY;
    }

    @Override
    public @Nullable ProtocolError begin(RequestHead head) {
        length.begin(head);
        announced = head.contentLength();
        return null;
    }

    @Override
    public int read(ByteBuffer into) {
        if (error() != null) {
            return Source.FAILED;
        }
        int n = Math.min(available(), into.remaining());
        if (n > 0) {
            into.put(held, from, n);
            from += n;
            free();
            taken(n);
            return n;
        }
        if (available() > 0) {
            return 0;
        }
        return switch (half) {
            case OPEN -> 0;
            case ENDED -> Source.END;
            case CUT -> tunnel ? Source.END : Source.FAILED;
        };
    }

    @Override
    public @Nullable ProtocolError error() {
        return tunnel ? null : length.check(received, half == Half.ENDED);
    }

    @Override
    public int available() {
        return to - from;
    }

    @Override
    public boolean ready() {
        return available() > 0 || half != Half.OPEN;
    }

    @Override
    public boolean whole() {
        return half == Half.ENDED;
    }

    @Override
    public boolean finished() {
        if (available() > 0) {
            return false;
        }
        return tunnel ? half != Half.OPEN : half == Half.ENDED && error() == null;
    }

    @Override
    public void wantReadable() {
        if (!tunnel) {
            deadlines.beginReading(received);
        }
    }

    @Override
    public void tunnel() {
        tunnel = true;
    }

    @Override
    public void discard(long maxBytes) {
        dropMax = maxBytes;
        dropHeld();
    }

    @Override
    public Fields trailers() {
        return trailers;
    }

    // Called by the stream

    /// Notes that a DATA frame begins.
    ///
    /// @return whether the window allows it
    boolean beginFrame(int bytes, int padding) {
        boolean allowed = window.spend(bytes);
        taken(padding);
        return allowed;
    }

    /// Adds arrived bytes. The array belongs to the caller, who calls [#keep] before it changes.
    ///
    /// @return whether the head has announced that many
    boolean add(byte[] bytes, int at, int end) {
        int n = end - at;
        received += n;
        if (dropMax >= 0) {
            drop(n);
        } else if (available() == 0) {
            borrow(bytes, at, end);
        } else {
            append(bytes, at, n);
        }
        return isAnnounced();
    }

    /// Copies the bytes that were added last, as far as they were not read.
    void keep() {
        if (borrowed) {
            byte[] bytes = held;
            int at = from;
            int n = available();
            forget();
            append(bytes, at, n);
        }
    }

    private void borrow(byte[] bytes, int at, int end) {
        borrowed = at < end;
        held = borrowed ? bytes : NONE;
        from = borrowed ? at : 0;
        to = borrowed ? end : 0;
    }

    private void append(byte[] bytes, int at, int n) {
        makeRoom(n);
        System.arraycopy(bytes, at, held, to, n);
        to += n;
    }

    /// Handles the end of the client's half.
    ///
    /// @return whether the head has announced as much content as came
    boolean end(Fields after) {
        half = Half.ENDED;
        trailers = after;
        holdTrailers(after.buffer().length);
        return tunnel || announced == RequestHead.UNKNOWN_LENGTH || received == announced;
    }

    /// Handles the end of the connection's input before the end of the client's half.
    void cut() {
        if (half == Half.OPEN) {
            half = Half.CUT;
        }
    }

    /// Drops what was not read, and lets the other streams have its part of the connection's window.
    void close() {
        stream.grantConnection(available());
        from = to;
        free();
        holdTrailers(0);
        half = half == Half.OPEN ? Half.CUT : half;
    }

    /// Drops what was not read, because the response has ended. The stream's window is opened again
    /// for `maxBytes` at most, unless a handler has set another number.
    void discardRest(long maxBytes) {
        if (dropMax < 0) {
            discard(maxBytes);
        }
    }

    /// Returns whether the bytes belong to a tunnel.
    boolean isTunnel() {
        return tunnel;
    }

    /// Returns the bytes of memory that the content takes.
    long heldBytes() {
        return trailerBytes + (borrowed ? 0L : held.length);
    }

    /// Returns whether the client may still send.
    boolean isOpen() {
        return half == Half.OPEN;
    }

    /// Returns the bytes of content received.
    long received() {
        return received;
    }

    /// Returns the bytes of content that were read or dropped. Those of a tunnel are none.
    long taken() {
        return tunnel ? 0 : received - available();
    }

    private boolean isAnnounced() {
        return tunnel || announced == RequestHead.UNKNOWN_LENGTH || received <= announced;
    }

    private void dropHeld() {
        int here = available();
        from = to;
        free();
        drop(here);
    }

    private void drop(int bytes) {
        dropped += bytes;
        if (dropped <= dropMax) {
            taken(bytes);
        } else {
            stream.grantConnection(bytes); // for the other streams; this one gets no more
        }
    }

    /// Opens the windows again for bytes that need no memory any more.
    private void taken(int bytes) {
        stream.grantConnection(bytes);
        int more = half == Half.OPEN ? window.take(bytes, net().isShortOfMemory()) : 0;
        if (more > 0) {
            stream.sender().windowUpdate(stream.streamNumber(), more);
        }
    }

    private void makeRoom(int bytes) {
        if (held.length - to >= bytes) {
            return;
        }
        byte[] old = held;
        int here = available();
        byte[] larger = old;
        if (here + bytes > old.length) { // doubled, so that a large window is not copied often
            int most = Math.min(2 * old.length, window.size());
            larger = pool().array(Math.max(here + bytes, most));
        }
        System.arraycopy(old, from, larger, 0, here);
        if (old.length > 0 && larger.length != old.length) {
            pool().giveBack(old);
        }
        held = larger;
        from = 0;
        to = here;
    }

    private void free() {
        if (from == to && held.length > 0) {
            if (!borrowed) {
                pool().giveBack(held);
            }
            forget();
        }
    }

    private void holdTrailers(int bytes) {
        if (bytes != trailerBytes) {
            pool().hold(bytes - trailerBytes);
            trailerBytes = bytes;
        }
    }

    private void forget() {
        borrowed = false;
        held = NONE;
        from = 0;
        to = 0;
    }

    private BufferPool pool() {
        return net().pool();
    }

    private NetLoop net() {
        return stream.accepted().net().net();
    }
}
