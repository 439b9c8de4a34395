package dev.serval.http2;

/// Counts the content in memory that waits on one connection. So a connection with many streams whose
/// client takes nothing ends if all connections hold too much.
///
/// The application chooses the length of a response, which must not end a connection whose client reads.
/// So each byte that the client takes makes up for several that wait. Half of that is forgotten every
/// 2 s, so a client must go on reading. See docs/decisions/0008-memory-of-all-connections.md. Owned by
/// the connection.
public final class UnsentContent {
    /// The waiting bytes that a byte makes up for. The first window of most clients, 64 KiB, is enough for
    /// 8 responses that count 64 KiB each, and then 4 KiB a second for each.
    private static final int MADE_UP_FOR = 8;

    private static final long HALF_LIFE_NANOS = 2_000_000_000;

    private long waiting; // bytes
    private long taken; // bytes, of which half is forgotten every 2 s
    private long halvedNanos;
    private long counted; // bytes

    /// Creates a count of nothing.
    public UnsentContent(long nowNanos) {
        this.halvedNanos = nowNanos;
    }

    /// Notes that more bytes wait, or that a negative number of them waits no more.
    public void waits(long bytes) {
        waiting += bytes;
    }

    /// Notes bytes of any content that the client has taken.
    public void took(int bytes, long nowNanos) {
        halve(nowNanos);
        taken += bytes;
    }

    /// Counts what waits.
    ///
    /// @return how many bytes more it is than the last time
    public long count(long nowNanos) {
        halve(nowNanos);
        long before = counted;
        counted = Math.max(0, waiting - MADE_UP_FOR * taken);
        return counted - before;
    }

    /// Returns the bytes that were counted last.
    public long counted() {
        return counted;
    }

    private void halve(long nowNanos) {
        long times = (nowNanos - halvedNanos) / HALF_LIFE_NANOS;
        halvedNanos += times * HALF_LIFE_NANOS;
        taken >>= Math.min(times, Long.SIZE - 1);
    }
}
