package dev.serval.net;

import java.nio.ByteBuffer;

/// The buffers of a loop for transports that send and receive records, such as those of TLS. All
/// connections use them in turn, so an idle connection holds none. A transport uses them within one of
/// its calls only, and saves what it has to keep. Owned by the loop.
public final class RecordBuffers {
    /// More than the longest record of TLS: 5 bytes of header, 16 KiB of content and up to 2 KiB of
    /// padding and checks (RFC 5246 §6.2.3).
    public static final int RECORD_MAX_BYTES = 18_437;

    /// The most records that are sent in one call of the system.
    public static final int RECORDS_MAX = 4;

    private static final int READ_BYTES = 64 << 10;

    private final ByteBuffer incoming = ByteBuffer.allocateDirect(READ_BYTES + RECORD_MAX_BYTES);
    private final ByteBuffer outgoing =
            ByteBuffer.allocateDirect((RECORDS_MAX + 1) * RECORD_MAX_BYTES);
    private final ByteBuffer plain = ByteBuffer.allocateDirect(RECORD_MAX_BYTES);
    private final ByteBuffer onHeap = ByteBuffer.allocate(outgoing.capacity());
    private final ByteBuffer[] one = new ByteBuffer[1];
    private final int[] starts = new int[Output.GATHER_MAX];
    private final int[] contents = new int[RECORDS_MAX];
    private final int[] lengths = new int[RECORDS_MAX];

    /// Creates the buffers of a loop.
    RecordBuffers() {}

    /// Returns the buffer for records that have been received. It has room for one more record than a
    /// read brings.
    public ByteBuffer incoming() {
        return incoming;
    }

    /// Returns the buffer for records that are to be sent.
    public ByteBuffer outgoing() {
        return outgoing;
    }

    /// Returns a buffer on the heap, as long as [#outgoing], for who makes and opens records faster there.
    public ByteBuffer onHeap() {
        return onHeap;
    }

    /// Returns a buffer for the content of one record, if the reader has less room than that.
    public ByteBuffer plain() {
        return plain;
    }

    /// Returns an array with one buffer.
    public ByteBuffer[] one(ByteBuffer part) {
        one[0] = part;
        return one;
    }

    /// Returns an array for the positions of the buffers of a gathering write.
    public int[] starts() {
        return starts;
    }

    /// Returns an array for the bytes of content in each record that is to be sent.
    public int[] contents() {
        return contents;
    }

    /// Returns an array for the length of each record that is to be sent.
    public int[] lengths() {
        return lengths;
    }
}
