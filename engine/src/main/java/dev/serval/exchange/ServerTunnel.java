package dev.serval.exchange;

import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Fault;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import java.nio.ByteBuffer;

/// Bytes in both directions after an upgrade, for any protocol. The tunnel closes after both
/// directions have ended. A tunnel that is not open accepts and returns no bytes.
///
/// ```
///   CLOSED ── open ──▶ OPEN ── end ──▶ ENDED (our direction) ── peer's end, close ──▶ CLOSED
///                        └──────────────── close, lost ────────────────────────────────▶
/// ```
/// Owned by the loop.
final class ServerTunnel implements Duplex {
    private enum State {
        OPEN,
        ENDED,
        CLOSED
    }

    private final ServerExchange exchange;
    private final ContentPort in;
    private final ResponsePort out;
    private State state = State.CLOSED;
    private Runnable reader = ServerExchange.NOTHING;
    private Runnable writer = ServerExchange.NOTHING;

    ServerTunnel(ServerExchange exchange, ContentPort in, ResponsePort out) {
        this.exchange = exchange;
        this.in = in;
        this.out = out;
    }

    /// Opens the tunnel: further bytes of the connection belong to it.
    void open() {
        state = State.OPEN;
        in.tunnel();
    }

    @Override
    public int read(ByteBuffer into) {
        if (state == State.CLOSED) {
            return Source.FAILED;
        }
        int n = in.read(into);
        if (n == Source.END) {
            closeIfDone();
        }
        return n == ContentPort.LOST ? Source.FAILED : n;
    }

    @Override
    public long write(Body part) {
        if (state == State.OPEN && part.length() > 0) {
            out.content(part);
        } else {
            part.release();
        }
        return room();
    }

    @Override
    public void onReadable(Runnable once) {
        if (state == State.CLOSED || in.ready()) {
            exchange.later(once);
        } else {
            reader = once;
            in.wantReadable();
            exchange.port().rearm();
        }
    }

    @Override
    public void onWritable(Runnable once) {
        if (state == State.CLOSED || room() > 0) {
            exchange.later(once);
        } else {
            writer = once;
            out.wantWritable();
            exchange.port().rearm();
        }
    }

    @Override
    public void end() {
        if (state == State.OPEN) {
            state = State.ENDED;
            out.end(Fields.EMPTY, ResponsePort.Ending.WHOLE, false);
            closeIfDone();
        }
    }

    @Override
    public void close(Fault why) {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            writer = ServerExchange.NOTHING;
            exchange.closeTunnel(why);
        }
    }

    /// Closes the tunnel, because the connection is lost. Returns the callback that waits to read;
    /// the caller must call it.
    Runnable lost() {
        state = State.CLOSED;
        writer = ServerExchange.NOTHING;
        return takeReader();
    }

    boolean isAwaited() {
        return !ServerExchange.NOTHING.equals(reader);
    }

    /// Returns and clears the callback that waits to read, or [ServerExchange#NOTHING].
    Runnable takeReader() {
        Runnable callback = reader;
        reader = ServerExchange.NOTHING;
        return callback;
    }

    /// Returns and clears the callback that waits to write, or [ServerExchange#NOTHING].
    Runnable takeWriter() {
        Runnable callback = writer;
        writer = ServerExchange.NOTHING;
        return callback;
    }

    private void closeIfDone() {
        if (state == State.ENDED && in.finished()) {
            close(Fault.SHUTDOWN);
        }
    }

    private long room() {
        return state == State.CLOSED ? 0 : out.room();
    }
}
