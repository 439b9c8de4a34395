package dev.serval.gateway.relay;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PeerRequest;
import dev.serval.gateway.peer.PeerTicket;
import dev.serval.gateway.peer.Refusal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One attempt to have a peer answer an exchange: it waits for a peer, watches the deadline, stops
/// reading while the client takes no more, and ends exactly once. The protocol writes the request
/// ([Question]) and reads the answer ([Reply]).
///
/// ```text
/// NEW ── seek ──▶ WAITING ── granted ──▶ SENDING ── sends ──▶ BUSY ◀── client takes more ──┐
///  │                │                       │                  │ ├── pause ──▶ PAUSED ─────┤
///  │                │                       │                  │ ├── store ──▶ STORING ────┤ stored
///  │                │                       │                  │ └─ complete ─▶ ENDING     │
///  │ give up,       │ refused,              │ finish,          │ fail, finish, │ response  │
///  │ client left    │ client left           │ unsent           │ lost          │ ended     │
///  └────────────────┴───────────────────────┴──────────────────┴───────────────┴──▶ OVER ◀─┘
/// ```
/// All ways to OVER release what question, pump and reply hold. In PAUSED and STORING the peer is not
/// read. A client that leaves while the attempt is BUSY, PAUSED or STORING is the reply's matter;
/// while it is ENDING, it changes nothing. Created
/// for each attempt and never used again, so a late callback cannot touch another request. Owned by
/// the loop of the exchange.
public final class Attempt implements PeerRequest {
    private enum State {
        NEW,
        WAITING,
        SENDING,
        BUSY,
        PAUSED,
        STORING,
        ENDING,
        OVER
    }

    private final PeerPool pool;
    private final EngineExchange exchange;
    private final Question question;
    private final Repetition repetition;
    private State state = State.NEW;
    private Pump pump = NoContent.NONE;
    private boolean received; // any byte of an answer
    private boolean detached; // from the exchange, which may be another since
    private boolean answered; // by the end of the response
    private @Nullable PeerTicket ticket; // while it is in the queue
    private @Nullable Peer peer; // from SENDING on
    private @Nullable Reply reply; // from BUSY on

    /// Creates an attempt, which from now on hears that the client has left.
    public Attempt(
            PeerPool pool, EngineExchange exchange, Question question, Repetition repetition) {
        this.pool = pool;
        this.exchange = exchange;
        this.question = question;
        this.repetition = repetition;
        exchange.onAbort(this::aborted);
    }

    /// Looks for a peer, unless there are too many exchanges in progress. That refuses the exchange, so
    /// no peer may get the request: its client is told to send it again.
    public void seek() {
        if (!exchange.outlastsTurn()) {
            return; // aborted was called
        }
        enter(State.WAITING);
        exchange.notes().waits();
        ticket = pool.acquire(this);
    }

    /// Ends an attempt that has not looked for a peer. The caller answers the exchange.
    public void giveUp() {
        over();
    }

    /// Notes that the request was written, and from where its answer is read. The deadline begins.
    /// The caller starts the pump.
    public void sends(Pump content, Reply reader) {
        pump = content;
        reply = reader;
        enter(State.BUSY);
        moveDeadline();
    }

    /// Gives the peer's bytes to another reply, which was created for the same peer.
    public void becomes(Reply other) {
        reply().release();
        reply = other;
    }

    /// Returns whether the answer may be read now.
    public boolean isBusy() {
        return state == State.BUSY;
    }

    /// Returns whether the client is to take more before the answer is read on.
    public boolean isPaused() {
        return state == State.PAUSED;
    }

    /// Returns the peer, from [Question#granted] on.
    public Peer peer() {
        return Objects.requireNonNull(peer, "No peer was granted");
    }

    /// Reads the peer's connection once.
    ///
    /// @return the result of `Input.fill`
    public int fill() {
        return fill(Integer.MAX_VALUE);
    }

    /// Reads the peer's connection once.
    ///
    /// @param most the most bytes of this read
    /// @return the result of `Input.fill`
    public int fill(int most) {
        int n = peer().connection().in().fill(most);
        received |= n > 0;
        return n;
    }

    /// Stops reading the peer until the client takes more.
    public void pause() {
        enter(State.PAUSED);
        peer().connection().wantRead(false);
        exchange.response().onWritable(this::writable);
    }

    /// Stops reading the peer until what has come is stored, and [#resume] is called.
    public void store() {
        enter(State.STORING);
        peer().connection().wantRead(false);
    }

    /// Reads the peer again, although the client takes no more or because what has come is stored.
    public void resume() {
        if (state == State.PAUSED || state == State.STORING) {
            enter(State.BUSY);
            peer().connection().wantRead(true);
        }
    }

    /// Sets the deadline to the pool's time for answers from now.
    public void moveDeadline() {
        moveDeadline(Long.MAX_VALUE);
    }

    /// Does the same after content of the request was sent, unless the attempt waits for its client.
    public void contentSent() {
        if (state != State.PAUSED) {
            moveDeadline();
        }
    }

    /// Does the same, but at most to an instant. Without effect once the attempt ends: a pump whose
    /// last read has ended it reports what it had sent before.
    public void moveDeadline(long latestNanos) {
        if (isAtPeer()) {
            Peer here = peer();
            here.answerBy(Math.min(latestNanos, here.nowNanos() + pool.limits().answerNanos()));
        }
    }

    /// Ends the response by [Reply#endResponse], because the answer is complete, and then the
    /// attempt.
    ///
    /// @param keeps whether the connection may serve another request if all content was sent
    public void complete(boolean keeps) {
        enter(State.ENDING);
        boolean stays = keeps && pump.isSent();
        try {
            reply().endResponse();
            answered = true;
        } catch (RuntimeException | Error e) { // the client must not wait for the rest
            boolean begun = fail(PeerFault.ABANDONED);
            reply().lost(begun);
            throw e;
        }
        finish(stays);
    }

    /// Ends the attempt and gives the peer back.
    ///
    /// @param stays whether the connection may serve another request
    public void finish(boolean stays) {
        over();
        peer().finish(stays);
    }

    /// Ends the attempt and closes the peer. The caller answers the exchange.
    ///
    /// @return whether the response has begun
    public boolean fail(PeerFault why) {
        boolean begun = reply().hasBegun();
        over();
        peer().fail(why); // without effect if the connection was lost
        return begun;
    }

    /// Ends the attempt, because the peer has left before its answer was complete, and repeats the
    /// request if that is allowed.
    public void brokenOff() {
        boolean again = mayRepeat();
        boolean begun = fail(PeerFault.LOST);
        if (again) {
            question.repeat(repetition.next(peer()));
        } else {
            reply().lost(begun);
        }
    }

    /// Notes that the exchange has ended or ends now, while the rest of the answer is still read. From
    /// now on the exchange may be another one.
    public void detach() {
        detached = true;
        exchange.notes().leftUpstream();
    }

    // PeerRequest

    @Override
    public EngineExchange exchange() {
        return exchange;
    }

    @Override
    public boolean isRepeat() {
        return repetition.attempt() > 1;
    }

    @Override
    public long lostAt() {
        return repetition.lostAt();
    }

    @Override
    public int boundTo() {
        return question.boundTo();
    }

    @Override
    public void granted(Peer found) {
        ticket = null;
        peer = found;
        enter(State.SENDING);
        exchange.notes().waited();
        exchange.notes().asks(found.upstream().name());
        try {
            question.granted(found);
        } catch (RuntimeException | Error e) {
            endUnanswered(e);
            throw e;
        }
    }

    @Override
    public void refused(Refusal why) {
        boolean waited = ticket != null;
        ticket = null;
        exchange.notes().waited();
        over();
        try {
            question.refused(why, waited);
        } catch (RuntimeException | Error e) {
            endUnanswered(e);
            throw e;
        }
    }

    @Override
    public void readable() {
        if (state != State.BUSY) {
            return;
        }
        try {
            reply().readable();
        } catch (RuntimeException | Error e) {
            endUnanswered(e);
            throw e;
        }
    }

    @Override
    public void drained() {
        try {
            if (isAtPeer()) {
                pump.drained();
            }
            if (isAtPeer()) {
                reply().drained();
            }
        } catch (RuntimeException | Error e) {
            endUnanswered(e);
            throw e;
        }
    }

    @Override
    public void lost() {
        try {
            if (isAtPeer()) {
                brokenOff();
            } else if (state == State.SENDING) {
                over();
                question.unsent();
            }
        } catch (RuntimeException | Error e) {
            endUnanswered(e);
            throw e;
        }
    }

    @Override
    public void overdue() {
        try {
            if (state == State.PAUSED || (state == State.BUSY && pump.waitsForClient())) {
                reply().clientIsSlow();
            } else if (isAtPeer()) {
                reply().late();
            }
        } catch (RuntimeException | Error e) {
            endUnanswered(e);
            throw e;
        }
    }

    /// Ends the exchange if the attempt is over without an answer, because what was to answer has thrown
    /// an exception, such as for want of memory. Its client would wait for ever: the calls of a peer are
    /// none of the exchange. An attempt that is not over loses its peer by the exception.
    private void endUnanswered(Throwable thrown) {
        if (state == State.OVER && !answered && !detached) {
            exchange.failed(thrown);
        }
    }

    private void aborted() {
        if (isAtPeer()) {
            tellClientLeft();
        } else if (state == State.NEW || state == State.WAITING) {
            over();
            if (ticket != null) {
                ticket.cancel();
            }
        }
    }

    /// Ends the attempt if that fails: its exchange has ended, and becomes another one.
    private void tellClientLeft() {
        try {
            reply().clientLeft();
        } catch (RuntimeException | Error e) {
            if (isAtPeer()) {
                detached = true;
                fail(PeerFault.ABANDONED);
            }
            throw e;
        }
    }

    private void writable() {
        if (state == State.PAUSED) {
            resume();
            reply().resumed();
        } else if (isAtPeer()) {
            reply().clientCatchesUp();
        }
    }

    private boolean isAtPeer() {
        return state == State.BUSY || state == State.PAUSED || state == State.STORING;
    }

    /// Returns whether the request may be sent again: its effect is the same, its content is empty,
    /// and no byte of an answer has come (RFC 9110 §9.2.2).
    private boolean mayRepeat() {
        return !received
                && pump == NoContent.NONE
                && repetition.mayFollow(peer())
                && exchange.request().method().idempotent();
    }

    private void over() {
        boolean ended = detached || state == State.ENDING; // then the exchange may be another
        if (peer != null && !ended) {
            exchange.notes().leftUpstream();
        }
        enter(State.OVER);
        pump.stop();
        if (reply != null) {
            reply.release();
        }
        question.release();
    }

    private Reply reply() {
        return Objects.requireNonNull(reply, "The request was not sent");
    }

    private void enter(State next) {
        boolean follows =
                switch (state) {
                    case NEW -> next == State.WAITING || next == State.OVER;
                    case WAITING -> next == State.SENDING || next == State.OVER;
                    case SENDING -> next == State.BUSY || next == State.OVER;
                    case BUSY ->
                            next == State.PAUSED
                                    || next == State.STORING
                                    || next == State.ENDING
                                    || next == State.OVER;
                    case PAUSED, STORING -> next == State.BUSY || next == State.OVER;
                    case ENDING -> next == State.OVER;
                    case OVER -> false;
                };
        if (!follows) {
            throw new IllegalStateException("An attempt cannot become " + next + " from " + state);
        }
        state = next;
    }
}
