package dev.serval.gateway.peer;

import dev.serval.loop.Deadline;
import dev.serval.net.NetLoop;
import java.util.concurrent.atomic.AtomicBoolean;

/// The place of a request in the queue of a [PeerPool]. Any loop that has a free peer may claim it;
/// all else belongs to the loop of the exchange.
///
/// ```
///   WAITING ── claimed, by any loop ──▶ CLAIMED ── peer arrives, or none ──▶ OVER
///      └──────────── cancel, deadline, no peer left ────────────────────────▶
/// ```
public final class PeerTicket {
    private final PeerPool pool;
    private final PeerRequest request;
    private final NetLoop net;
    private final long lost; // upstreams at which the same request was lost before
    private final int bound; // to an upstream, or -1
    private final Deadline deadline = new Deadline(this::late);
    private final AtomicBoolean claimed = new AtomicBoolean();
    private boolean over;
    private boolean lacksMeans;
    private volatile long tried; // upstreams that it was tried to connect to; any loop reads it
    private long dueNanos;
    private long lookNanos;

    PeerTicket(PeerPool pool, PeerRequest request, NetLoop net) {
        this.pool = pool;
        this.request = request;
        this.net = net;
        this.lost = request.lostAt();
        this.bound = request.boundTo();
    }

    /// Leaves the queue, because the client has left. No method of the request is called any more.
    /// On the loop of the exchange.
    public void cancel() {
        if (!over) {
            end();
            pool.cancelled(this);
        }
    }

    /// Claims the ticket. Any thread.
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /// Returns whether a loop has claimed it. Any thread.
    boolean isClaimed() {
        return claimed.get();
    }

    /// Puts the ticket back, by the loop that claimed it.
    void unclaim() {
        claimed.set(false);
    }

    /// Returns whether a peer is still wanted.
    boolean isWaiting() {
        return !over;
    }

    PeerRequest request() {
        return request;
    }

    NetLoop net() {
        return net;
    }

    /// Returns the upstreams that were tried, as bits.
    long tried() {
        return tried;
    }

    /// Returns the upstreams at which the same request was lost before, as bits. Any thread.
    long lost() {
        return lost;
    }

    /// Returns the number of the upstream that it is bound to, or -1. Any thread.
    int bound() {
        return bound;
    }

    void tries(int upstream) {
        tried |= 1L << upstream;
    }

    /// Notes whether the last attempt to connect failed for want of means of this server.
    void noteLackOfMeans(boolean lacks) {
        lacksMeans = lacks;
    }

    /// Returns whether the last attempt to connect failed for want of means of this server.
    boolean lacksMeans() {
        return lacksMeans;
    }

    /// Sets the deadline, if there is none yet.
    ///
    /// @param lookNanos how often the pool looks again for a peer until then
    void waitFor(long nanos, long lookNanos) {
        if (!deadline.isSet()) {
            this.dueNanos = net.loop().nowNanos() + nanos;
            this.lookNanos = lookNanos;
            setDeadline();
        }
    }

    private void setDeadline() {
        net.loop().timers().set(deadline, Math.min(dueNanos, net.loop().nowNanos() + lookNanos));
    }

    /// Ends the wait with a peer. On the loop of the exchange.
    void end() {
        over = true;
        net.loop().timers().cancel(deadline);
    }

    /// Ends the wait without a peer. On the loop of the exchange.
    void refuse(Refusal why) {
        if (!over) {
            end();
            request.refused(why);
        }
    }

    private void late() {
        if (over) {
            return;
        }
        if (net.loop().nowNanos() - dueNanos >= 0) {
            pool.late(this);
            return;
        }
        setDeadline();
        if (!claimed.get()) { // in the queue, and not on its way to an upstream
            tried = 0; // what could not be connected to may be up again
            pool.look(this);
        }
    }
}
