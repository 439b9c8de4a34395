package dev.serval.conn;

import dev.serval.loop.Deadline;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.net.Output;
import dev.serval.policy.Limits;

/// How long a connection waits: the end of what it waits for now, and the least pace of its client
/// in both directions, behind one deadline that is set to whatever comes first.
///
/// [#restart] begins a wait, [#rearm] sets the deadline after every event; when the deadline comes,
/// [#due] says what is late. It only tells: what to do about it is the connection's. Owned by the
/// connection's loop.
final class ConnectionDeadlines {
    /// What a connection waits for.
    enum Wait {
        /// The rest of a request head, or all of a connection's first.
        HEAD,
        /// Another request.
        REQUEST,
        /// Another request while the server drains.
        LAST_REQUEST,
        /// The end of an exchange.
        EXCHANGE,
        /// That the client has read our last answer.
        LINGER,
        /// Nothing whose time is bounded, but for the client's pace.
        NOTHING
    }

    /// What is late.
    enum Verdict {
        /// Nothing.
        IN_TIME,
        /// The client takes our answers below its pace, or not at all.
        READER_TOO_SLOW,
        /// The client sends its content below its pace.
        CONTENT_TOO_SLOW,
        /// The wait is over.
        OVER
    }

    private final Connection connection;
    private final Input in;
    private final Output out;
    private final HttpLoop http;
    private final Deadline deadline;
    private final Pace reading = new Pace();
    private final Pace sending = new Pace();
    private long sinceNanos;

    /// The first wait begins now.
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

    /// A wait begins now.
    void restart() {
        sinceNanos = now();
    }

    /// Sets the deadline to whatever comes first.
    ///
    /// @param exchangeEnds when the exchange is late, where that is awaited
    void rearm(Wait wait, long exchangeEnds) {
        long pace = Math.min(sending.nextCheckNanos(), reading.nextCheckNanos());
        connection.loop().timers().set(deadline, Math.min(ends(wait, exchangeEnds), pace));
    }

    /// Nothing is due any more.
    void cancel() {
        connection.loop().timers().cancel(deadline);
    }

    /// What is late.
    ///
    /// @param exchangeEnds when the exchange is late, where that is awaited
    Verdict due(Wait wait, long exchangeEnds) {
        Verdict pace = pace();
        return pace == Verdict.IN_TIME && now() >= ends(wait, exchangeEnds) ? Verdict.OVER : pace;
    }

    /// Whether the client keeps its pace. Asked when bytes arrive, too: whoever drips would move
    /// the deadline for ever.
    Verdict pace() {
        if (sending.waiting() && sending.tooSlow(now(), out.sent(), limits())) {
            return Verdict.READER_TOO_SLOW;
        }
        if (reading.waiting() && reading.tooSlow(now(), in.received(), limits())) {
            return Verdict.CONTENT_TOO_SLOW;
        }
        return Verdict.IN_TIME;
    }

    /// Content of another request: its pace counts from its own beginning.
    void resetReading() {
        reading.reset();
    }

    /// We wait for content.
    void beginReading() {
        reading.begin(now(), in.received());
    }

    /// We do not wait for content any more.
    void endReading() {
        reading.end(now(), in.received());
    }

    /// Bytes wait until the client takes them. What the system just took counts: it takes no more
    /// until the client has read a good part of it, which at an honest pace may last longer than the
    /// grace.
    void beginSending() {
        sending.begin(now(), out.sent(), out.sentBefore());
    }

    /// All was taken.
    void endSending() {
        sending.end(now(), out.sent());
    }

    /// Whether bytes wait until the client takes them.
    boolean isSending() {
        return sending.waiting();
    }

    private long ends(Wait wait, long exchangeEnds) {
        return switch (wait) {
            case HEAD -> sinceNanos + limits().headNanos();
            case REQUEST -> sinceNanos + limits().idleNanos();
            case LAST_REQUEST -> sinceNanos + limits().lastRequestNanos();
            case EXCHANGE -> exchangeEnds;
            case LINGER -> sending.waiting() ? Deadline.NEVER : sinceNanos + limits().lingerNanos();
            case NOTHING -> Deadline.NEVER;
        };
    }

    /// The limits in force: they may change while the connection is open.
    private Limits.Paces limits() {
        return http.limits().pace();
    }

    private long now() {
        return connection.loop().nowNanos();
    }
}
