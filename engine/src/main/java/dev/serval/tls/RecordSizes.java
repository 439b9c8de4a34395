package dev.serval.tls;

/// Chooses how much content a record gets. The peer can use a record only after all of it has arrived.
/// So records are small while the peer's system may not take more than some packets at a time, which is
/// at the start of a connection and after a pause. Later they are large, because each costs its own
/// processor time. What the peer sends is no pause: over HTTP/2 it enlarges its windows all the time.
final class RecordSizes {
    /// The most content of a record. With more, the engine of the JDK makes two.
    static final int LARGE_BYTES = 16_367;

    /// Four packets of a network with an MTU of 1,500 bytes. An answer of 4 KiB with its head fits.
    static final int SMALL_BYTES = 5_600;

    /// Bytes that are sent in small records first. After that many, a new connection has been
    /// acknowledged some times (RFC 6928: it begins with 14 KB).
    static final int SMALL_AT_FIRST_BYTES = 64 << 10;

    /// After such a pause between two writes, the system sends slowly again (RFC 5681 §4.1). It is the
    /// shortest time that Linux waits for an acknowledgement.
    static final long PAUSE_NANOS = 200_000_000;

    private long sent;
    private long lastNanos;

    /// Notes the begin of a write.
    void begin(long nowNanos) {
        if (nowNanos - lastNanos >= PAUSE_NANOS) {
            sent = 0;
        }
        lastNanos = nowNanos;
    }

    /// Returns the most content of the next record.
    int next() {
        return sent < SMALL_AT_FIRST_BYTES ? SMALL_BYTES : LARGE_BYTES;
    }

    /// Notes the content of a record.
    void sealed(int content) {
        sent += content;
    }
}
