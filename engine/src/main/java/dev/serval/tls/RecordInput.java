package dev.serval.tls;

import dev.serval.net.NetLoop;
import dev.serval.net.RecordBuffers;
import dev.serval.net.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Keeps what a connection has received and not used yet: records that are not complete or not
/// opened, and content for which the reader had no room. An idle connection keeps nothing. Owned by
/// the connection's loop.
final class RecordInput {
    private static final byte[] NONE = {};

    private final NetLoop net;
    private byte[] records = NONE;
    private int recordsTo;
    private byte[] content = NONE;
    private int contentFrom;
    private int contentTo;

    RecordInput(NetLoop net) {
        this.net = net;
    }

    /// Returns the loop's buffer with the records that were kept. [#save] must follow.
    ByteBuffer load() {
        ByteBuffer loaded = net.records().incoming().clear();
        if (recordsTo > 0) {
            loaded.put(records, 0, recordsTo);
            dropRecords();
        }
        return loaded.flip();
    }

    /// Keeps the rest of the loop's buffer.
    void save(ByteBuffer rest) {
        int length = rest.remaining();
        if (length > 0) {
            records = net.pool().array(length);
            rest.get(records, 0, length);
            recordsTo = length;
        }
    }

    /// Reads the socket once and appends to a loaded buffer: what fills the reader's room, but at least
    /// the rest of one record.
    ///
    /// @return as [Transport#read]
    int fill(ByteBuffer loaded, Transport socket, int room) throws IOException {
        int have = loaded.remaining();
        loaded.compact();
        int most = Math.max(room, RecordBuffers.RECORD_MAX_BYTES - have);
        loaded.limit(Math.min(loaded.capacity(), have + most));
        try {
            return socket.read(loaded);
        } finally {
            loaded.flip();
        }
    }

    /// Moves as much content as the reader has room for, and keeps the rest.
    void deliver(ByteBuffer opened, ByteBuffer into) {
        int n = Math.min(opened.remaining(), into.remaining());
        into.put(into.position(), opened, opened.position(), n);
        into.position(into.position() + n);
        opened.position(opened.position() + n);
        int left = opened.remaining();
        if (left > 0) {
            content = net.pool().array(left);
            opened.get(content, 0, left);
            contentFrom = 0;
            contentTo = left;
        }
    }

    /// Returns whether content was kept.
    boolean hasContent() {
        return contentFrom < contentTo;
    }

    /// Moves content that was kept.
    ///
    /// @return the bytes moved
    int deliver(ByteBuffer into) {
        int n = Math.min(into.remaining(), contentTo - contentFrom);
        into.put(content, contentFrom, n);
        contentFrom += n;
        if (contentFrom == contentTo) {
            dropContent();
        }
        return n;
    }

    /// Returns whether a complete record was kept.
    boolean hasRecord() {
        int length = TlsRecord.length(records, 0, recordsTo);
        return length > 0 && length <= recordsTo;
    }

    /// Returns the bytes of memory that it keeps, as [BufferPool#held] counts them.
    long held() {
        return (long) records.length + content.length;
    }

    /// Gives everything back.
    void free() {
        dropRecords();
        dropContent();
    }

    private void dropRecords() {
        if (records.length > 0) {
            net.pool().giveBack(records);
        }
        records = NONE;
        recordsTo = 0;
    }

    private void dropContent() {
        if (content.length > 0) {
            net.pool().giveBack(content);
        }
        content = NONE;
        contentFrom = 0;
        contentTo = 0;
    }
}
