package dev.serval.net;

import java.nio.ByteBuffer;

/// One direction of the toy records that a [MaskedTransport] sends and receives. A record is a type,
/// the length of its content in two bytes, the content masked by a key that changes with every byte,
/// and a check byte. So bytes on the wire differ from the connection's in value and number, and a
/// record can be read only after all of it has arrived, as in TLS.
public final class Masking {
    /// A record with content.
    public static final byte CONTENT = 1;

    /// The last record of a direction, without content.
    public static final byte END = 2;

    /// The most content of a record in bytes.
    public static final int CONTENT_MAX = 9973;

    /// The bytes of a record before its content.
    public static final int HEADER = 3;

    /// The bytes of a record besides its content.
    public static final int OVERHEAD = HEADER + 1;

    private int key = 12_345;

    /// Returns the length of the record at `at`, or 0 if its header is not complete.
    public static int length(ByteBuffer bytes, int at, int to) {
        if (to - at < HEADER) {
            return 0;
        }
        return OVERHEAD
                + (Byte.toUnsignedInt(bytes.get(at + 1)) << 8)
                + Byte.toUnsignedInt(bytes.get(at + 2));
    }

    /// Begins a record.
    public void begin(byte type, int content, ByteBuffer into) {
        into.put(type).put((byte) (content >> 8)).put((byte) content);
    }

    /// Adds content.
    public void put(ByteBuffer plain, int from, int length, ByteBuffer into) {
        for (int i = 0; i < length; i++) {
            into.put((byte) (plain.get(from + i) ^ next()));
        }
    }

    /// Ends a record.
    public void end(ByteBuffer into) {
        into.put((byte) next());
    }

    /// Unmasks the content of a whole record at its place, and checks it.
    ///
    /// @throws IllegalStateException if the check byte is wrong: bytes were lost or changed
    public void unmask(ByteBuffer bytes, int at, int length) {
        int end = at + length - 1;
        for (int i = at + HEADER; i < end; i++) {
            bytes.put(i, (byte) (bytes.get(i) ^ next()));
        }
        if (bytes.get(end) != (byte) next()) {
            throw new IllegalStateException("The check byte of a record is wrong");
        }
    }

    private int next() {
        key = key * 1_103_515_245 + 12_345;
        return key >>> 16;
    }
}
