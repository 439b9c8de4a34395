package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.handler.Fault;
import dev.serval.handler.Sink;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.ErrorPages;
import dev.serval.testkit.ToyFrames.Frame;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The response of a [ToyStream].
final class ToySink implements Sink {
    private enum State {
        OPEN,
        CONTENT,
        ENDED
    }

    private final ToyStream stream;
    private final ToyOutlet outlet;
    private State state = State.OPEN;
    private boolean suppressed;
    private int status;
    private long length;
    private long written;
    private @Nullable Runnable waiting;

    ToySink(ToyStream stream, ToyOutlet outlet) {
        this.stream = stream;
        this.outlet = outlet;
    }

    @Override
    public void inform(Status interim, Fields fields) {
        stream.touched();
        if (state == State.CONTENT || !interim.interim() || interim.code() == 101) {
            throw new IllegalStateException("An interim response is 1xx but 101, before the head");
        }
        if (state == State.OPEN) {
            send(Frame.INFORM, interim, fields, "");
            stream.carrier().metrics().count(Counter.RESPONSES_1XX);
        }
    }

    void sendContinue() {
        if (state == State.OPEN) {
            inform(Status.CONTINUE, Fields.EMPTY);
        }
    }

    @Override
    public void head(ResponseHead head) {
        stream.touched();
        if (state != State.OPEN) {
            requireEnded("A response has one head");
            return;
        }
        state = State.CONTENT;
        status = head.status().code();
        length = head.contentLength();
        boolean headOnly = stream.readable() && stream.request().method() == Method.HEAD;
        suppressed = headOnly || head.status().withoutContent();
        boolean told = length != ResponseHead.UNKNOWN_LENGTH && !head.status().withoutContent();
        send(
                Frame.HEAD,
                head.status(),
                head.fields(),
                told ? "Content-Length: " + length + "\r\n" : "");
    }

    @Override
    public long write(Body part) {
        if (state == State.OPEN) {
            throw new IllegalStateException("Content comes behind the head");
        }
        long n = part.length();
        if (state == State.ENDED || suppressed || n == 0) {
            written += state == State.ENDED ? 0 : n;
            release(part);
            return room();
        }
        if (length != ResponseHead.UNKNOWN_LENGTH && n > length - written) {
            overrun(part);
            return room();
        }
        written += n;
        outlet.write(part);
        return room();
    }

    @Override
    public void onWritable(Runnable once) {
        stream.touched();
        if (state == State.ENDED || room() > 0) {
            stream.later(once);
        } else if (stream.outlastsTurn()) {
            waiting = once;
            stream.carrier().pumpSoon();
        }
    }

    @Override
    public void end(Fields trailers) {
        if (state != State.CONTENT) {
            requireEnded("A response has a head before its end");
            return;
        }
        boolean known = length != ResponseHead.UNKNOWN_LENGTH;
        if (known && !suppressed && written < length) {
            fault("fewer");
            state = State.ENDED;
            stream.resetNow();
            stream.responseEnded();
        } else {
            finish(known ? Fields.EMPTY : trailers);
        }
    }

    @Override
    public void abort(Fault why) {
        stream.touched();
        switch (state) {
            case OPEN -> send(ErrorAnswer.of(pages(), why));
            case CONTENT -> {
                state = State.ENDED;
                waiting = null;
                stream.resetNow();
                stream.responseEnded();
            }
            case ENDED -> {}
        }
    }

    void refuse(Status error, Fields fields, String what) {
        stream.touched();
        if (state != State.OPEN) {
            abort(Fault.APPLICATION);
            return;
        }
        send(ErrorAnswer.of(pages(), error, fields, what));
    }

    void contentFailed(Fault why, @Nullable ProtocolError error) {
        if (state == State.OPEN && error != null) {
            send(ErrorAnswer.of(pages(), error));
        } else {
            abort(why);
        }
    }

    void upgrade(ResponseHead head) {
        if (state != State.OPEN) {
            throw new IllegalStateException("An upgrade is the first answer");
        }
        status = head.status().code();
        state = State.ENDED;
        send(Frame.UPGRADE, head.status(), head.fields(), "");
    }

    boolean hasBegun() {
        return state == State.CONTENT;
    }

    long written() {
        return written;
    }

    int status() {
        return status;
    }

    /// Who waits to write, and is to be called.
    @Nullable Runnable takeWriter() {
        @Nullable Runnable callback = waiting;
        waiting = null;
        return callback;
    }

    void lost() {
        state = State.ENDED;
        waiting = null;
    }

    private void finish(Fields trailers) {
        state = State.ENDED;
        waiting = null;
        outlet.end(text(trailers));
        stream.responseEnded();
    }

    private void overrun(Body part) {
        long allowed = length - written;
        fault("more");
        written = length;
        switch (part) {
            case Body.Bytes bytes when allowed > 0 -> {
                ByteBuffer content = bytes.buffer().duplicate();
                content.limit(content.position() + (int) allowed);
                outlet.write(new Body.Bytes(content, bytes.released()));
            }
            case Body.FileRegion region when allowed > 0 ->
                    outlet.write(
                            new Body.FileRegion(
                                    region.file(), region.position(), allowed, region.released()));
            case Body.Bytes _, Body.FileRegion _, Body.Empty _ -> release(part);
        }
        stream.blame(Fault.APPLICATION);
        finish(Fields.EMPTY);
        stream.runOnAbort();
    }

    private void fault(String how) {
        stream.carrier().metrics().count(Counter.HANDLER_FAULTS);
        String what = "A response has " + how + " bytes of content than its head says: " + length;
        stream.carrier()
                .loop()
                .report("A handler broke its own promise", new IllegalStateException(what));
    }

    private void requireEnded(String rule) {
        if (state != State.ENDED) {
            throw new IllegalStateException(rule);
        }
    }

    private long room() {
        return outlet.isClosed() || !stream.carrier().net().isOpen()
                ? 0
                : stream.carrier().limits().buffers().unsentMaxBytes() - outlet.queued();
    }

    private void send(ErrorAnswer answer) {
        send(answer.head(), answer.content());
    }

    private void send(Frame type, Status code, Fields fields, String more) {
        stream.carrier().send(stream.number(), type, code.code() + "\r\n" + more + text(fields));
    }

    private ErrorPages pages() {
        return stream.carrier().http().settings().pages();
    }

    private static String text(Fields fields) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            lines.append(fields.name(i)).append(": ").append(fields.value(i)).append("\r\n");
        }
        return lines.toString();
    }

    private static void release(Body part) {
        @Nullable Runnable released = part.released();
        if (released != null) {
            released.run();
        }
    }
}
