package dev.serval.http2;

import dev.serval.hpack.FieldSink;
import dev.serval.hpack.HpackDecoder;
import dev.serval.hpack.HpackError;
import dev.serval.hpack.HpackScratch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads header blocks from the frames that carry them (RFC 9113 §4.3). A field line may be divided
/// between frames, so its beginning is kept until the rest arrives. Order of calls for each block:
/// [#begin], then [#read] for each frame, with [#continuation] before all but the first. Owned by the
/// connection.
public final class BlockReader {
    private static final byte[] NONE = {};
    private static final FrameError[] ERRORS = errors();

    private final HpackDecoder decoder;
    private final FieldSink first;
    private FieldSink sink; // of the present block; of no past one, which would keep its memory
    private byte[] rest = NONE; // the beginning of a field line
    private int restLength;
    private int continuations;

    /// Creates a reader.
    ///
    /// @param first takes the fields of the first block
    public BlockReader(HpackScratch scratch, FieldSink first) {
        decoder = new HpackDecoder(scratch);
        this.first = first;
        sink = first;
    }

    /// Changes the largest dynamic table, after the client has acknowledged it.
    public void tableMax(int bytes) {
        decoder.tableMax(bytes);
    }

    /// Begins a block.
    ///
    /// @param listMaxBytes as in [HpackDecoder#begin]
    public void begin(int listMaxBytes, FieldSink into) {
        decoder.begin(listMaxBytes);
        sink = into;
        continuations = 0;
    }

    /// Counts a CONTINUATION frame.
    ///
    /// @param most how many a block may have
    /// @return the error that ends the connection, or null
    public @Nullable FrameError continuation(int most) {
        return ++continuations > most ? Broken.BLOCK_FLOOD : null;
    }

    /// Reads the part of the block that a frame has.
    ///
    /// @param whole whether the block ends with it
    /// @return the error that ends the connection, or null
    public @Nullable FrameError read(byte[] from, int at, int end, boolean whole) {
        byte[] bytes = from;
        int start = at;
        int to = end;
        if (restLength > 0) {
            keep(from, at, end);
            bytes = rest;
            start = 0;
            to = restLength;
        }
        int used = decoder.decode(bytes, start, to, whole, sink);
        if (used == HpackDecoder.ERROR) {
            return error();
        }
        restLength = 0;
        if (used < to) {
            keep(bytes, used, to);
        }
        if (whole) {
            rest = NONE;
            sink = first;
        }
        return null;
    }

    /// Returns whether fields were left out, because they are too large together.
    public boolean tooLarge() {
        return decoder.tooLarge();
    }

    /// Returns the bytes of memory that it takes.
    public int memoryBytes() {
        return decoder.memoryBytes() + rest.length;
    }

    /// Appends bytes to the rest. They may be in its own array, behind their new place.
    private void keep(byte[] from, int at, int end) {
        int n = end - at;
        byte[] into = rest;
        if (into.length - restLength < n) {
            into = Arrays.copyOf(rest, Math.max(restLength + n, 2 * rest.length));
        }
        System.arraycopy(from, at, into, restLength, n);
        rest = into;
        restLength += n;
    }

    @SuppressWarnings("EnumOrdinal") // the array has an error for each constant, in their order
    private FrameError error() {
        @Nullable HpackError wrong = decoder.error();
        return ERRORS[wrong == null ? 0 : wrong.ordinal()];
    }

    private static FrameError[] errors() {
        HpackError[] all = HpackError.values();
        FrameError[] errors = new FrameError[all.length];
        for (int i = 0; i < all.length; i++) {
            errors[i] =
                    all[i] == HpackError.BOMB
                            ? Broken.BLOCK_FLOOD
                            : new FrameError(
                                    ErrorCode.COMPRESSION_ERROR, all[i].what(), all[i].section());
        }
        return errors;
    }
}
