package dev.serval.conn;

import dev.serval.exchange.ServerExchange;
import dev.serval.exchange.ServiceLoop;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import org.jspecify.annotations.Nullable;

/// Bounds one request and its response: the pace of its content, the pace of the response's bytes
/// that wait in the stream, and the time of the exchange. On a connection without streams, one
/// object serves all requests in turn, and the bytes that wait are those of [ConnectionDeadlines].
///
/// It has no timer. After every event, its carrier sets one to [#nextNanos] or earlier. When the
/// time has come, the carrier calls [#late], and [#checkExchange] if nothing was late. Owned by the
/// loop.
final class StreamDeadlines {
    private final ServiceLoop service;
    private @Nullable Pace content; // null until the first wait
    private @Nullable Pace unsent; // likewise

    StreamDeadlines(ServiceLoop service) {
        this.service = service;
    }

    /// Starts counting the paces of another request and its response.
    void restart() {
        if (content != null) {
            content.reset();
        }
        if (unsent != null) {
            unsent.reset();
        }
    }

    /// Notes that we wait for content.
    ///
    /// @param received bytes received so far, on the stream or the connection
    void beginReading(long received) {
        content = begun(content, received);
    }

    /// Notes that we no longer wait for content.
    void endReading(long received) {
        if (content != null) {
            content.end(service.nowNanos(), received);
        }
    }

    /// Notes that bytes of the response wait until the client lets the stream send more.
    ///
    /// @param sent bytes sent so far on the stream
    void beginSending(long sent) {
        unsent = begun(unsent, sent);
    }

    /// Notes that no bytes of the response wait.
    void endSending(long sent) {
        if (unsent != null) {
            unsent.end(service.nowNanos(), sent);
        }
    }

    /// Returns the instant of the next check, or [Deadline#NEVER].
    long nextNanos(ServerExchange exchange) {
        return Math.min(nextPaceNanos(), exchange.overdueNanos());
    }

    /// Returns the instant of the next check of the pace, or [Deadline#NEVER].
    long nextPaceNanos() {
        return Math.min(Pace.checkNanosOf(content), Pace.checkNanosOf(unsent));
    }

    /// Returns what is too slow, and counts it. It is also checked when bytes arrive, because a
    /// client that sends a byte at a time would otherwise postpone the check forever.
    ///
    /// @param received bytes received so far, as in [#beginReading]
    /// @param sent bytes sent so far, as in [#beginSending]
    /// @param minBytesPerSecond the minimum rate of the request's mount
    Lateness late(long received, long sent, long minBytesPerSecond) {
        long now = service.nowNanos();
        Limits.Paces paces = service.limits().pace();
        if (unsent != null && unsent.tooSlow(now, sent, paces, minBytesPerSecond)) {
            service.metrics().count(Counter.SLOW_READERS);
            return Lateness.READER;
        }
        if (content != null && content.tooSlow(now, received, paces, minBytesPerSecond)) {
            service.metrics().count(Counter.SLOW_CONTENT);
            content.end(now, received);
            return Lateness.CONTENT;
        }
        return Lateness.NONE;
    }

    /// Ends the exchange if its time is over.
    void checkExchange(ServerExchange exchange) {
        if (service.nowNanos() >= exchange.overdueNanos()) {
            exchange.overdue();
        }
    }

    private Pace begun(@Nullable Pace former, long count) {
        Pace pace = former == null ? new Pace() : former;
        pace.begin(service.nowNanos(), count);
        return pace;
    }
}
