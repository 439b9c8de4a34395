package dev.serval.gateway.peer;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The idle peers of one upstream on one loop, the one that has rested longest first. So requests
/// go round all processes that have dialled in. Owned by the loop; any thread may read the count.
final class IdlePeers {
    private @Nullable Peer first;
    private @Nullable Peer last;
    private final AtomicInteger count = new AtomicInteger();

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

    /// Takes the peer that has rested longest and is still open; null if there is none.
    @Nullable Peer take() {
        while (first != null) {
            Peer one = first;
            remove(one);
            if (one.isQuiet()) {
                return one;
            }
        }
        return null;
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
