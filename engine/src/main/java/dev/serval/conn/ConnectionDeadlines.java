package dev.serval.conn;

import dev.serval.conn.StreamDeadlines.Lateness;
import dev.serval.exchange.ServiceLoop;
import dev.serval.loop.Deadline;
import dev.serval.net.Connection;
import dev.serval.net.Output;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import org.jspecify.annotations.Nullable;

/// Bounds how long a connection waits for its client while no request is in progress, and the pace
/// at which the client takes what was sent, for any protocol. [StreamDeadlines] bound the requests.
///
/// [#restart] begins a wait. [#rearm] sets the connection's timer after every event. When the time
/// has come, the driver asks [#late] and [#isOver] and decides what to do. Owned by the connection's
/// loop.
final class ConnectionDeadlines {
    /// The things that a connection waits for.
    enum Wait {
        /// The first bytes, which tell the protocol, or the whole first request; later, the rest of
        /// a head or frame that has begun.
        HEAD,
        /// Another request.
        REQUEST,
        /// Another request while the server drains.
        LAST_REQUEST,
        /// The client to read our last answer.
        LINGER,
        /// A frame, while streams of HTTP/2 are in progress.
        FRAME,
        /// A frame after a PING, which the client must answer.
        ANSWER,
        /// Nothing that has a time limit here.
        NOTHING
    }

    private static final long SPREAD_NANOS = 1_000_000_000;
    private static final int DRAIN_PARTS = 64;

    /// Longer than the pause of a browser that asks for the pictures of a page, and shorter than the time
    /// between two collections of a busy server: what is given back is then young and costs nothing.
    private static final long REST_NANOS = 100_000_000;

    private final ServiceLoop service;
    private final Connection connection;
    private final Output out;
    private final Deadline deadline;
    private @Nullable Pace sending; // null until the first wait
    private long sinceNanos;
    private long usedNanos; // when a request began or ended last, on a connection with streams

    /// Begins the first wait, at the time at which the connection was accepted.
    ///
    /// @param due runs when something may be late
    ConnectionDeadlines(AcceptedConnection accepted, Runnable due) {
        this.service = accepted.service();
        this.connection = accepted.net();
        this.out = connection.out();
        this.deadline = new Deadline(() -> connection.guarded(due));
        this.sinceNanos = accepted.openedNanos();
        this.usedNanos = sinceNanos;
    }

    /// Returns when an idle connection rests: it gives back what only its next request would use,
    /// because memory is then worth more than the work to get it again.
    ///
    /// @param has whether it has such things
    long restNanos(Wait wait, boolean has) {
        return has && wait == Wait.REQUEST ? sinceNanos + REST_NANOS : Deadline.NEVER;
    }

    /// Returns whether the connection is idle for so long that it rests.
    boolean rests(Wait wait) {
        return now() >= restNanos(wait, true);
    }

    /// Begins a wait.
    void restart() {
        sinceNanos = now();
    }

    /// Begins the wait for a last request, at once or up to its length later, by the number of the
    /// connection. Otherwise a loop would close all that are idle in one turn, and lose the requests that
    /// arrive in this turn.
    void restartForLastRequest() {
        long part = connection.id() % DRAIN_PARTS;
        sinceNanos = now() + limits().lastRequestNanos() / DRAIN_PARTS * part;
    }

    /// Notes that a request began or ended. Only that prolongs the wait for another one ([#begin]).
    void used() {
        usedNanos = now();
    }

    /// Begins a wait, or goes on with that for another request after frames that are none.
    void begin(Wait wait) {
        sinceNanos = wait == Wait.REQUEST ? usedNanos : now();
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

    /// Sets the timer to the earliest bound.
    ///
    /// @param streamsNanos the next check of the requests in progress, or [Deadline#NEVER]
    void rearm(Wait wait, long streamsNanos) {
        long next = Math.min(Pace.checkNanosOf(sending), streamsNanos);
        connection.loop().timers().set(deadline, Math.min(ends(wait), next));
    }

    /// Sets the timer of an idle connection after the time that it may be idle has changed. If that is
    /// over, the connection is closed within a second: the ones that are idle for longest first, and
    /// not all in one turn of the loop.
    void rearmIdle() {
        long ends = ends(Wait.REQUEST);
        long now = now();
        long atNanos = ends;
        if (ends < now) {
            long fullNanos = Math.max(1, limits().idleNanos());
            long unusedNanos = Math.clamp(fullNanos - (now - sinceNanos), 0, fullNanos);
            atNanos = now + (long) (SPREAD_NANOS * ((double) unusedNanos / fullNanos));
        }
        connection.loop().timers().set(deadline, atNanos);
    }

    /// Clears the timer.
    void cancel() {
        connection.loop().timers().cancel(deadline);
    }

    /// Returns whether the client is too slow to read, and counts it.
    ///
    /// @param uploaded bytes of content taken so far from the request whose response waits
    /// @param minBytesPerSecond the minimum rate of the last request's mount
    Lateness late(long uploaded, long minBytesPerSecond) {
        if (sending == null) {
            return Lateness.NONE;
        }
        if (sending.seemsToStall(now(), out.sent())) {
            sending.acknowledged(now(), connection.acknowledged());
        }
        sending.upload(now(), out.sent(), uploaded, minBytesPerSecond);
        if (!sending.tooSlow(now(), out.sent(), limits(), minBytesPerSecond)) {
            return Lateness.NONE;
        }
        service.metrics().count(Counter.SLOW_READERS);
        return Lateness.READER;
    }

    /// Returns whether the time of the wait is over.
    boolean isOver(Wait wait) {
        return now() >= ends(wait);
    }

    /// Returns whether no request was in progress for as long as a connection may be idle. None may be in
    /// progress now.
    boolean isUnused() {
        return now() >= requestEnds(usedNanos);
    }

    /// Notes that bytes wait for the client to take them. The bytes that the system took just
    /// before count as sent. The system takes no more until the client has read a good part of
    /// them. At an honest pace, that may last longer than the grace.
    void beginSending() {
        if (sending == null) {
            sending = new Pace();
        }
        sending.begin(now(), out.sent(), out.sentBefore());
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

    private long ends(Wait wait) {
        return switch (wait) {
            case HEAD -> sinceNanos + limits().headNanos();
            case REQUEST -> requestEnds(sinceNanos);
            case LAST_REQUEST -> sinceNanos + limits().lastRequestNanos();
            case LINGER -> isSending() ? Deadline.NEVER : sinceNanos + limits().lingerNanos();
            case FRAME -> {
                long pingNanos = service.limits().http2().pingNanos();
                yield pingNanos == 0 ? Deadline.NEVER : sinceNanos + pingNanos;
            }
            case ANSWER -> sinceNanos + limits().stallNanos();
            case NOTHING -> Deadline.NEVER;
        };
    }

    /// Returns when an idle connection ends. After the time of the load mode it does so only if the
    /// server has too many connections just then. So no more are closed than have to be.
    private long requestEnds(long since) {
        long own = since + limits().idleNanos();
        long ofMode = since + service.connectionRow().idleNanos();
        boolean stays = ofMode <= now() && !service.isCrowded();
        return Math.min(own, stays ? now() + SPREAD_NANOS : ofMode);
    }

    /// Returns the limits in force, which may change while the connection is open.
    private Limits.Paces limits() {
        return service.limits().pace();
    }

    private long now() {
        return connection.loop().nowNanos();
    }
}
