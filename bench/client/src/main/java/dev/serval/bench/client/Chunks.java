package dev.serval.bench.client;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads a chunked content (RFC 9112 §7.1) from a stream of bytes. Does no I/O and reads no clock.
/// Allocates nothing if it drops the content.
///
/// ```
///   SIZE ──line──▶ DATA ──all bytes──▶ AFTER ──line──▶ SIZE
///     └──line of the last chunk──▶ TRAILER ──empty line──▶ END
/// ```
final class Chunks {
    private static final int SIZE_MAX = 1 << 24;
    private static final int RADIX = 16;

    /// The states of the diagram above.
    private enum State {
        SIZE,
        DATA,
        AFTER,
        TRAILER,
        END
    }

    private final @Nullable ByteArrayOutputStream kept;
    private State state = State.SIZE;
    private long length;
    private int left;
    private int lineBytes;
    private boolean extension;
    private boolean afterCr;

    /// @param kept receives the content; null to drop it
    Chunks(@Nullable ByteArrayOutputStream kept) {
        this.kept = kept;
    }

    /// Begins a new content.
    void reset() {
        length = 0;
        line(State.SIZE);
    }

    private void line(State next) {
        state = next;
        lineBytes = 0;
        extension = false;
        left = next == State.SIZE ? 0 : left;
    }

    /// Returns the length of the content so far.
    long length() {
        return length;
    }

    /// Consumes bytes up to the end of the content.
    ///
    /// @return whether the content is complete
    /// @throws ProtocolException if the bytes are not chunks
    boolean take(ByteBuffer in) throws ProtocolException {
        while (state != State.END && in.hasRemaining()) {
            if (state == State.DATA) {
                int n = Math.min(left, in.remaining());
                data(in, n);
                left -= n;
                length += n;
                if (left == 0) {
                    line(State.AFTER);
                }
            } else {
                take(in.get());
            }
        }
        return state == State.END;
    }

    private void data(ByteBuffer in, int n) {
        if (kept == null) {
            in.position(in.position() + n);
        } else {
            byte[] bytes = new byte[n];
            in.get(bytes);
            kept.writeBytes(bytes);
        }
    }

    private void take(byte one) throws ProtocolException {
        boolean ends = afterCr;
        afterCr = one == '\r';
        if (one == '\n') {
            if (!ends) {
                throw new ProtocolException("No CR before LF");
            }
            endOfLine();
        } else if (one != '\r') {
            lineBytes++;
            if (state == State.SIZE) {
                size(one);
            } else if (state == State.AFTER) {
                throw new ProtocolException("Bytes after the data of a chunk");
            }
        }
    }

    private void size(byte one) throws ProtocolException {
        extension |= one == ';';
        if (extension) {
            return;
        }
        int digit = Character.digit(one, RADIX);
        if (digit < 0 || left > SIZE_MAX) {
            throw new ProtocolException("Not the size of a chunk");
        }
        left = left * RADIX + digit;
    }

    private void endOfLine() throws ProtocolException {
        switch (state) {
            case SIZE -> {
                if (lineBytes == 0) {
                    throw new ProtocolException("A chunk has no size");
                }
                line(left == 0 ? State.TRAILER : State.DATA);
            }
            case AFTER -> line(State.SIZE);
            case TRAILER -> line(lineBytes == 0 ? State.END : State.TRAILER);
            case DATA, END -> throw new IllegalStateException("No line is read in " + state);
        }
    }
}
