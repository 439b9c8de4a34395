package dev.serval.net;

import dev.serval.net.memory.MemoryPeer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// The far end of a connection in memory with a [MaskedTransport].
final class MaskedPeer {
    private final MemoryPeer peer;
    private final Masking outgoing = new Masking();
    private final Masking incoming = new Masking();
    private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
    private boolean sawEnd;

    MaskedPeer(MemoryPeer peer) {
        this.peer = peer;
    }

    /// Returns the end below the records.
    MemoryPeer peer() {
        return peer;
    }

    void window(long bytes) {
        peer.window(bytes);
    }

    /// Returns a record with that content.
    byte[] record(byte type, byte[] content) {
        ByteBuffer into = ByteBuffer.allocate(content.length + Masking.OVERHEAD);
        outgoing.begin(type, content.length, into);
        outgoing.put(ByteBuffer.wrap(content), 0, content.length, into);
        outgoing.end(into);
        return into.array();
    }

    /// Returns the content of the records that have arrived whole, and discards it.
    byte[] take() {
        raw.writeBytes(peer.take());
        ByteBuffer bytes = ByteBuffer.wrap(raw.toByteArray());
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        int at = 0;
        int length = Masking.length(bytes, at, bytes.capacity());
        while (length > 0 && length <= bytes.capacity() - at) {
            incoming.unmask(bytes, at, length);
            content.write(bytes.array(), at + Masking.HEADER, length - Masking.OVERHEAD);
            sawEnd |= bytes.get(at) == Masking.END;
            at += length;
            length = Masking.length(bytes, at, bytes.capacity());
        }
        raw.reset();
        raw.write(bytes.array(), at, bytes.capacity() - at);
        return content.toByteArray();
    }

    /// Returns whether [#take] has found the last record.
    boolean sawEnd() {
        return sawEnd;
    }
}
