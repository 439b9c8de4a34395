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
        send(Frame.INFORM, status, fields, "");
        return true;
    }

    @Override
    public void head(ResponseHead head, boolean suppressed) {
        boolean told =
                head.contentLength() != ResponseHead.UNKNOWN_LENGTH
                        && !head.status().withoutContent();
        String length = told ? "Content-Length: " + head.contentLength() + "\r\n" : "";
        send(Frame.HEAD, head.status(), head.fields(), length);
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
            outlet.end(text(trailers));
        }
    }

    @Override
    public void reset() {
        reset.run();
    }

    @Override
    public void upgrade(ResponseHead head) {
        send(Frame.UPGRADE, head.status(), head.fields(), "");
    }

    @Override
    public long room() {
        return outlet.isClosed() || !connection.net().isOpen()
                ? 0
                : connection.limits().buffers().unsentMaxBytes() - outlet.queued();
    }

    @Override
    public void wantWritable() {
        connection.pumpSoon();
    }

    private void send(Frame type, Status code, Fields fields, String more) {
        connection.send(stream, type, code.code() + "\r\n" + more + text(fields));
    }

    private static String text(Fields fields) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            lines.append(fields.name(i)).append(": ").append(fields.value(i)).append("\r\n");
        }
        return lines.toString();
    }
}
