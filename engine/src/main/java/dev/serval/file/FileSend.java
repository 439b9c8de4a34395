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

/// Sends parts of an open file to one exchange. If the file may not be in the page cache, each
/// chunk is first read on [ExecutorKind#DISK]. Then the loop sends it from the page cache, so the
/// loop never waits for the disk.
///
/// ```text
/// start → proceed ──hot──→ write chunk ──room──→ proceed … → end
///            │ cold              ↑    └─no room──→ (onWritable) → proceed
///            └→ run on DISK ─────┘
/// ```
///
/// The head is sent with the first chunk. If the disk fails or has no room before that, the answer
/// is a 503 and not half a response. If the file is written before that, it is looked up again. If
/// it is written later, the response is aborted, so that no client gets parts of two versions.
///
/// Owned by the exchange's loop. Only [#run] is called on another thread, while the loop waits for
/// it.
final class FileSend implements Task, Handler {
    /// Bytes that are read ahead and sent together.
    static final int CHUNK_BYTES = 1 << 20;

    private final EngineExchange x;
    private final OpenFile file;
    private final ByteRanges.Parts parts;
    private final @Nullable Multipart frame;
    private final Handler again;
    private final boolean hot;
    private @Nullable ResponseHead head; // until it is sent
    private int part;
    private long at;
    private boolean readAhead; // whether the chunk at `at` is in the page cache
    private boolean failed;
    private boolean holding;

    /// Prepares to send `parts` of `file`, which is lent for this purpose.
    ///
    /// @param frame the bytes between several parts, or null for one part
    /// @param again answers in place of this if the file changes before the head is sent
    FileSend(
            EngineExchange x,
            OpenFile file,
            ByteRanges.Parts parts,
            @Nullable Multipart frame,
            Handler again) {
        this.x = x;
        this.file = file;
        this.parts = parts;
        this.frame = frame;
        this.again = again;
        this.hot = file.isHot(x.nowNanos());
        this.at = parts.firsts()[0];
    }

    /// Sends `answer` and as much as can be sent now, or after the first chunk is read. The loan
    /// ends with the response, or if the exchange is aborted.
    void start(ResponseHead answer) {
        holding = true;
        head = answer;
        x.onAbort(this::letGo);
        proceed();
    }

    /// Reads the next chunk, on an executor that may block.
    @Override
    public Handler run() {
        failed = !file.lend(); // an abort or a reader closed it
        if (!failed) {
            try {
                file.readAhead(at, chunk());
            } catch (IOException e) {
                failed = true;
            } finally {
                file.close();
            }
        }
        return this;
    }

    /// Sends the chunk that was read.
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
        if (head != null && !file.isUnchanged()) {
            letGo();
            again.handle(x);
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
            if (head == null && !file.getAsBoolean()) {
                letGo();
                x.response().abort(Fault.APPLICATION);
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
            return; // a write found that the connection is lost
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
            part = parts.count(); // it was closed: sending too few bytes ends the connection
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
