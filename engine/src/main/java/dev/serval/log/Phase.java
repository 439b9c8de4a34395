package dev.serval.log;

import dev.serval.handler.AccessRecord;
import java.util.Locale;

/// The phases of an exchange, whose sum, from the first byte of the request on, is `TOTAL`.
///
/// ```
///   accepted ─ ACCEPT ─ first byte ─ HEAD ─ head complete ─ QUEUE, HANDLER ─ head sent ─ WRITE ─ end
/// ```
enum Phase {
    /// From the first byte of the request to the end of its response.
    TOTAL,
    /// From the accept of the connection to the first byte; only for its first request.
    ACCEPT,
    /// From the first byte to the end of the head.
    HEAD,
    /// The wait for a thread, or for a connection to an upstream.
    QUEUE,
    /// The rest of the time until the head of the response was sent.
    HANDLER,
    /// From the head of the response to its end.
    WRITE;

    /// Stands for a phase that the exchange has not had.
    static final long UNKNOWN = -1;

    private final String key = name().toLowerCase(Locale.ROOT);

    /// Returns the name in logs.
    String key() {
        return key;
    }

    /// Returns the phase's length, or [#UNKNOWN].
    long nanos(AccessRecord x) {
        boolean responded = x.respondedNanos() != 0;
        long handled = responded ? x.respondedNanos() : x.nowNanos();
        return switch (this) {
            case TOTAL -> between(x.firstByteNanos(), x.nowNanos());
            case ACCEPT ->
                    x.earlierRequests() > 0 || x.acceptedNanos() == 0
                            ? UNKNOWN
                            : between(x.acceptedNanos(), x.firstByteNanos());
            case HEAD -> between(x.firstByteNanos(), x.startedNanos());
            case QUEUE -> Math.min(x.waitedNanos(), between(x.startedNanos(), handled));
            case HANDLER -> Math.max(0, between(x.startedNanos(), handled) - QUEUE.nanos(x));
            case WRITE -> responded ? between(x.respondedNanos(), x.nowNanos()) : UNKNOWN;
        };
    }

    private static long between(long from, long to) {
        return Math.max(0, to - from);
    }
}
