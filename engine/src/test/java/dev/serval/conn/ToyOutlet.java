package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.net.Output;
import dev.serval.testkit.ToyFrames;
import dev.serval.testkit.ToyFrames.Frame;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The pieces to send on a stream, kept by reference. They leave in frames as the windows allow.
final class ToyOutlet {
    private final ToyConnection connection;
    private final int stream;
    private final StreamDeadlines deadlines;
    private final Output out;
    private final ArrayDeque<Body> queue = new ArrayDeque<>();
    private final byte[] header = new byte[ToyFrames.HEADER];
    private long window = ToyFrames.STREAM_WINDOW;
    private long queued;
    private long sentOfFirst;
    private long sent; // bytes of content
    private @Nullable String end; // trailers, set by the last write
    private boolean closed;

    ToyOutlet(ToyConnection connection, int stream, StreamDeadlines deadlines) {
        this.connection = connection;
        this.stream = stream;
        this.deadlines = deadlines;
        this.out = connection.accepted().net().out();
    }

    void write(Body part) {
        if (closed || end != null || part.length() == 0) {
            part.release();
            return;
        }
        await();
        queue.addLast(part);
        queued += part.length();
        connection.pumpSoon();
    }

    /// Ends the server's direction after the queued pieces.
    void end(String trailers) {
        if (end == null) {
            end = trailers;
            await();
            connection.pumpSoon();
        }
    }

    /// Releases all pieces unsent, and accepts no more.
    void close() {
        closed = true;
        while (!queue.isEmpty()) {
            queue.removeFirst().release();
        }
        queued = 0;
    }

    void granted(int content) {
        window += content;
        connection.pumpSoon();
    }

    /// Returns the number of bytes that wait.
    long queued() {
        return queued;
    }

    /// Returns the number of bytes of content sent.
    long sent() {
        return sent;
    }

    boolean isClosed() {
        return closed;
    }

    /// Sends one frame if the windows allow it.
    ///
    /// @return whether a frame was sent
    boolean send() {
        if (closed) {
            return false;
        }
        @Nullable Body first = queue.peekFirst();
        if (first == null) {
            return sendEnd();
        }
        long most = Math.min(Math.min(window, connection.window()), ToyFrames.PAYLOAD_MAX);
        int n = (int) Math.min(most, first.length() - sentOfFirst);
        if (n <= 0) {
            return false;
        }
        window -= n;
        connection.spend(n);
        queued -= n;
        sent += n;
        long at = sentOfFirst;
        boolean whole = at + n == first.length();
        sentOfFirst = whole ? 0 : at + n;
        if (whole) {
            queue.removeFirst();
        }
        if (queue.isEmpty() && end == null) {
            deadlines.endSending(sent);
        }
        ToyFrames.header(header, stream, Frame.DATA, n);
        out.room(header.length).put(header);
        PartWriter.write(out, first.part(at, n, whole ? first.released() : null));
        return true;
    }

    /// Stops waiting for the stream's window, because the whole connection waits.
    void blocked() {
        deadlines.endSending(sent);
    }

    /// Waits for the stream's window again.
    void drained() {
        if (!closed && (end != null || !queue.isEmpty())) {
            await();
        }
    }

    private void await() {
        if (!connection.isBlocked()) {
            deadlines.beginSending(sent, 0);
        }
    }

    private boolean sendEnd() {
        @Nullable String trailers = end;
        if (trailers == null) {
            return false;
        }
        closed = true;
        deadlines.endSending(sent);
        connection.send(stream, Frame.END, trailers);
        return true;
    }
}
