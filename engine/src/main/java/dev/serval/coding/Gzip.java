package dev.serval.coding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/// The format of gzip (RFC 1952), and the compression of content that is complete. Stateless.
public final class Gzip {
    /// The bytes of a member's header and of its trailer.
    static final int FRAME_BYTES = 18;

    /// The bytes of the trailer: checksum and length.
    static final int TRAILER_BYTES = 8;

    /// Without a name and a date, so that equal content is compressed to equal bytes. The last byte
    /// names no system (§2.3.1).
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 255};

    private Gzip() {}

    /// Compresses `content`.
    ///
    /// @param level from 1 to 9
    /// @param mostBytes the length past which the result is of no use
    /// @return null if the result would be longer than that
    public static byte @Nullable [] compressed(byte[] content, int level, int mostBytes) {
        if (mostBytes <= FRAME_BYTES) {
            return null;
        }
        byte[] into = new byte[mostBytes + 1]; // zlib finds the end only if room is left
        putHeader(into);
        Deflater deflater = new Deflater(level, true);
        int at = HEADER.length;
        try {
            deflater.setInput(content);
            deflater.finish();
            int end = into.length - TRAILER_BYTES;
            while (!deflater.finished() && at < end) {
                at += deflater.deflate(into, at, end - at);
            }
            if (!deflater.finished() || at == end) {
                return null;
            }
        } finally {
            deflater.end();
        }
        CRC32 checksum = new CRC32();
        checksum.update(content);
        putTrailer(ByteBuffer.wrap(into, at, TRAILER_BYTES), checksum.getValue(), content.length);
        return Arrays.copyOf(into, at + TRAILER_BYTES);
    }

    /// Puts a header at the beginning of `into`.
    ///
    /// @return its length
    static int putHeader(byte[] into) {
        System.arraycopy(HEADER, 0, into, 0, HEADER.length);
        return HEADER.length;
    }

    /// Puts the trailer of a member.
    ///
    /// @param length bytes of the content; only the lower 32 bits count
    static void putTrailer(ByteBuffer into, long checksum, long length) {
        into.order(ByteOrder.LITTLE_ENDIAN).putInt((int) checksum).putInt((int) length);
    }
}
