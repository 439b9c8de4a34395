package dev.serval.conn;

import dev.serval.exchange.ServerExchange;
import dev.serval.exchange.ServiceLoop;
import dev.serval.http2.FlowWindow;
import dev.serval.http2.ReceiveWindow;
import dev.serval.http2.StreamTable;
import dev.serval.policy.Counter;
import org.jspecify.annotations.Nullable;

/// Bounds one request and its response: the pace of its content, the pace of the response's bytes
/// that wait in the stream, and the time of the exchange. On a connection without streams, one
/// object serves all requests in turn, and the bytes that wait are those of [ConnectionDeadlines].
///
/// It has no timer. After every event, its carrier sets one to [#nextNanos] or earlier. When the
/// time has come, the carrier calls [#late], and [#checkExchange] if nothing was late. Owned by the
/// loop.
final class StreamDeadlines {
    /// What the streams of a connection have in common. Many clients send and take one stream after the
    /// other. So a stream that is below the minimum rate is late only if all of them together have moved
    /// less than that rate for each.
    ///
    /// @param content the client's window for all of them
    /// @param response our window for all of them
    /// @param streams those in progress
    record Shared(ReceiveWindow content, FlowWindow response, StreamTable<Http2Stream> streams) {}

    /// What a check has found, here or of [ConnectionDeadlines].
    enum Lateness {
        /// Nothing is late.
        NONE,
        /// The client reads our answers below the minimum rate, or not at all.
        READER,
        /// The client sends its content below the minimum rate, or not at all.
        CONTENT
    }

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final ServiceLoop service;
    private @Nullable Shared shared; // null on a connection without streams
    private @Nullable Pace content; // null until the first wait
    private @Nullable Pace unsent; // likewise
    private @Nullable Pace contentOfAll; // likewise, and on a connection without streams
    private @Nullable Pace unsentOfAll; // likewise
    private long sentBefore; // bytes sent on the stream when the last wait for a window ended
    private long sentBeforeOfAll; // likewise, on all streams

    StreamDeadlines(ServiceLoop service) {
        this.service = service;
    }

    /// Starts counting the paces of another request and its response.
    void restart() {
        reset(content);
        reset(unsent);
        sentBefore = 0;
    }

    /// Starts counting the paces of another stream.
    void restart(Shared of) {
        shared = of;
        restart();
        reset(contentOfAll);
        reset(unsentOfAll);
        sentBeforeOfAll = 0; // what other streams have sent before counts, too
    }

    /// Forgets the connection of the streams, which has forgotten this one.
    void leave() {
        shared = null;
    }

    /// Notes that we wait for content.
    ///
    /// @param received bytes received so far, on the stream or the connection
    void beginReading(long received) {
        content = begun(content, received, received);
        if (shared != null) {
            long ofAll = shared.content().arrived();
            contentOfAll = begun(contentOfAll, ofAll, ofAll);
        }
    }

    /// Notes that we no longer wait for content.
    void endReading(long received) {
        end(content, received);
        if (shared != null) {
            end(contentOfAll, shared.content().arrived());
        }
    }

    /// Notes that bytes of the response wait until the client lets the stream send more. A client opens a
    /// window after it has read a good part of what it let us send before. So the bytes sent just before
    /// count, as many as it must read in the longest time that it may be silent.
    ///
    /// @param sent bytes sent so far on the stream
    /// @param minBytesPerSecond the minimum rate of the request's mount
    void beginSending(long sent, long minBytesPerSecond) {
        long credit = service.limits().pace().stallNanos() / NANOS_PER_SECOND * minBytesPerSecond;
        unsent = begun(unsent, sent, Math.max(sentBefore, sent - credit));
        @Nullable Shared all = shared;
        if (all != null) {
            long ofAll = all.response().spent();
            long before = Math.max(sentBeforeOfAll, ofAll - credit * all.streams().size());
            unsentOfAll = begun(unsentOfAll, ofAll, before);
        }
    }

    /// Notes that no bytes of the response wait.
    void endSending(long sent) {
        if (unsent != null && unsent.waiting()) { // otherwise what was sent still counts
            end(unsent, sent);
            sentBefore = sent;
        }
        if (shared != null && unsentOfAll != null && unsentOfAll.waiting()) {
            sentBeforeOfAll = shared.response().spent();
            end(unsentOfAll, sentBeforeOfAll);
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

    /// Returns what is too slow, and counts it. The carrier asks when its timer fires, at least. Bytes that
    /// arrive do not postpone that.
    ///
    /// @param received bytes received so far, as in [#beginReading]
    /// @param uploaded bytes of content that were taken so far
    /// @param sent bytes sent so far, as in [#beginSending]
    /// @param minBytesPerSecond the minimum rate of the request's mount
    Lateness late(long received, long uploaded, long sent, long minBytesPerSecond) {
        if (unsent != null) {
            unsent.upload(service.nowNanos(), sent, uploaded, minBytesPerSecond);
        }
        if (isReaderLate(sent, minBytesPerSecond)) {
            service.metrics().count(Counter.SLOW_READERS);
            return Lateness.READER;
        }
        if (isContentLate(received, minBytesPerSecond)) {
            service.metrics().count(Counter.SLOW_CONTENT);
            endReading(received);
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

    private boolean isReaderLate(long sent, long rate) {
        boolean late = isLate(unsent, sent, rate);
        @Nullable Shared all = shared;
        if (all == null) {
            return late;
        }
        // Asked in any case, because a pace notes when the count has moved.
        return isLate(unsentOfAll, all.response().spent(), rate * all.streams().size()) && late;
    }

    private boolean isContentLate(long received, long rate) {
        @Nullable Shared all = shared;
        if (all == null) {
            return isLate(content, received, rate);
        }
        if (content != null && content.waiting() && all.content().left() <= 0) {
            reset(content); // the client may send nothing, because handlers have not read
            reset(contentOfAll);
            beginReading(received);
            return false;
        }
        boolean late = isLate(content, received, rate);
        return isLate(contentOfAll, all.content().arrived(), rate * all.streams().size()) && late;
    }

    private boolean isLate(@Nullable Pace pace, long count, long minBytesPerSecond) {
        return pace != null
                && pace.tooSlow(
                        service.nowNanos(), count, service.limits().pace(), minBytesPerSecond);
    }

    private static void reset(@Nullable Pace pace) {
        if (pace != null) {
            pace.reset();
        }
    }

    private void end(@Nullable Pace pace, long count) {
        if (pace != null) {
            pace.end(service.nowNanos(), count);
        }
    }

    private Pace begun(@Nullable Pace former, long count, long before) {
        Pace pace = former == null ? new Pace() : former;
        pace.begin(service.nowNanos(), count, before);
        return pace;
    }
}
