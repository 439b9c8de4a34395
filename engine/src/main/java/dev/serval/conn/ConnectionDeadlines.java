package dev.serval.conn;

import dev.serval.loop.Deadline;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.net.Output;
import dev.serval.policy.Limits;
import org.jspecify.annotations.Nullable;

/// Bounds how long a connection waits, and the pace of its client in both directions. One deadline
/// serves all of them and is set to the earliest.
///
/// [#restart] begins a wait. [#rearm] sets the deadline after every event. When the deadline comes,
/// [#due] returns what is late; the connection decides what to do about it. Owned by the
/// connection's loop.
final class ConnectionDeadlines {
    /// The things that a connection waits for.
    enum Wait {
        /// The rest of a request head, or the whole head of a connection's first request.
        HEAD,
        /// Another request.
        REQUEST,
        /// Another request while the server drains.
        LAST_REQUEST,
        /// The end of an exchange.
        EXCHANGE,
        /// The client to read our last answer.
        LINGER,
        /// Nothing that has a time limit except the client's pace.
        NOTHING
    }

    /// The result of a check.
    enum Verdict {
        /// Nothing is late.
        IN_TIME,
        /// The client reads our answers below the minimum rate, or not at all.
        READER_TOO_SLOW,
        /// The client sends its content below the minimum rate, or not at all.
        CONTENT_TOO_SLOW,
        /// The time of the wait is over.
        OVER
    }

    private final Connection connection;
    private final Input in;
    private final Output out;
    private final HttpLoop http;
    private final Deadline deadline;
    private @Nullable Pace reading; // null until the first wait
    private @Nullable Pace sending; // likewise
    private long sinceNanos;

    /// Begins the first wait.
    ///
    /// @param due runs when something may be late
    ConnectionDeadlines(HttpLoop http, Connection connection, Runnable due) {
        this.connection = connection;
        this.in = connection.in();
        this.out = connection.out();
        this.http = http;
        this.deadline = new Deadline(due);
        this.sinceNanos = now();
    }

    /// Begins a wait.
    void restart() {
        sinceNanos = now();
    }

    /// Begins to wait for the rest of a request that no other request preceded in the input. The
    /// pace of its response is counted anew, so that a client that has taken one response fast
    /// cannot hold the next one for long.
    void restartForRequest() {
        restart();
        if (sending != null && out.isEmpty()) {
            sending.reset();
        }
    }

    /// Sets the deadline to the earliest bound.
    ///
    /// @param exchangeEnds when the exchange is late, if the connection waits for its end
    void rearm(Wait wait, long exchangeEnds) {
        long pace = Math.min(nextCheckNanos(sending), nextCheckNanos(reading));
        connection.loop().timers().set(deadline, Math.min(ends(wait, exchangeEnds), pace));
    }

    /// Clears the deadline.
    void cancel() {
        connection.loop().timers().cancel(deadline);
    }

    /// Returns what is late.
    ///
    /// @param exchangeEnds when the exchange is late, if the connection waits for its end
    Verdict due(Wait wait, long exchangeEnds) {
        Verdict pace = pace();
        return pace == Verdict.IN_TIME && now() >= ends(wait, exchangeEnds) ? Verdict.OVER : pace;
    }

    /// Returns whether the client keeps its pace. It is also checked when bytes arrive, because a
    /// client that sends a byte at a time would otherwise postpone the check forever.
    Verdict pace() {
        @Nullable Pace reader = sending;
        if (reader != null) {
            if (reader.seemsToStall(now(), out.sent())) {
                reader.acknowledged(now(), connection.acknowledged());
            }
            if (reader.tooSlow(now(), out.sent(), limits())) {
                return Verdict.READER_TOO_SLOW;
            }
        }
        if (reading != null && reading.tooSlow(now(), in.received(), limits())) {
            return Verdict.CONTENT_TOO_SLOW;
        }
        return Verdict.IN_TIME;
    }

    /// Starts counting the pace of the next request's content.
    void resetReading() {
        if (reading != null) {
            reading.reset();
        }
    }

    /// Notes that we wait for content.
    void beginReading() {
        @Nullable Pace present = reading;
        if (present == null) {
            present = new Pace();
            reading = present;
        }
        present.begin(now(), in.received());
    }

    /// Notes that we no longer wait for content.
    void endReading() {
        if (reading != null) {
            reading.end(now(), in.received());
        }
    }

    /// Notes that bytes wait for the client to take them. The bytes that the system took just
    /// before count as sent. The system takes no more until the client has read a good part of
    /// them. At an honest pace, that may last longer than the grace.
    void beginSending() {
        @Nullable Pace present = sending;
        if (present == null) {
            present = new Pace();
            sending = present;
        }
        present.begin(now(), out.sent(), out.sentBefore());
    }

    /// Notes that the client has taken all bytes.
    void endSending() {
        if (sending != null) {
            sending.end(now(), out.sent());
        }
    }

    /// Returns whether bytes wait for the client to take them.
    boolean isSending() {
        return sending != null && sending.waiting();
    }

    private static long nextCheckNanos(@Nullable Pace pace) {
        return pace == null ? Deadline.NEVER : pace.nextCheckNanos();
    }

    private long ends(Wait wait, long exchangeEnds) {
        return switch (wait) {
            case HEAD -> sinceNanos + limits().headNanos();
            case REQUEST -> sinceNanos + limits().idleNanos();
            case LAST_REQUEST -> sinceNanos + limits().lastRequestNanos();
            case EXCHANGE -> exchangeEnds;
            case LINGER -> isSending() ? Deadline.NEVER : sinceNanos + limits().lingerNanos();
            case NOTHING -> Deadline.NEVER;
        };
    }

    /// Returns the limits in force, which may change while the connection is open.
    private Limits.Paces limits() {
        return http.limits().pace();
    }

    private long now() {
        return connection.loop().nowNanos();
    }
}
