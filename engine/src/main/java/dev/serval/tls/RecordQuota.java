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

    /// The most records without content after the handshake that content does not outweigh, such as
    /// changes of keys.
    static final int BLANK_MAX = 32;

    /// The content that outweighs one of them.
    static final int CONTENT_BYTES = 1 << 10;

    /// The bytes of a client's record that may have one change of keys. The record of such a change has
    /// 27 to 43. RFC 8446 §5.1 forbids more of them in one, but the engine of the JDK carries out all of
    /// them, each of which takes as long as opening a long record.
    static final int BLANK_BYTES = 64;

    /// The most records that one read opens. So a client with tiny records does not hold up others.
    static final int READ_MAX = 64;

    private final NetLoop net;
    private final boolean isClient;
    private int ofHandshake;
    private long owed; // bytes of content, for records without any
    private int ofRead;
    private boolean blankInRead;
    private long heldBytes;

    /// @param isClient whether the peer is a server, which may send long records without content: tickets
    RecordQuota(NetLoop net, boolean isClient) {
        this.net = net;
        this.isClient = isClient;
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

    /// Counts a record after the handshake. A client's long record without content counts as several.
    ///
    /// @param content the bytes of its content
    /// @param bytes its length
    /// @throws IOException if there were too many without any
    void opened(int content, int bytes) throws IOException {
        ofRead++;
        blankInRead = content == 0;
        if (blankInRead) {
            owed += CONTENT_BYTES * (isClient ? 1L : 1L + bytes / BLANK_BYTES);
        } else {
            owed = Math.max(0, owed - content);
        }
        if (owed > BLANK_MAX * CONTENT_BYTES) {
            throw TlsFault.flood("Too many records without content, or too long ones");
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
