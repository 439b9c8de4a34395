package dev.serval.coding;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Compresses content as it arrives (RFC 1952). It does no I/O, and allocates nothing but its own
/// memory, which is outside the heap for the most part. Order of calls: [#take] and then [#put] until
/// that returns false, for each piece; at last [#finish]; [#restart] for another content; [#close] at
/// the end. Used by one thread at a time.
public final class GzipStream implements AutoCloseable {
    /// What one stream occupies, by the manual of zlib, with the objects of the JDK.
    public static final int MEMORY_BYTES = 264 << 10;

    /// The least room for which a call is worth it. A flush that ends within 6 bytes of the end of the
    /// room would be marked twice.
    private static final int LEAST_ROOM = 32;

    private final Deflater deflater;
    private final CRC32 checksum = new CRC32();
    private final byte[] header = new byte[Gzip.FRAME_BYTES];
    private final int level;
    private long length;
    private boolean begun;
    private boolean ended;

    /// Creates a stream.
    ///
    /// @param level from 1 to 9
    public GzipStream(int level) {
        this.level = level;
        this.deflater = new Deflater(level, true);
    }

    /// Returns the level, which stays: to change that of a [Deflater] would break its next flush.
    int level() {
        return level;
    }

    /// Forgets the content, so that another one may follow.
    public void restart() {
        deflater.reset();
        checksum.reset();
        length = 0;
        begun = false;
        ended = false;
    }

    /// Takes a piece of the content, from its position to its limit. It must not change until [#put]
    /// has returned false.
    public void take(ByteBuffer piece) {
        length += piece.remaining();
        checksum.update(piece.duplicate());
        deflater.setInput(piece);
    }

    /// Puts compressed bytes into `into`.
    ///
    /// @param flush whether all content so far must be readable from the bytes so far
    /// @return whether more bytes wait, because `into` has no more room
    public boolean put(ByteBuffer into, boolean flush) {
        return deflate(into, flush ? Deflater.SYNC_FLUSH : Deflater.NO_FLUSH);
    }

    /// Puts the end of the compressed bytes into `into`.
    ///
    /// @return whether more bytes wait, because `into` has no more room
    public boolean finish(ByteBuffer into) {
        if (!ended) {
            deflater.finish();
            if (deflate(into, Deflater.NO_FLUSH) || into.remaining() < Gzip.TRAILER_BYTES) {
                return true;
            }
            Gzip.putTrailer(into, checksum.getValue(), length);
            ended = true;
        }
        return false;
    }

    /// Releases the memory.
    @Override
    public void close() {
        deflater.end();
    }

    private boolean deflate(ByteBuffer into, int flush) {
        if (into.remaining() < LEAST_ROOM) {
            return true;
        }
        if (!begun) {
            begun = true;
            into.put(header, 0, Gzip.putHeader(header));
        }
        while (!deflater.finished()) {
            int room = into.remaining();
            int n = deflater.deflate(into, flush);
            if (n == room) {
                return true;
            }
            if (n == 0 || flush != Deflater.NO_FLUSH) {
                return false;
            }
        }
        return false;
    }
}
