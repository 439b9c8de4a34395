package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.net.Output;
import dev.serval.testkit.ToyFrames;
import dev.serval.testkit.ToyFrames.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What is to be sent on a stream: pieces by reference, which leave in frames as the windows let them.
final class ToyOutlet {
    private final ToyConnection connection;
    private final int stream;
    private final Output out;
    private final ArrayDeque<Body> queue = new ArrayDeque<>();
    private final byte[] header = new byte[ToyFrames.HEADER];
    private long window = ToyFrames.STREAM_WINDOW;
    private long queued;
    private long sentOfFirst;
    private long movedNanos;
    private @Nullable String end; // trailers, once all was written
    private boolean closed;

    ToyOutlet(ToyConnection connection, int stream) {
        this.connection = connection;
        this.stream = stream;
        this.out = connection.net().out();
    }

    void write(Body part) {
        if (closed || end != null || part.length() == 0) {
            release(part);
            return;
        }
        if (queue.isEmpty()) {
            movedNanos = connection.now();
        }
        queue.addLast(part);
        queued += part.length();
        connection.pumpSoon();
    }

    /// Ends our direction behind what was written.
    void end(String trailers) {
        if (end == null) {
            end = trailers;
            movedNanos = connection.now();
            connection.pumpSoon();
        }
    }

    /// Gives everything back unsent, and takes nothing more.
    void close() {
        closed = true;
        while (!queue.isEmpty()) {
            release(queue.removeFirst());
        }
        queued = 0;
    }

    void granted(int content) {
        window += content;
        connection.pumpSoon();
    }

    /// Bytes that wait.
    long queued() {
        return queued;
    }

    /// When something was last sent, or began to wait.
    long movedNanos() {
        return movedNanos;
    }

    boolean isClosed() {
        return closed;
    }

    /// Whether something waits to be sent.
    boolean isWaiting() {
        return !closed && (!queue.isEmpty() || end != null);
    }

    /// Sends one frame, if the windows let it.
    ///
    /// @return whether they did
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
        movedNanos = connection.now();
        long at = sentOfFirst;
        boolean whole = at + n == first.length();
        sentOfFirst = whole ? 0 : at + n;
        if (whole) {
            queue.removeFirst();
        }
        ToyFrames.header(header, stream, Frame.DATA, n);
        out.room(header.length).put(header);
        put(first, at, n, whole ? first.released() : null);
        return true;
    }

    private boolean sendEnd() {
        @Nullable String trailers = end;
        if (trailers == null) {
            return false;
        }
        closed = true;
        connection.send(stream, Frame.END, trailers);
        return true;
    }

    private void put(Body part, long at, int n, @Nullable Runnable released) {
        switch (part) {
            case Body.Empty _ -> {}
            case Body.Bytes bytes -> {
                ByteBuffer piece = bytes.buffer().duplicate();
                int from = piece.position() + (int) at;
                out.write(piece.limit(from + n).position(from), released);
            }
            case Body.FileRegion region ->
                    out.write(region.file(), region.position() + at, n, released);
        }
    }

    private static void release(Body part) {
        @Nullable Runnable released = part.released();
        if (released != null) {
            released.run();
        }
    }
}
