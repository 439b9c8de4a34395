package dev.serval.gateway.peer;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.Input;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A request of the protocol of lines: the path is sent, a line comes back.
final class LineRequest implements PeerRequest, Runnable {
    private final EngineExchange x;
    private final PeerPool pool;
    private final int bound;
    private @Nullable PeerTicket ticket;
    private @Nullable Peer peer;

    /// @param bound see [PeerRequest#boundTo]
    LineRequest(EngineExchange x, PeerPool pool, int bound) {
        this.x = x;
        this.pool = pool;
        this.bound = bound;
    }

    void begin() {
        x.onAbort(this);
        ticket = pool.acquire(this);
    }

    @Override
    public void run() {
        @Nullable Peer mine = peer;
        @Nullable PeerTicket place = ticket;
        if (mine != null) {
            mine.fail(PeerFault.ABANDONED);
        } else if (place != null) {
            place.cancel();
        }
    }

    @Override
    public EngineExchange exchange() {
        return x;
    }

    @Override
    public int boundTo() {
        return bound;
    }

    @Override
    public void granted(Peer granted) {
        peer = granted;
        String line = x.request().target().path().text() + "\n";
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        granted.connection().out().write(ByteBuffer.wrap(bytes), null);
    }

    @Override
    public void refused(Refusal why) {
        x.refuse(Status.SERVICE_UNAVAILABLE, Fields.EMPTY, why.name());
    }

    @Override
    public void readable() {
        @Nullable Peer mine = peer;
        if (mine == null) {
            return;
        }
        Input in = mine.connection().in();
        if (in.fill() <= 0 || in.array()[in.to() - 1] != '\n') {
            return;
        }
        byte[] line = new byte[in.length() - 1];
        System.arraycopy(in.array(), in.from(), line, 0, line.length);
        in.consume(in.length());
        peer = null;
        x.response()
                .send(new ResponseHead(Status.OK, Fields.EMPTY, line.length), Body.Bytes.of(line));
        mine.finish(true);
    }

    @Override
    public void lost() {
        peer = null;
        x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, "lost");
    }

    @Override
    public void overdue() {}
}
