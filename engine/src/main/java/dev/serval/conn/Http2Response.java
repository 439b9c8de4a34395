package dev.serval.conn;

import dev.serval.exchange.ResponsePort;
import dev.serval.handler.Body;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http2.FlowWindow;
import dev.serval.http2.FrameReader;
import dev.serval.http2.FrameWriter;
import dev.serval.http2.Priority;
import dev.serval.http2.ResponseFields;
import dev.serval.loop.Deadline;
import dev.serval.net.Output;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The framing of the responses of an [Http2Stream], one after the other. The head and the pieces of
/// content wait here, by reference, until the stream's turn to send. So the end of a short response
/// needs no frame of its own.
///
/// ```
///   OPEN ── end ──▶ ENDING ── last frame sent ──▶ CLOSED
///    └──────────────── reset, lost ─────────────────▲
/// ```
/// The last frame of a response that is short of content resets the stream. Owned by the connection's loop.
final class Http2Response implements ResponsePort {
    /// The states of the diagram above.
    private enum State {
        OPEN,
        ENDING,
        CLOSED
    }

    /// What is left to do after a frame was sent.
    enum Step {
        /// Another frame can be sent.
        MORE,
        /// The connection's window is used up.
        STARVED,
        /// Nothing is to be sent, or the stream's window is used up.
        IDLE
    }

    private final Http2Stream stream;
    private final FlowWindow window = new FlowWindow(0);
    private final ArrayDeque<Body> queue = new ArrayDeque<>(2);
    private State state = State.CLOSED;
    private @Nullable ResponseHead head; // not sent yet
    private Fields trailers = Fields.EMPTY;
    private boolean isShort; // of content
    private boolean whole;
    private long queued;
    private long onHeap; // bytes of the queue in memory of the heap
    private long toldHeld; // of these, what the connection's UnsentContent knows
    private long sentOfFirst;
    private @Nullable SharedRelease releaseOfFirst; // null until a part of it was sent
    private long checkedNanos = Deadline.NEVER; // when the file of the first was looked at
    private long sent; // bytes of content
    private long framed; // bytes of frames around it

    Http2Response(Http2Stream stream) {
        this.stream = stream;
    }

    /// Begins a response.
    ///
    /// @param windowBytes the window that the client gives a new stream
    void begin(int windowBytes) {
        window.reset(windowBytes);
        state = State.OPEN;
        isShort = false;
        whole = false;
        trailers = Fields.EMPTY;
        sentOfFirst = 0;
        sent = 0;
        framed = 0;
    }

    @Override
    public boolean interim(Status status, Fields fields) {
        if (state == State.OPEN) {
            framed += sender().interim(stream.streamNumber(), status, fields);
        }
        return true;
    }

    @Override
    public void head(ResponseHead made, boolean suppressed) {
        if (state != State.OPEN) {
            return;
        }
        head = made;
        stream.responseBegins();
        prioritize(made.fields());
        if (suppressed) {
            state = State.ENDING;
        }
        stream.ready();
    }

    @Override
    public void content(Body part) {
        if (state != State.OPEN || part.length() == 0) {
            part.release();
            return;
        }
        queue.addLast(part);
        queued += part.length();
        holds(part, part.length());
        stream.ready();
        sender().pumpSoon(); // which counts the content, also of a stream that waits for its client
    }

    /// Each part becomes frames of its own.
    @Override
    public @Nullable ByteBuffer direct() {
        return null;
    }

    @Override
    public void end(Fields after, Ending ending, boolean suppressed) {
        if (state == State.OPEN) {
            state = State.ENDING;
            isShort = ending == Ending.SHORT;
            trailers = ResponseFields.hasTrailers(after) ? after : Fields.EMPTY;
            stream.ready();
        }
    }

    /// Sends the head before the reset, so that the client sees what broke off.
    @Override
    public void reset() {
        if (state != State.CLOSED) {
            sendHead(false);
            stream.resetByServer();
        }
    }

    @Override
    public void upgrade(ResponseHead answer) {
        framed += sender().interim(stream.streamNumber(), answer.status(), answer.fields());
    }

    @Override
    public long room() {
        return state == State.CLOSED ? 0 : stream.accepted().room(queued);
    }

    @Override
    public void wantWritable() {
        stream.ready();
    }

    // Called by the stream

    FlowWindow window() {
        return window;
    }

    /// Returns the number of content bytes that wait.
    long queued() {
        return queued;
    }

    /// Returns the number of content bytes sent.
    long sent() {
        return sent;
    }

    /// Returns the bytes that the response has so far, with its framing.
    long bytes() {
        return sent + queued + framed;
    }

    /// Returns whether nothing more is sent.
    boolean isClosed() {
        return state == State.CLOSED;
    }

    /// Returns whether the response was sent to its end.
    boolean isWhole() {
        return whole;
    }

    /// Returns whether something waits to be sent.
    boolean isWaiting() {
        return state == State.ENDING || queued > 0;
    }

    /// Releases all pieces unsent, and accepts no more.
    void close() {
        state = State.CLOSED;
        head = null;
        @Nullable SharedRelease partly = releaseOfFirst;
        if (partly != null) {
            releaseOfFirst = null;
            queue.removeFirst();
            partly.run();
        }
        while (!queue.isEmpty()) {
            queue.removeFirst().release();
        }
        queued = 0;
        if (onHeap > 0) {
            onHeap = 0;
            tellHeld();
            sender().countUnsent();
        }
    }

    /// Sends one frame if the windows allow it.
    Step send() {
        if (state == State.CLOSED) {
            return Step.IDLE;
        }
        @Nullable Body first = queue.peekFirst();
        boolean ending = state == State.ENDING;
        if (first == null) {
            boolean headLast = ending && endsWithoutFrame() && head != null;
            sendHead(headLast);
            if (ending) {
                end(headLast);
            }
            return Step.IDLE;
        }
        sendHead(false);
        long most =
                Math.min(
                        Math.min(window.left(), sender().window().left()),
                        sender().frameMaxBytes());
        if (most <= 0) {
            return window.left() <= 0 ? Step.IDLE : Step.STARVED;
        }
        if (sentOfFirst > 0 && isChanged(first)) {
            stream.fileChanged();
            return Step.IDLE;
        }
        sendPart(first, (int) Math.min(most, first.length() - sentOfFirst));
        return state == State.CLOSED || (queue.isEmpty() && !ending) ? Step.IDLE : Step.MORE;
    }

    /// Lets the handler's field Priority replace what the client has signalled (RFC 9218 §8).
    private void prioritize(Fields fields) {
        int at = fields.indexOf(FieldName.PRIORITY, 0);
        if (at >= 0) {
            stream.prioritize(
                    Priority.read(
                            fields.buffer(),
                            fields.valueAt(at),
                            fields.valueEnd(at),
                            stream.priority()));
        }
    }

    private void sendHead(boolean last) {
        @Nullable ResponseHead waiting = head;
        if (waiting != null) {
            head = null;
            framed += sender().head(stream.streamNumber(), waiting, last);
        }
    }

    private void sendPart(Body first, int n) {
        window.spend(n);
        sender().spend(n);
        queued -= n;
        holds(first, -n);
        sent += n;
        framed += FrameReader.HEADER;
        long at = sentOfFirst;
        boolean whole = at + n == first.length();
        sentOfFirst = whole ? 0 : at + n;
        if (whole) {
            queue.removeFirst();
        }
        boolean last = state == State.ENDING && queue.isEmpty() && endsWithoutFrame();
        Output out = sender().out();
        FrameWriter.data(out.room(FrameReader.HEADER), stream.streamNumber(), n, last);
        PartWriter.write(
                out, whole && at == 0 ? first : first.part(at, n, releaseOfPart(first, whole)));
        stream.sentData(n);
        if (last) {
            finish();
        }
    }

    /// Returns the callback of a part of the first piece, which counts that part.
    private @Nullable Runnable releaseOfPart(Body first, boolean last) {
        @Nullable SharedRelease shared = releaseOfFirst;
        @Nullable Runnable released = first.released();
        if (shared == null && released != null) {
            shared = new SharedRelease(released);
        }
        releaseOfFirst = last ? null : shared;
        if (shared != null && !last) {
            shared.add();
        }
        return shared;
    }

    /// Returns whether the file of a piece is no more the one of which a part was sent. Looks at most
    /// once in a turn of the loop.
    private boolean isChanged(Body first) {
        if (!(first instanceof Body.FileRegion region) || region.intact() == null) {
            return false;
        }
        long now = stream.nowNanos();
        boolean asks = now != checkedNanos;
        checkedNanos = now;
        return asks && !region.intact().getAsBoolean();
    }

    /// Returns whether the frame before can tell that our half ends.
    private boolean endsWithoutFrame() {
        return trailers.size() == 0 && !isShort;
    }

    /// Ends our half.
    ///
    /// @param sentWithHead whether the head has told it
    private void end(boolean sentWithHead) {
        if (isShort) {
            stream.resetByServer();
            return;
        }
        if (trailers.size() > 0) {
            framed += sender().trailers(stream.streamNumber(), trailers);
        } else if (!sentWithHead) {
            FrameWriter.data(
                    sender().out().room(FrameReader.HEADER), stream.streamNumber(), 0, true);
            framed += FrameReader.HEADER;
        }
        finish();
    }

    private void finish() {
        whole = true;
        state = State.CLOSED;
    }

    /// Notes that more bytes of `part` wait, or fewer. Files, their cached content and buffers outside of
    /// the heap do not count.
    private void holds(Body part, long more) {
        if (part instanceof Body.Bytes bytes
                && !bytes.buffer().isDirect()
                && !bytes.buffer().isReadOnly()) {
            onHeap += more;
            tellHeld();
        }
    }

    /// Tells the connection what waits. A response counts at most what one holds whose handler waits for
    /// room, because the application chooses the length of others.
    private void tellHeld() {
        long now = Math.min(onHeap, stream.accepted().limits().buffers().unsentMaxBytes());
        sender().unsent().waits(now - toldHeld);
        toldHeld = now;
    }

    private Http2Sender sender() {
        return stream.sender();
    }

    /// Frees what a piece of content borrows after all of its parts were sent or dropped. Some of them wait in
    /// a connection's output while its rest waits in a stream, which may be reset. Owned by the loop.
    private static final class SharedRelease implements Runnable {
        private final Runnable released;
        private int waiting = 1; // the rest, until the last part is taken from it

        /// Creates one for a piece of which nothing was sent.
        SharedRelease(Runnable released) {
            this.released = released;
        }

        /// Counts a part besides the rest.
        void add() {
            waiting++;
        }

        /// Notes that a part was sent or dropped, or the rest was dropped.
        @Override
        public void run() {
            waiting--;
            if (waiting == 0) {
                released.run();
            }
        }
    }
}
