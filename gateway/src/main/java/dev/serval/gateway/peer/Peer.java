package dev.serval.gateway.peer;

import dev.serval.loop.Deadline;
import dev.serval.loop.Reports;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.LooseSocket;
import dev.serval.net.NetLoop;
import org.jspecify.annotations.Nullable;

/// A connection to an application, which serves one request at a time.
///
/// ```
///           startAfter()          granted
///   HELD ─────────────▶ IDLE ───────────────▶ BUSY
///                       ▲ │ ◀─── finish ───────┘ │
///     first read: alive │ │ another loop         │ fail, lost, finish(false)
///                       │ ▼                      ▼
///                    ARRIVING ───────────────▶ CLOSED   (also from HELD and IDLE:
///                                                        end, unasked bytes, idle limit)
/// ```
/// A peer that dials in is HELD until its first request may be sent. It is ARRIVING after it was
/// connected to or moved here, until a first read has shown that the connection is open. Owned by
/// its loop, which changes only when it moves.
@SuppressWarnings("exports") // only the gateway and its protocols use it
public final class Peer implements Driver {
    private static final String GRANT_FAILED =
            Reports.text("A request could not be sent to an application; it is answered with 502");

    private enum State {
        HELD,
        ARRIVING,
        IDLE,
        BUSY,
        CLOSED
    }

    private final PeerPool pool;
    private final Upstream upstream;
    private final @Nullable DialTls tls; // of a connection that is encrypted
    private final Deadline deadline = new Deadline(this::late);
    private Connection connection;
    private State state;
    private @Nullable PeerRequest request;
    private @Nullable PeerTicket ticket; // of the request that a peer in state ARRIVING is for
    private long startedNanos; // the request, or the connection to an upstream
    private long idleMaxNanos = Long.MAX_VALUE; // for which the peer itself keeps it
    private boolean served; // at least one request
    private boolean lasting; // and not in its place in the pool
    private long heldMaxBytes; // received bytes past which a held peer is closed
    @Nullable Peer next; // in the list of idle peers of its loop
    @Nullable Peer previous;
    boolean listed;

    /// Creates the driver of a peer that has dialled in.
    Peer(PeerPool pool, Upstream upstream, Connection connection) {
        this(pool, upstream, connection, State.HELD, null);
    }

    private Peer(
            PeerPool pool,
            Upstream upstream,
            Connection connection,
            State state,
            @Nullable DialTls tls) {
        this.pool = pool;
        this.upstream = upstream;
        this.connection = connection;
        this.state = state;
        this.tls = tls;
    }

    /// Creates the driver of a connection to an upstream.
    ///
    /// @param tls what has encrypted it; null if it is not encrypted
    Peer(
            PeerPool pool,
            Upstream upstream,
            Connection connection,
            PeerTicket ticket,
            @Nullable DialTls tls) {
        this(pool, upstream, connection, State.ARRIVING, tls);
        this.ticket = ticket;
        this.startedNanos = connection.loop().nowNanos();
    }

    /// Returns the connection. It changes when the peer moves to another loop.
    public Connection connection() {
        return connection;
    }

    /// Returns the upstream.
    public Upstream upstream() {
        return upstream;
    }

    /// Returns whether it has answered a request completely.
    public boolean hasServed() {
        return served;
    }

    /// Returns the loop's reading of the clock, in nanoseconds.
    public long nowNanos() {
        return connection.loop().nowNanos();
    }

    /// Lets a peer that has dialled in serve requests, after a time in which it may finish what it
    /// sends.
    ///
    /// @param dropMaxBytes bytes that it may send meanwhile, which are dropped
    public void startAfter(long nanos, int dropMaxBytes) {
        if (state == State.HELD) {
            heldMaxBytes = connection.in().received() + dropMaxBytes;
            // The turn may have begun long ago.
            connection.loop().timers().set(deadline, connection.loop().readClock() + nanos);
        }
    }

    /// Sets when [PeerRequest#overdue] is called, in place of any earlier instant.
    public void answerBy(long atNanos) {
        connection.loop().timers().set(deadline, atNanos);
    }

    /// Notes that the request lasts as long as its client wants, as a tunnel or a stream of events. The
    /// connection leaves its place in the pool to another one, and is closed after the request.
    public void lasts() {
        if (state == State.BUSY && !lasting) {
            lasting = pool.lasts(this);
        }
    }

    /// Notes for how long the peer keeps the connection after this request, if that is less than the
    /// limit of the pool.
    ///
    /// @param nanos above 0, or the connection must not stay
    public void idleAtMost(long nanos) {
        idleMaxNanos = nanos;
    }

    /// Ends the request with a complete answer.
    ///
    /// @param stays whether the connection can serve another request; if not, it is closed, and
    ///     reset if it has not taken all written bytes, because nothing bounds how long that takes
    public void finish(boolean stays) {
        if (state != State.BUSY) {
            return;
        }
        pool.served(this, nowNanos() - startedNanos);
        served = true;
        leaveRequest();
        if (!connection.out().isEmpty() || !connection.isOpen()) {
            abort();
        } else if (!stays || lasting) {
            close();
        } else if (connection.in().length() > 0) {
            unasked();
        } else {
            pool.free(this);
        }
    }

    /// Ends the request without a complete answer, counts why, and closes the connection. The
    /// request answers its exchange itself.
    public void fail(PeerFault why) {
        if (state != State.BUSY) {
            return;
        }
        try {
            pool.failed(this, why);
        } finally { // also without memory for that
            leaveRequest();
            abort();
        }
    }

    /// Counts a fault of the peer that does not end its connection.
    public void count(PeerFault why) {
        pool.failed(this, why);
    }

    /// Closes a peer that is not busy after all written bytes are sent, or a busy one after its
    /// request.
    public void close() {
        if (state != State.BUSY) {
            connection.close();
            leave();
        }
    }

    /// Returns the place of its upstream in the pool, as a bit.
    public long upstreamBit() {
        return 1L << upstream.index();
    }

    // For the pool

    NetLoop net() {
        return connection.net();
    }

    /// Returns when its request, or else its connection, began.
    long startedNanos() {
        return startedNanos;
    }

    /// Returns whether its request was lost at a peer before.
    boolean hasRepeat() {
        return request != null && request.isRepeat();
    }

    /// Returns whether it has left its place in the pool to another connection.
    boolean isLasting() {
        return lasting;
    }

    boolean isBusy() {
        return state == State.BUSY;
    }

    boolean isOpen() {
        return state != State.CLOSED && connection.isOpen();
    }

    /// Checks an idle peer: it must not have sent bytes or left. Bytes that it sent too early would
    /// otherwise be read as the next answer, which belongs to another client. No read is needed if
    /// the last poll has shown the same. The reads of the turn may be used up by the last answer.
    boolean isQuiet() {
        if (!isOpen()) {
            leave();
            return false;
        }
        if (!connection.mayHaveInput()) {
            return true;
        }
        int n = connection.in().probe();
        if (n == 0) {
            return true;
        }
        if (n > 0) {
            unasked();
        } else {
            close();
        }
        return false;
    }

    /// Serves a request. The caller has counted it.
    void grant(PeerRequest next) {
        state = State.BUSY;
        request = next;
        startedNanos = nowNanos();
        connection.loop().timers().cancel(deadline); // that of an idle peer
        try {
            next.granted(this);
        } catch (RuntimeException | Error e) {
            // The caller may be another request, so the fault must not reach it.
            connection.loop().report(GRANT_FAILED, e);
            if (next.equals(request)) {
                fail(PeerFault.ABANDONED); // a part of the request may be sent
                next.lost();
            }
        }
    }

    /// Closes the connection when the time is over, unless a request is sent before.
    ///
    /// @param idleNanos 0 for no limit
    void rest(long idleNanos) {
        long most = Math.min(idleNanos > 0 ? idleNanos : Long.MAX_VALUE, idleMaxNanos);
        if (most < Long.MAX_VALUE) {
            connection.loop().timers().set(deadline, nowNanos() + most);
        } else {
            connection.loop().timers().cancel(deadline); // that of an answer
        }
    }

    /// Moves an idle peer, which is in no list, to the loop of the ticket.
    ///
    /// @return whether it left; if not, it is closed
    boolean move(PeerTicket to) {
        connection.loop().timers().cancel(deadline);
        @Nullable LooseSocket socket = connection.giveUp();
        if (socket == null) {
            close();
            return false;
        }
        state = State.ARRIVING;
        ticket = to;
        NetLoop there = to.net();
        there.loop().execute(() -> arrive(there, socket));
        return true;
    }

    private void arrive(NetLoop there, LooseSocket socket) {
        try {
            @Nullable Connection opened = there.adopt(socket, this::on);
            if (opened == null) { // that loop has ended
                leave();
            }
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
    }

    private Driver on(Connection opened) {
        connection = opened;
        return this;
    }

    // Driver

    @Override
    public void readable() {
        switch (state) {
            case BUSY -> answer();
            case ARRIVING -> arrived();
            case HELD -> dropHeld();
            case IDLE -> isQuiet();
            case CLOSED -> {}
        }
    }

    @Override
    public void blocked() {
        // The request learns of it by drained.
    }

    @Override
    public void drained() {
        if (state == State.BUSY && request != null) {
            request.drained();
        }
    }

    /// Tells the request in any case: it would wait for ever.
    @Override
    public void closed(boolean byPeer) {
        @Nullable PeerRequest lost = state == State.BUSY ? request : null;
        if (lost == null) {
            leave();
            return;
        }
        @Nullable PeerFault fault = tls == null ? null : tls.fault();
        try {
            pool.failed(this, fault == null ? PeerFault.LOST : fault);
        } finally {
            leaveRequest();
            try {
                leave();
            } finally {
                lost.lost();
            }
        }
    }

    /// Stays open, because requests that are in progress or still arrive need it.
    @Override
    public void drain() {}

    @Override
    public boolean isIdle() {
        return state == State.IDLE || state == State.HELD;
    }

    /// Returns true while a request waits for its answer.
    @Override
    public boolean readsAfterBreak() {
        return state == State.BUSY;
    }

    /// Lets the request read. If bytes have come and the answer is not complete, they are
    /// acknowledged at once. Many peers write an answer in two pieces and leave Nagle's algorithm on.
    /// Their system sends the second piece after the acknowledgement, which ours would delay by
    /// 40 ms.
    private void answer() {
        @Nullable PeerRequest present = request;
        if (present == null) {
            return;
        }
        Connection read = connection;
        long before = read.in().received();
        present.readable();
        if (present.equals(request) && read.in().received() > before) {
            read.acknowledgeNow();
        }
    }

    private void arrived() {
        int n = connection.in().fill();
        @Nullable PeerTicket wanted = ticket;
        ticket = null;
        state = State.IDLE;
        if (n == 0) {
            pool.arrived(this, wanted);
            return;
        }
        if (n > 0) {
            unasked();
        } else {
            if (wanted != null && wanted.tried() != 0 && !served) {
                // Connected to, and closed at once: nothing was sent.
                pool.failed(this, PeerFault.UNREACHABLE);
            }
            close();
        }
        if (wanted != null) {
            pool.again(wanted);
        }
    }

    private void dropHeld() {
        int n = connection.in().fill();
        if (n > 0 && connection.in().received() <= heldMaxBytes) {
            connection.in().consume(n);
        } else if (n > 0) {
            unasked();
        } else if (n < 0) {
            close();
        }
    }

    private void unasked() {
        pool.unasked(this);
        close();
    }

    private void leaveRequest() {
        request = null;
        state = State.IDLE;
        upstream.end();
    }

    private void abort() {
        connection.abort();
        leave();
    }

    /// Leaves the pool, once.
    private void leave() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        if (deadline.isSet()) { // not while it moves between loops
            connection.loop().timers().cancel(deadline);
        }
        @Nullable PeerTicket wanted = ticket;
        ticket = null;
        pool.left(this);
        if (wanted != null) {
            pool.again(wanted);
        }
    }

    private void late() {
        switch (state) {
            case BUSY -> {
                if (request != null) {
                    request.overdue();
                }
            }
            case IDLE -> close();
            case HELD -> {
                state = State.IDLE;
                pool.free(this);
            }
            case ARRIVING, CLOSED -> {}
        }
    }
}
