package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Fault;
import dev.serval.handler.Source;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Bytes both ways on one stream, while the others of its connection go on.
final class ToyTunnel implements Duplex {
    private final ToyStream stream;
    private @Nullable Runnable reader;
    private @Nullable Runnable writer;
    private boolean open;
    private boolean ended;

    ToyTunnel(ToyStream stream) {
        this.stream = stream;
    }

    void open() {
        open = true;
    }

    /// The stream is gone.
    ///
    /// @return who waits to read, and has to be called
    @Nullable Runnable lost() {
        open = false;
        writer = null;
        @Nullable Runnable callback = reader;
        reader = null;
        return callback;
    }

    @Override
    public int read(ByteBuffer into) {
        if (!open) {
            return Source.FAILED;
        }
        int n = stream.inlet().take(into);
        if (n == 0 && stream.inlet().length() == 0) {
            if (stream.inlet().ended()) {
                closeIfDone();
                return Source.END;
            }
            return stream.inlet().wasCut() ? Source.END : 0;
        }
        return n;
    }

    @Override
    public long write(Body part) {
        if (open && !ended) {
            stream.outlet().write(part);
        } else {
            @Nullable Runnable released = part.released();
            if (released != null) {
                released.run();
            }
        }
        return room();
    }

    @Override
    public void onReadable(Runnable once) {
        if (!open || stream.inlet().length() > 0 || hasEnd()) {
            stream.later(once);
        } else {
            reader = once;
        }
    }

    @Override
    public void onWritable(Runnable once) {
        if (!open || room() > 0) {
            stream.later(once);
        } else {
            writer = once;
            stream.carrier().pumpSoon();
        }
    }

    @Override
    public void end() {
        if (open && !ended) {
            ended = true;
            stream.outlet().end("");
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
            stream.outlet().end("");
        } else {
            stream.resetNow();
        }
        stream.tunnelEnded();
    }

    /// Bytes came, or the end.
    void readable() {
        @Nullable Runnable callback = reader;
        reader = null;
        if (callback != null) {
            stream.call(callback);
        }
    }

    /// Who waits to write, and is to be called.
    @Nullable Runnable takeWriter() {
        @Nullable Runnable callback = writer;
        writer = null;
        return callback;
    }

    private boolean hasEnd() {
        return stream.inlet().ended() || stream.inlet().wasCut();
    }

    private void closeIfDone() {
        if (ended && hasEnd() && stream.inlet().length() == 0) {
            close(Fault.SHUTDOWN);
        }
    }

    private long room() {
        return stream.outlet().isClosed() || !stream.carrier().net().isOpen()
                ? 0
                : stream.carrier().limits().buffers().unsentMaxBytes() - stream.outlet().queued();
    }
}
