package dev.serval.tls;

import dev.serval.net.RecordBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/// Reads the header of a record without the engine (RFC 8446 §5.1): type, version, length.
final class TlsRecord {
    private static final int HEADER = 5;
    private static final int HANDSHAKE = 22;
    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 24;
    private static final int MAJOR_VERSION = 3;

    private TlsRecord() {}

    /// Returns whether a connection that begins with this byte may speak TLS.
    static boolean beginsHandshake(byte first) {
        return first == HANDSHAKE;
    }

    /// Returns whether a connection that begins with this byte speaks plain HTTP: each method begins
    /// with a capital letter.
    static boolean beginsHttp(byte first) {
        return first >= 'A' && first <= 'Z';
    }

    /// Returns the length of the record at `from[at, to)` with its header; 0 if its header is not
    /// complete.
    static int length(byte[] from, int at, int to) {
        return to - at < HEADER
                ? 0
                : HEADER + (((from[at + 3] & 0xff) << 8) | (from[at + 4] & 0xff));
    }

    /// Returns the length of the record at the buffer's position with its header; 0 if the record is
    /// not complete.
    ///
    /// @throws IOException if these bytes are no record
    static int complete(ByteBuffer from) throws IOException {
        if (from.remaining() < HEADER) {
            return 0;
        }
        int at = from.position();
        int type = from.get(at);
        int length = HEADER + (from.getShort(at + 3) & 0xffff);
        if (type < FIRST_TYPE
                || type > LAST_TYPE
                || from.get(at + 1) != MAJOR_VERSION
                || length > RecordBuffers.RECORD_MAX_BYTES) {
            throw new TlsFault("Bytes that are no record of TLS: " + hex(from, at));
        }
        return length <= from.remaining() ? length : 0;
    }

    private static String hex(ByteBuffer from, int at) {
        byte[] header = new byte[HEADER];
        from.get(at, header);
        return HexFormat.ofDelimiter(" ").formatHex(header);
    }
}
