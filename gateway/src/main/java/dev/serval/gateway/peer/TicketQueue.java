package dev.serval.gateway.peer;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The requests of all loops that wait for a peer, first in, first out, up to a limit. Adding a
/// ticket and looking whether tickets wait are volatile accesses: see [PeerPool]. Any thread.
final class TicketQueue {
    private final int max;
    private final ConcurrentLinkedDeque<PeerTicket> tickets = new ConcurrentLinkedDeque<>();
    private final AtomicInteger waiting = new AtomicInteger(); // counted before it is added

    TicketQueue(int max) {
        this.max = max;
    }

    /// Returns the number of requests that wait.
    int size() {
        return waiting.get();
    }

    /// Returns whether a request waits or is being added.
    boolean hasWaiting() {
        return waiting.get() > 0;
    }

    /// Takes a place for a request. If there was one, the caller calls [#addLast].
    boolean reserve() {
        if (waiting.incrementAndGet() > max) {
            waiting.decrementAndGet();
            return false;
        }
        return true;
    }

    /// Adds a request for which there is a place.
    void addLast(PeerTicket ticket) {
        tickets.addLast(ticket);
    }

    /// Puts a request that was claimed back in front of the others. It has waited, so the limit does
    /// not count.
    void addFirst(PeerTicket ticket) {
        ticket.unclaim();
        waiting.incrementAndGet();
        tickets.addFirst(ticket);
    }

    /// Returns whether no ticket is there.
    boolean isEmpty() {
        return tickets.isEmpty();
    }

    /// Returns the oldest ticket, or null.
    @Nullable PeerTicket first() {
        return tickets.peekFirst();
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
}
