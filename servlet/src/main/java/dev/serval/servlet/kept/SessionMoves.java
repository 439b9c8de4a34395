package dev.serval.servlet.kept;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.session.Session;
import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionNotices;
import dev.serval.servlet.session.SessionUnavailableException;
import dev.serval.servlet.session.Sessions;
import dev.serval.servlet.session.StoredCopy;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.StoredSession;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Gives sessions of one version of an application to other versions. A session that requests still
/// use is copied as it is at that moment, so a long request of the former version delays no request
/// of the next one. Any thread that may block.
final class SessionMoves {
    /// The time that requests have to end before their session is copied. Most end in this time, and
    /// then nothing is lost.
    static final long COPY_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// The longest time that a request waits for its session.
    static final long WAIT_MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long PAUSE_NANOS = 2_000_000;

    private final KeptSessions store;
    private final SessionVault vault;
    private final VaultUpkeep upkeep;
    private final Map<String, Session> live; // those of the store
    private final AtomicBoolean reported = new AtomicBoolean();

    SessionMoves(
            KeptSessions store, SessionVault vault, VaultUpkeep upkeep, Map<String, Session> live) {
        this.store = store;
        this.vault = vault;
        this.upkeep = upkeep;
        this.live = live;
    }

    /// Returns whether what this version keeps is in that vault, too.
    private boolean isStoredIn(SessionVault asked) {
        return vault.equals(asked) || (vault.isShared() && asked.isShared());
    }

    /// Gives a session away to the version that asks for it. The caller has claimed the id.
    ///
    /// @param asked the vault of that version
    /// @param waitedNanos how long the request has looked for the session
    /// @return its stored form; null if there is none, or if that vault has it
    /// @throws SessionUnavailableException if the session cannot be stored
    @Nullable StoredSession surrender(String id, SessionVault asked, LongSupplier waitedNanos)
            throws IOException {
        @Nullable ClassLoader before = store.sessions().enter();
        try {
            @Nullable Session session = live.get(id);
            while (!store.isClosed()
                    && session != null
                    && session.isLive()
                    && !gives(session, waitedNanos)) {
                if (waitedNanos.getAsLong() > WAIT_MAX_NANOS || !mayMove(session)) {
                    throw new SessionUnavailableException(
                            "The other version of the application still needs the session", null);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
                session = live.get(id);
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        return store.isClosed() || isStoredIn(asked) ? null : taken(SessionKey.of(id));
    }

    private boolean gives(Session session, LongSupplier waitedNanos) {
        if (store.saver().isFull()) {
            return false;
        }
        return store.leave(session, /* unconfirmedToo */ true)
                || (session.isUsed()
                        && waitedNanos.getAsLong() >= COPY_AFTER_NANOS
                        && copies(session));
    }

    /// Returns whether another attempt may succeed.
    private static boolean mayMove(Session session) {
        if (!session.isLive()) {
            return true; // it has moved or ended
        }
        @Nullable StoredCopy copy = session.copy();
        boolean never = copy != null && copy.isUnkeepable(session.changes());
        return !never && (session.isUsed() || !session.isStuck());
    }

    /// Stores a session that requests use, as it is now. They keep the object for themselves.
    ///
    /// @return whether the vault has it, and the session has left this version
    private boolean copies(Session session) {
        String id = session.id();
        StoredCopy copy = session.copyToChange();
        Session.@Nullable State before = session.beginCopying();
        if (before == null) {
            return false;
        }
        SessionNotices notices = store.sessions().notices();
        boolean moved = false;
        try {
            notices.willPassivate(session.facade, session.attributes());
            moved = store.saver().store(session, before != Session.State.UNCONFIRMED);
        } finally {
            moved = session.endCopying(moved, id, before);
            if (moved) {
                synchronized (copy) {
                    boolean _ = copy.die(); // so that no save which has begun writes it again
                }
                store.left(session, true);
                store.removeFormer(copy);
                store.sessions().counters().countPassivated();
            }
            if (moved || session.isLive()) {
                notices.didActivate(session.facade, session.attributes());
            }
        }
        return moved;
    }

    /// Ends the last use of a session that has moved, and reports changes that its copy has not.
    void ended(Session session) {
        Sessions sessions = store.sessions();
        sessions.notices().willPassivate(session.facade, session.attributes());
        if (!store.saver().hasChanged(session)) {
            return;
        }
        // The next version counts it, because this one is forgotten soon.
        store.versions().newest(store).sessions().counters().countLost(SessionCounters.Loss.LATE);
        if (!reported.getAndSet(true)) {
            sessions.log().log(
                    WARNING,
                    "A request of the former version changed its session after the next"
                            + " version had taken a copy of it, so these changes are lost."
                            + " Others of the same kind are only counted.");
        }
    }

    private @Nullable StoredSession taken(SessionKey key) throws IOException {
        @Nullable StoredSession stored = vault.read(key);
        if (stored != null) {
            vault.remove(key);
            store.sessions().counters().unreserve();
        }
        return stored;
    }

    /// Gives all sessions to the next version, those that requests still use as they are now.
    ///
    /// @return whether that version has a vault of its own; if not, sessions that are left can be
    ///     stored where it finds them
    boolean giveAll(KeptSessions next) {
        for (Session session : live.values()) {
            boolean left = leaves(session);
            while (!left && session.state() == Session.State.STORING) {
                LockSupport.parkNanos(PAUSE_NANOS); // a request of that version is taking it
                left = leaves(session);
            }
        }
        if (isStoredIn(next.vault())) {
            return false;
        }
        upkeep.each(key -> adopt(next, key));
        return true;
    }

    /// Has a session leave this version, used or not. A use may begin or end meanwhile.
    private boolean leaves(Session session) {
        boolean used = session.isUsed();
        return store.leave(session, /* unconfirmedToo */ true)
                || ((used || session.isUsed()) && copies(session));
    }

    /// Moves a session to the vault of the next version, without reading its attributes. A request
    /// that asks for it meanwhile waits.
    private void adopt(KeptSessions next, SessionKey key) throws IOException {
        @Nullable StoredSession seen = vault.read(key);
        if (seen == null) {
            return;
        }
        String id = seen.id();
        SessionVersions.Claims claims = store.versions().claims();
        while (!claims.take(id)) {} // a request brings it to memory
        try {
            @Nullable StoredSession session = taken(key);
            if (session != null && !next.knows(id)) {
                next.saver().adopt(key, session.withVersion(0));
            }
        } finally {
            claims.giveBack(id);
        }
    }
}
