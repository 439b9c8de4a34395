package dev.serval.gateway.proxy;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Source;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;

/// Answers with the content of the request as it arrives, and with its trailers. The status is 403
/// if the client asks for that by the query `refuse`; then no content is read.
final class EchoHandler implements Handler {
    private static final Fields TYPE =
            Fields.of(FieldName.CONTENT_TYPE, "application/octet-stream");

    @Override
    public void handle(Exchange x) {
        if ("refuse".equals(x.request().target().query())) {
            x.response().send(new ResponseHead(Status.FORBIDDEN, TYPE, 0), Body.Empty.EMPTY);
        } else {
            new Echo(x).proceed();
        }
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }

    private static final class Echo {
        private final Exchange x;
        private boolean begun;

        Echo(Exchange x) {
            this.x = x;
        }

        void proceed() {
            while (true) {
                ByteBuffer part = ByteBuffer.allocate(16 << 10);
                int n = x.content().read(part);
                if (n == 0) {
                    x.content().onReadable(this::proceed);
                    return;
                }
                if (n == Source.FAILED) {
                    return;
                }
                if (!begun) { // not before the read, which sends 100
                    begun = true;
                    x.response()
                            .head(new ResponseHead(Status.OK, TYPE, ResponseHead.UNKNOWN_LENGTH));
                }
                if (n == Source.END) {
                    x.response().end(x.content().trailers());
                    return;
                }
                if (x.response().write(new Body.Bytes(part.flip(), null)) <= 0) {
                    x.response().onWritable(this::proceed);
                    return;
                }
            }
        }
    }
}
