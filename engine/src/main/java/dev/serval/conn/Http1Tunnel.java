package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Fault;
import dev.serval.handler.Source;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.net.Output;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A connection after an upgrade: its bytes, both ways. What arrived behind the request is read
/// first, since it waits in the same input. When both directions have ended it closes by itself; one
/// that is not open takes and gives nothing.
final class Http1Tunnel implements Duplex {
    private final Http1Connection connection;
    private final Http1Exchange exchange;
    private final Connection net;
    private final Input in;
    private final Output out;
    private @Nullable Runnable reader;
    private @Nullable Runnable writer;
    private boolean open;
    private boolean ended; // our direction

    Http1Tunnel(Http1Connection connection, Http1Exchange exchange) {
        this.connection = connection;
        this.exchange = exchange;
        this.net = connection.net();
        this.in = net.in();
        this.out = net.out();
    }

    /// The connection is its from here on.
    void open() {
        open = true;
    }

    /// The connection is gone.
    ///
    /// @return who waits to read, and has to be called
    @Nullable Runnable lost() {
        open = false;
        writer = null;
        return takeReader();
    }

    /// Who waits to read, and waits no more.
    @Nullable Runnable takeReader() {
        @Nullable Runnable callback = reader;
        reader = null;
        return callback;
    }

    @Override
    public int read(ByteBuffer into) {
        if (!open) {
            return Source.FAILED;
        }
        if (in.length() == 0) {
            int n = in.fill();
            if (n == Input.LOST) {
                return Source.FAILED;
            }
            if (n == Input.END) {
                closeIfDone();
                return Source.END;
            }
        }
        int n = Math.min(in.length(), into.remaining());
        into.put(in.array(), in.from(), n);
        in.consume(n);
        return n;
    }

    @Override
    public long write(Body part) {
        if (!open || ended) {
            @Nullable Runnable released = part.released();
            if (released != null) {
                released.run();
            }
            return room();
        }
        switch (part) {
            case Body.Empty _ -> {}
            case Body.Bytes bytes -> out.write(bytes.buffer(), bytes.released());
            case Body.FileRegion region ->
                    out.write(region.file(), region.position(), region.length(), region.released());
        }
        return room();
    }

    @Override
    public void onReadable(Runnable once) {
        if (!open || in.length() > 0 || in.ended()) {
            exchange.later(once);
        } else {
            reader = once;
            net.wantRead(true);
        }
    }

    @Override
    public void onWritable(Runnable once) {
        if (!open || room() > 0) {
            exchange.later(once);
        } else {
            writer = once;
            net.wantDrained();
        }
    }

    @Override
    public void end() {
        if (open && !ended) {
            ended = true;
            net.endOutput();
            closeIfDone();
        }
    }

    @Override
    public void close(Fault why) {
        if (!open) {
            return;
        }
        open = false;
        if (why == Fault.SHUTDOWN) {
            net.close();
        } else {
            net.abort();
        }
        exchange.tunnelEnded();
    }

    /// Net has bytes, or the end.
    void readable() {
        @Nullable Runnable callback = reader;
        reader = null;
        if (callback != null) {
            exchange.call(callback);
        } else {
            net.wantRead(false);
        }
    }

    /// There is room again.
    void writable() {
        @Nullable Runnable callback = writer;
        writer = null;
        if (callback != null) {
            exchange.call(callback);
        }
    }

    private void closeIfDone() {
        if (ended && in.ended() && in.length() == 0) {
            close(Fault.SHUTDOWN);
        }
    }

    private long room() {
        return out.hadItsShare() || !net.isOpen()
                ? 0
                : connection.limits().buffers().unsentMaxBytes() - out.backlog();
    }
}
