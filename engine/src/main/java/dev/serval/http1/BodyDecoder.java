package dev.serval.http1;

import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Decodes the content of one message from its framing (RFC 9112 §6, §7). One decoder serves all
/// messages of a connection in turn; the connection's event loop owns it.
///
/// Order of calls for each message:
///
/// 1. one of [#none], [#fixed], [#chunked] and [#untilClose];
/// 2. [#decode] until [#done] or an [#error];
/// 3. [#end] if the connection's input ended before that.
public final class BodyDecoder {
    /// ```text
    /// none ───────────────────────────────────────────────▶ DONE
    /// fixed ───────▶ FIXED ── last byte ──────────────────▶ DONE
    /// untilClose ──▶ UNTIL_CLOSE ── input ended ───────────▶ DONE
    /// chunked ─────▶ CHUNK_LINE ── size 0 ──▶ TRAILERS ── empty line ──▶ DONE
    ///                 ▲    └── size n ──▶ CHUNK_CONTENT ── last byte ─┐
    ///                 └────── LF ── CHUNK_LF ◀── CR ── CHUNK_CR ◀──────┘
    /// any state ── broken framing, or past a limit ────────▶ FAILED
    /// ```
    private enum State {
        FIXED,
        UNTIL_CLOSE,
        CHUNK_LINE,
        CHUNK_CONTENT,
        CHUNK_CR,
        CHUNK_LF,
        TRAILERS,
        DONE,
        FAILED
    }

    private final Limits.Contents limits;
    private final boolean answers; // decodes those, not requests
    private State state = State.DONE;
    private long left; // bytes left of fixed content or of the current chunk
    private long contentBytes;
    private long extensionBytes; // of all chunks of the message
    private @Nullable ProtocolError error;
    private @Nullable ChunkLine chunkLine; // created for the first chunked message
    private @Nullable TrailerSection trailers;
    private boolean hasTrailers;

    /// Creates a decoder of requests with these limits. It is done, with no content.
    public BodyDecoder(Limits.Contents limits) {
        this(limits, false);
    }

    private BodyDecoder(Limits.Contents limits, boolean answers) {
        this.limits = limits;
        this.answers = answers;
    }

    /// Creates a decoder of answers. It drops forbidden trailers (RFC 9110 §6.5.1), which it refuses
    /// in requests: the recipient of an answer cannot ask for another one. It also takes white space at
    /// the end of a chunk's line (§7.1). Some old servers fill up their sizes so, and other clients
    /// accept it, because it leaves no doubt.
    public static BodyDecoder ofAnswers(Limits.Contents limits) {
        return new BodyDecoder(limits, true);
    }

    /// Gives up the memory of long trailers, which nobody reads any more.
    public void release() {
        if (trailers != null && !trailers.isSmall()) {
            trailers = null;
            hasTrailers = false;
        }
    }

    /// Starts a message without content.
    public void none() {
        start(State.DONE, 0);
    }

    /// Starts a message with `length` bytes of content (Content-Length).
    public void fixed(long length) {
        start(length == 0 ? State.DONE : State.FIXED, length);
        if (length > limits.mostBytes()) {
            fail(Refusal.CONTENT_TOO_LARGE);
        }
    }

    /// Starts a message with chunks (Transfer-Encoding: chunked).
    public void chunked() {
        start(State.CHUNK_LINE, 0);
        lineOfChunk().reset();
    }

    /// Starts a message that ends with the connection's input. Only responses do.
    public void untilClose() {
        start(State.UNTIL_CLOSE, 0);
    }

    /// Decodes framing and content from `buffer[from, to)`, as far as `into` has room for the
    /// content.
    ///
    /// @param into receives the content; null drops it
    /// @return number of bytes consumed; fewer than offered if the content is complete or broken,
    ///     or there is no room
    public int decode(byte[] buffer, int from, int to, @Nullable ByteBuffer into) {
        int at = from;
        int taken = 1;
        while (taken > 0 && at < to) {
            taken = step(buffer, at, to, into);
            at += taken;
        }
        return at - from;
    }

    /// Returns whether the content is complete.
    public boolean done() {
        return state == State.DONE;
    }

    /// Returns the fault in the content, or null. After a fault the decoder consumes nothing more.
    public @Nullable ProtocolError error() {
        return error;
    }

    /// Returns the number of content bytes so far, dropped ones included.
    public long contentBytes() {
        return contentBytes;
    }

    /// Returns the fields after chunked content; empty before the content is complete.
    public Fields trailers() {
        return trailers != null && hasTrailers && done() ? trailers.fields() : Fields.EMPTY;
    }

    /// Returns the bytes of memory that trailers take.
    public int memoryBytes() {
        return trailers == null ? 0 : trailers.memoryBytes();
    }

    /// Tells the decoder that the connection's input ended.
    ///
    /// @return whether the content is complete
    public boolean end() {
        if (state == State.UNTIL_CLOSE) {
            enter(State.DONE);
        }
        return state == State.DONE;
    }

    private void start(State first, long length) {
        left = length;
        contentBytes = 0;
        extensionBytes = 0;
        error = null;
        hasTrailers = false;
        enter(first);
    }

    private int step(byte[] buffer, int at, int to, @Nullable ByteBuffer into) {
        return switch (state) {
            case FIXED -> content(buffer, at, to, into, State.DONE);
            case UNTIL_CLOSE -> untilClose(buffer, at, to, into);
            case CHUNK_LINE -> chunkLine(buffer, at, to);
            case CHUNK_CONTENT -> content(buffer, at, to, into, State.CHUNK_CR);
            case CHUNK_CR -> lineEnd(buffer[at] == '\r', State.CHUNK_LF);
            case CHUNK_LF -> lineEnd(buffer[at] == '\n', State.CHUNK_LINE);
            case TRAILERS -> trailers(buffer, at, to);
            case DONE, FAILED -> 0;
        };
    }

    private int content(byte[] buffer, int at, int to, @Nullable ByteBuffer into, State next) {
        int length = move(buffer, at, (int) Math.min(left, to - at), into);
        left -= length;
        if (left == 0) {
            enter(next);
        }
        return length;
    }

    private int untilClose(byte[] buffer, int at, int to, @Nullable ByteBuffer into) {
        long allowed = limits.mostBytes() - contentBytes;
        return allowed == 0
                ? fail(Refusal.CONTENT_TOO_LARGE)
                : move(buffer, at, (int) Math.min(allowed, to - at), into);
    }

    private int move(byte[] buffer, int at, int offered, @Nullable ByteBuffer into) {
        int length = offered;
        if (into != null) {
            length = Math.min(offered, into.remaining());
            into.put(buffer, at, length);
        }
        contentBytes += length;
        return length;
    }

    private int chunkLine(byte[] buffer, int at, int to) {
        ChunkLine line = lineOfChunk();
        int taken = line.take(buffer, at, to);
        @Nullable ProtocolError wrong = line.error();
        if (wrong != null) {
            return fail(wrong);
        }
        if (!line.complete()) {
            return taken;
        }
        left = line.size();
        extensionBytes += line.extensionBytes();
        line.reset();
        if (extensionBytes > limits.chunkExtensionsMaxBytes()) {
            return fail(Refusal.CHUNK_EXTENSIONS_TOO_LONG);
        }
        if (left > limits.mostBytes() - contentBytes) {
            return fail(Refusal.CONTENT_TOO_LARGE);
        }
        if (left == 0) {
            sectionOfTrailers().reset();
        }
        enter(left == 0 ? State.TRAILERS : State.CHUNK_CONTENT);
        return taken;
    }

    private int lineEnd(boolean right, State next) {
        if (!right) {
            return fail(Refusal.CHUNK_END);
        }
        enter(next);
        return 1;
    }

    private int trailers(byte[] buffer, int at, int to) {
        TrailerSection section = sectionOfTrailers();
        int taken = section.take(buffer, at, to);
        @Nullable ProtocolError wrong = section.error();
        if (wrong != null) {
            return fail(wrong);
        }
        if (section.complete()) {
            hasTrailers = true;
            enter(State.DONE);
        }
        return taken;
    }

    private ChunkLine lineOfChunk() {
        if (chunkLine == null) {
            chunkLine = new ChunkLine(limits.chunkLineMaxBytes(), answers);
        }
        return chunkLine;
    }

    private TrailerSection sectionOfTrailers() {
        if (trailers == null) {
            trailers = new TrailerSection(limits, answers);
        }
        return trailers;
    }

    private int fail(ProtocolError what) {
        error = what;
        enter(State.FAILED);
        return 0;
    }

    private void enter(State next) {
        state = next;
    }
}
