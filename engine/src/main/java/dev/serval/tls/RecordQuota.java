package dev.serval.tls;

import dev.serval.net.NetLoop;
import java.io.IOException;

/// Bounds the records of a peer that cost more than they bring, and counts the memory of its handshake.
/// The engine of the JDK keeps what it has of a message of the handshake, and copies all of it for each
/// further record. Owned by the connection's loop.
///
/// Legal order: [#beginHandshake], then [#begin] at each read, [#allows] before each record and [#opened]
/// after it.
final class RecordQuota {
    /// The most records of a client's handshake. Clients send fewer than ten.
    static final int HANDSHAKE_MAX = 128;

    /// What the engine of the JDK keeps for a handshake besides what it has received, such as keys, as
    /// measured with TLS 1.3 (JDK 25). Afterwards it keeps 5 KB.
    static final int ENGINE_BYTES = 12 << 10;

    /// The most records without content in a row after the handshake, such as changes of keys.
    static final int BLANK_MAX = 32;

    /// The most records that one read opens. So a client with tiny records does not hold up others.
    static final int READ_MAX = 64;

    private final NetLoop net;
    private int ofHandshake;
    private int blank; // in a row
    private int ofRead;
    private boolean blankInRead;
    private long heldBytes;

    RecordQuota(NetLoop net) {
        this.net = net;
    }

    /// Notes that a handshake begins.
    void beginHandshake() {
        hold(ENGINE_BYTES);
    }

    /// Begins a read.
    void begin() {
        ofRead = 0;
        blankInRead = false;
    }

    /// Returns whether this read may open another record. It may not after one without content, whose
    /// answer costs as much as many records.
    boolean allows() {
        return ofRead < READ_MAX && !blankInRead;
    }

    /// Counts a record of the handshake.
    ///
    /// @param bytes its length
    /// @throws IOException if there were too many
    void openedInHandshake(int bytes) throws IOException {
        ofRead++;
        hold(bytes);
        if (++ofHandshake > HANDSHAKE_MAX) {
            throw new TlsFault("The handshake has more than " + HANDSHAKE_MAX + " records");
        }
    }

    /// Counts a record after the handshake.
    ///
    /// @param content the bytes of its content
    /// @throws IOException if there were too many without any
    void opened(int content) throws IOException {
        ofRead++;
        blankInRead = content == 0;
        blank = blankInRead ? blank + 1 : 0;
        if (blank > BLANK_MAX) {
            throw new TlsFault("More than " + BLANK_MAX + " records in a row have no content");
        }
    }

    /// Returns the bytes that the engine holds for the handshake.
    long held() {
        return heldBytes;
    }

    /// Notes that the handshake has ended, so that the engine holds nothing for it.
    void free() {
        hold(-heldBytes);
    }

    private void hold(long bytes) {
        heldBytes += bytes;
        net.pool().hold(bytes);
    }
}
