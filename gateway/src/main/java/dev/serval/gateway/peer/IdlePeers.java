package dev.serval.gateway.peer;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The idle peers of one upstream on one loop, in the order in which they came to rest. Owned by the
/// loop; any thread may read the count.
///
/// - Of processes that have dialled in, the one that has rested longest comes first, so requests go
///   round all of them.
/// - Of connections to an upstream, the one that has rested shortest comes first. The upstream closes
///   those that have rested for long, perhaps just as a request is sent, and those that are not
///   needed reach the idle limit.
final class IdlePeers {
    private final boolean latestFirst;
    private @Nullable Peer first;
    private @Nullable Peer last;
    private final AtomicInteger count = new AtomicInteger();

    /// Creates an empty list.
    ///
    /// @param latestFirst whether the peer that has rested shortest comes first
    IdlePeers(boolean latestFirst) {
        this.latestFirst = latestFirst;
    }

    /// Returns the number of peers. Any thread.
    int count() {
        return count.get();
    }

    void add(Peer peer) {
        peer.listed = true;
        peer.previous = last;
        peer.next = null;
        if (last == null) {
            first = peer;
        } else {
            last.next = peer;
        }
        last = peer;
        change(1);
    }

    void remove(Peer peer) {
        if (!peer.listed) {
            return;
        }
        peer.listed = false;
        @Nullable Peer before = peer.previous;
        @Nullable Peer after = peer.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        peer.previous = null;
        peer.next = null;
        change(-1);
    }

    /// Takes the first peer that is still open; null if there is none.
    @Nullable Peer take() {
        @Nullable Peer one = foremost();
        while (one != null) {
            remove(one);
            if (one.isQuiet()) {
                return one;
            }
            one = foremost();
        }
        return null;
    }

    private @Nullable Peer foremost() {
        return latestFirst ? last : first;
    }

    /// Closes all.
    void closeAll() {
        while (first != null) {
            Peer one = first;
            remove(one);
            one.close();
        }
    }

    /// Only the loop writes, but with a volatile write: see [PeerPool].
    private void change(int by) {
        count.set(count.getPlain() + by);
    }
}
