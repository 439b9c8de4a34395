package dev.serval.gateway.relay;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Writes a line to the log for each request that got 502, 503 or 504, or a broken answer. A fault
/// that hits all requests must not fill the disk, so only the first lines of a second are written,
/// and the others are counted. Any thread.
final class FailureLog {
    /// The most lines in a second.
    static final int LINES_MAX = 10;

    /// The most characters of a request's method and target.
    static final int REQUEST_MAX_CHARS = 256;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Consumer<String> lines;
    private final AtomicLong fromNanos = new AtomicLong(Long.MIN_VALUE);
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger leftOut = new AtomicInteger();

    /// @param lines takes each line, and never waits
    FailureLog(Consumer<String> lines) {
        this.lines = lines;
    }

    /// Writes a line, or counts it.
    ///
    /// @return whether it is the first one that was left out since [#tellLeftOut], which the caller
    ///     calls a second later
    boolean add(String line, long nowNanos) {
        long from = fromNanos.get();
        boolean over = from == Long.MIN_VALUE || nowNanos - from >= SECOND_NANOS;
        if (over && fromNanos.compareAndSet(from, nowNanos)) {
            written.set(0);
        }
        if (written.get() < LINES_MAX && written.incrementAndGet() <= LINES_MAX) {
            lines.accept(line);
            return false;
        }
        return leftOut.getAndIncrement() == 0;
    }

    /// Writes how many lines were left out.
    void tellLeftOut() {
        int count = leftOut.getAndSet(0);
        if (count > 0) {
            lines.accept(count + " more requests failed, which were only counted");
        }
    }

    /// Returns text from a client for the log: printable ASCII, all else as `\\xNN`, at most
    /// [#REQUEST_MAX_CHARS] characters of it.
    static String escaped(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        StringBuilder escaped = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            if (escaped.length() >= REQUEST_MAX_CHARS) {
                return escaped.append("...").toString();
            }
            if (b > ' ' && b < 0x7f && b != '\\') {
                escaped.append((char) b);
            } else {
                escaped.append("\\x%02x".formatted(b & 0xff));
            }
        }
        return escaped.toString();
    }
}
