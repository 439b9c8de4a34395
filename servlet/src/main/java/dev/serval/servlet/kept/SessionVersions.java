package dev.serval.servlet.kept;

import dev.serval.servlet.session.SessionUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The stores of all versions of an application that run at the same time, which share one object of
/// this class. A version that stops while others run gives its sessions to the newest of them.
///
/// ```
///   STAYS ── leave ──▶ LEAVES ── no sessions arrive any more ──▶ forgotten
/// ```
///
/// Its lock is short: it is not held while sessions move, or while code of the application runs. Any
/// thread that may block.
final class SessionVersions {
    private static final long PAUSE_NANOS = 2_000_000;

    /// A version.
    private static final class Member {
        private final KeptSessions store;
        private boolean leaves; // gets no sessions of other versions any more
        private int arrivals; // moves of other versions to this one

        Member(KeptSessions store) {
            this.store = store;
        }
    }

    /// Lets one thread at a time bring the session of an id to memory, or move it to another store.
    /// Any thread that may block.
    static final class Claims {
        private final Map<String, CountDownLatch> claims = new ConcurrentHashMap<>();

        /// Claims an id. If another thread has it, waits until that thread gives it back.
        ///
        /// @return whether the caller has it now, and must give it back; if not, the caller must look for
        ///     the session again
        /// @throws SessionUnavailableException if the wait was interrupted
        boolean take(String id) {
            CountDownLatch other = claims.putIfAbsent(id, new CountDownLatch(1));
            if (other == null) {
                return true;
            }
            try {
                other.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SessionUnavailableException(
                        "The request was interrupted while its session was read", e);
            }
            return false;
        }

        /// Gives an id back, and wakes the threads that wait for it.
        void giveBack(String id) {
            CountDownLatch mine = claims.remove(id);
            if (mine != null) {
                mine.countDown();
            }
        }
    }

    private final Claims claims = new Claims();
    private final List<Member> members = new ArrayList<>(); // the oldest first; under the lock
    private volatile List<KeptSessions> stores = List.of(); // of the members; never changed

    /// Creates the versions of an application that has one.
    SessionVersions(KeptSessions first) {
        add(first);
    }

    /// Returns the claims, which keep two versions from having one session.
    Claims claims() {
        return claims;
    }

    /// Adds the newest version.
    synchronized void add(KeptSessions store) {
        members.add(new Member(store));
        publish();
    }

    /// Forgets a version that has closed. What it had is in the vault or in another version.
    synchronized void remove(KeptSessions store) {
        members.removeIf(member -> member.store.equals(store));
        publish();
    }

    private void publish() {
        stores = members.stream().map(member -> member.store).toList();
    }

    /// Returns whether another version may have a session that this one asks for.
    boolean hasOthers() {
        return stores.size() > 1;
    }

    /// Returns the versions other than `asking`, the newest first.
    List<KeptSessions> others(KeptSessions asking) {
        return stores.reversed().stream().filter(store -> !store.equals(asking)).toList();
    }

    /// Records that a version will close, and waits for sessions that other versions are moving to it.
    ///
    /// @param atMostNanos the longest wait
    /// @return whether all have arrived
    boolean leave(KeptSessions store, LongSupplier nowNanos, long atMostNanos) {
        long began = nowNanos.getAsLong();
        while (arrivals(store) > 0) {
            if (nowNanos.getAsLong() - began > atMostNanos) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    private synchronized int arrivals(KeptSessions store) {
        @Nullable Member member = member(store);
        if (member == null) {
            return 0;
        }
        member.leaves = true;
        return member.arrivals;
    }

    /// Begins to move the sessions of a version to the newest later one that stays. The caller then
    /// calls [#endMove], and the other version does not close before.
    ///
    /// @return that version; null if there is none
    synchronized @Nullable KeptSessions beginMove(KeptSessions from) {
        for (Member member : members.reversed()) {
            if (member.store.equals(from)) {
                return null; // the others are older
            }
            if (!member.leaves) {
                member.arrivals++;
                return member.store;
            }
        }
        return null;
    }

    /// Returns the newest version that stays, or `otherwise` if there is none.
    synchronized KeptSessions newest(KeptSessions otherwise) {
        for (Member member : members.reversed()) {
            if (!member.leaves) {
                return member.store;
            }
        }
        return otherwise;
    }

    /// Ends the move to a version.
    synchronized void endMove(KeptSessions to) {
        @Nullable Member member = member(to);
        if (member != null) {
            member.arrivals--;
        }
    }

    private @Nullable Member member(KeptSessions store) {
        for (Member member : members) {
            if (member.store.equals(store)) {
                return member;
            }
        }
        return null;
    }
}
