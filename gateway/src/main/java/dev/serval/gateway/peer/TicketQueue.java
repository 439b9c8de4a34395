package dev.serval.gateway.peer;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The requests of all loops that wait for a peer, first in, first out, up to a limit. Adding a
/// ticket and looking whether tickets wait are volatile accesses: see [PeerPool]. Any thread.
final class TicketQueue {
    private final ConcurrentLinkedDeque<PeerTicket> tickets = new ConcurrentLinkedDeque<>();
    private final AtomicInteger waiting = new AtomicInteger(); // counted before it is added
    private volatile boolean hasBound; // once a request that is bound to an upstream was added

    /// Returns the number of requests that wait.
    int size() {
        return waiting.get();
    }

    /// Returns whether a request waits or is being added.
    boolean hasWaiting() {
        return waiting.get() > 0;
    }

    /// Returns whether requests that are bound to an upstream may be there. If not, all tickets can
    /// be served by the same upstreams.
    boolean hasBound() {
        return hasBound;
    }

    /// Takes a place for a request. If there was one, the caller calls [#addLast].
    ///
    /// @param max the most requests that may wait
    boolean reserve(int max) {
        if (waiting.incrementAndGet() > max) {
            waiting.decrementAndGet();
            return false;
        }
        return true;
    }

    /// Adds a request for which there is a place.
    void addLast(PeerTicket ticket) {
        noteBound(ticket);
        tickets.addLast(ticket);
    }

    /// Puts a request that was claimed back in front of the others. It has waited, so the limit does
    /// not count.
    void addFirst(PeerTicket ticket) {
        ticket.unclaim();
        waiting.incrementAndGet();
        noteBound(ticket);
        tickets.addFirst(ticket);
    }

    /// Returns whether a ticket fits and is not claimed.
    boolean has(Predicate<PeerTicket> fits) {
        for (PeerTicket one : tickets) {
            if (fits.test(one)) {
                if (!one.isClaimed()) {
                    return true;
                }
            } else if (!hasBound) {
                return false;
            }
        }
        return false;
    }

    /// Takes the oldest ticket that fits and claims it; null if there is none.
    @Nullable PeerTicket claimed(Predicate<PeerTicket> fits) {
        for (PeerTicket one : tickets) {
            if (fits.test(one)) {
                if (remove(one)) {
                    return one;
                }
            } else if (!hasBound) {
                return null; // the same holds for all others
            }
        }
        return null;
    }

    /// Takes the oldest ticket and claims it; null if none waits.
    @Nullable PeerTicket claimed() {
        for (@Nullable PeerTicket one = tickets.pollFirst();
                one != null;
                one = tickets.pollFirst()) {
            waiting.decrementAndGet();
            if (one.claim()) {
                return one;
            }
        }
        return null;
    }

    /// Takes a ticket out.
    ///
    /// @return whether it was there; if not, a peer is on its way
    boolean remove(PeerTicket ticket) {
        if (!ticket.claim()) {
            return false;
        }
        if (tickets.remove(ticket)) {
            waiting.decrementAndGet();
        }
        return true;
    }

    private void noteBound(PeerTicket ticket) {
        if (ticket.bound() >= 0) {
            hasBound = true;
        }
    }
}
