package dev.serval.file;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Sends parts of an open file to one exchange. Where the file is not known to be in the page
/// cache, each chunk is read at [ExecutorKind#DISK] first, so that the loop, which sends it from the
/// page cache right afterwards, never waits for the disk.
///
/// ```text
/// start → proceed ──hot──→ write chunk ──room──→ proceed … → end
///            │ cold              ↑    └─no room──→ (onWritable) → proceed
///            └→ run at DISK ─────┘
/// ```
///
/// The head goes out with the first chunk, so that a disk that fails or has no room by then is
/// answered 503 and not by half a response.
///
/// Owned by the exchange's loop; [#run] alone is called elsewhere, while the loop waits for it.
final class FileSend implements Task, Handler {
    /// Bytes read ahead and sent in one go.
    static final int CHUNK_BYTES = 1 << 20;

    private final EngineExchange x;
    private final OpenFile file;
    private final ByteRanges.Parts parts;
    private final @Nullable Multipart frame;
    private final boolean hot;
    private @Nullable ResponseHead head; // until it is sent
    private int part;
    private long at;
    private boolean readAhead; // the chunk at `at` is in the page cache
    private boolean failed;
    private boolean holding;

    /// Sends `parts` of `file`, which is lent for it.
    ///
    /// @param frame what stands between several parts, or null for one
    FileSend(EngineExchange x, OpenFile file, ByteRanges.Parts parts, @Nullable Multipart frame) {
        this.x = x;
        this.file = file;
        this.parts = parts;
        this.frame = frame;
        this.hot = file.isHot(x.nowNanos());
        this.at = parts.firsts()[0];
    }

    /// Sends `answer` with as much as can be sent now, or once the first chunk is read; the loan is given back at the end, or when
    /// the exchange is aborted.
    void start(ResponseHead answer) {
        holding = true;
        head = answer;
        x.onAbort(this::letGo);
        proceed();
    }

    /// Reads the next chunk, at a place that may block.
    @Override
    public Handler run() {
        failed = !file.lend(); // let go of by an abort, or closed under us
        if (!failed) {
            try {
                file.readAhead(at, chunk());
            } catch (IOException e) {
                failed = true;
            } finally {
                file.run();
            }
        }
        return this;
    }

    /// The chunk is here.
    @Override
    public void handle(Exchange same) {
        if (failed) {
            letGo();
            if (head == null) {
                x.response().abort(Fault.APPLICATION);
            } else {
                FileHandler.busy(x);
            }
            return;
        }
        readAhead = true;
        proceed();
    }

    private void proceed() {
        while (holding && part < parts.count()) {
            if (!hot && !readAhead) {
                x.run(ExecutorKind.DISK, this);
                return;
            }
            sendHead();
            boolean room = writeChunk();
            if (!room && part < parts.count()) {
                x.response().onWritable(this::proceed);
                return;
            }
        }
        if (!holding) {
            return; // a write of ours found the connection lost
        }
        if (parts.count() == 1 && parts.ends()[0] - parts.firsts()[0] == file.length()) {
            file.touch(x.nowNanos());
        }
        letGo();
        x.response().end(Fields.EMPTY);
    }

    private void sendHead() {
        @Nullable ResponseHead unsent = head;
        if (unsent != null) {
            head = null;
            x.response().head(unsent);
            if (frame != null) {
                x.response().write(frame.before(0));
            }
        }
    }

    /// @return whether there is room for more
    private boolean writeChunk() {
        long bytes = chunk();
        if (!file.lend()) {
            part = parts.count(); // closed under us: too few bytes end the connection
            return true;
        }
        Body.FileRegion piece = file.region(at, bytes);
        at += bytes;
        readAhead = false;
        long room = x.response().write(piece);
        if (at == parts.ends()[part]) {
            part++;
            boolean more = part < parts.count();
            at = more ? parts.firsts()[part] : at;
            if (frame != null) {
                room = x.response().write(more ? frame.before(part) : frame.end());
            }
        }
        return room > 0;
    }

    private long chunk() {
        long rest = parts.ends()[part] - at;
        return hot ? rest : Math.min(rest, CHUNK_BYTES);
    }

    private void letGo() {
        if (holding) {
            holding = false;
            file.run();
        }
    }
}
