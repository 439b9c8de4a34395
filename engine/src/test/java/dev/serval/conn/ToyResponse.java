package dev.serval.conn;

import dev.serval.exchange.ResponsePort;
import dev.serval.handler.Body;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.testkit.ToyFrames.Frame;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The framing of the response of a [ToyStream].
final class ToyResponse implements ResponsePort {
    private final ToyConnection connection;
    private final int stream;
    private final ToyOutlet outlet;
    private final Runnable reset;

    ToyResponse(ToyConnection connection, int stream, ToyOutlet outlet, Runnable reset) {
        this.connection = connection;
        this.stream = stream;
        this.outlet = outlet;
        this.reset = reset;
    }

    @Override
    public boolean interim(Status status, Fields fields) {
        connection.send(stream, Frame.INFORM, ToyHeads.interim(status, fields));
        return true;
    }

    @Override
    public void head(ResponseHead head, boolean suppressed) {
        connection.send(stream, Frame.HEAD, ToyHeads.of(head));
    }

    @Override
    public void content(Body part) {
        outlet.write(part);
    }

    /// Each part becomes a frame of its own.
    @Override
    public @Nullable ByteBuffer direct() {
        return null;
    }

    @Override
    public void end(Fields trailers, Ending ending, boolean suppressed) {
        if (ending == Ending.SHORT) {
            reset();
        } else {
            outlet.end(ToyHeads.text(trailers));
        }
    }

    @Override
    public void reset() {
        reset.run();
    }

    @Override
    public void upgrade(ResponseHead head) {
        connection.send(stream, Frame.HEAD, ToyHeads.of(head));
    }

    @Override
    public long room() {
        return outlet.isClosed() ? 0 : connection.accepted().room(outlet.queued());
    }

    @Override
    public void wantWritable() {
        connection.pumpSoon();
    }
}
