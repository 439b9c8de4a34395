package dev.serval.servlet.kept;

import dev.serval.servlet.session.Session;
import dev.serval.servlet.session.SessionClock;
import dev.serval.servlet.session.StoredCopy;
import dev.serval.servlet.vault.DamagedSessionException;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.StoredSession;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Brings sessions to memory: from the vault, or from the other version of the application that has
/// them. One thread at a time does so for an id, by the claims of [SessionVersions], and other
/// threads wait for it. Any thread that may block.
final class SessionArrivals {
    private final KeptSessions store;
    private final KeptSessions.Setup kept;
    private final SessionVault vault;
    private final Map<String, Session> live; // those of the store
    private final Set<String> gone; // of the store: they have ended, and may still be stored

    SessionArrivals(
            KeptSessions store,
            KeptSessions.Setup kept,
            Map<String, Session> live,
            Set<String> gone) {
        this.store = store;
        this.kept = kept;
        this.vault = kept.vault();
        this.live = live;
        this.gone = gone;
    }

    /// Returns the session with the id, which is brought to memory if it is not there; null if there
    /// is none.
    @Nullable Session load(String id) {
        SessionClock clock = store.sessions().clock();
        long began = clock.nowNanos();
        while (!store.isClosed()) {
            Session present = live.get(id);
            if (present != null && !present.isOutside()) {
                return present;
            }
            if (present != null) {
                live.remove(id, present);
            }
            SessionKey key = SessionKey.of(id);
            if (gone.contains(id) || !mayBeOutside(id, key)) {
                return null;
            }
            SessionVersions.Claims here = store.versions().claims();
            if (here.take(id)) {
                try {
                    if (!live.containsKey(id) && !gone.contains(id)) {
                        return read(id, key, () -> clock.nowNanos() - began);
                    }
                } finally {
                    here.giveBack(id);
                }
            }
        }
        return null;
    }

    private boolean mayBeOutside(String id, SessionKey key) {
        // In this order: a version that has ended has given all its sessions away before.
        return store.versions().hasOthers() || live.containsKey(id) || vault.mayContain(key);
    }

    private @Nullable Session read(String id, SessionKey key, LongSupplier waitedNanos) {
        try {
            for (KeptSessions version : store.others()) {
                @Nullable StoredSession given = version.moves().surrender(id, vault, waitedNanos);
                if (given != null) {
                    store.sessions().counters().adopt(1);
                    return restored(given, key);
                }
                if (version.hasEnded(id)) {
                    return null; // it ends there, and may still be stored
                }
            }
            StoredSession stored = vault.read(key);
            return stored == null || !stored.id().equals(id) ? null : restored(stored, key);
        } catch (DamagedSessionException e) {
            store.lost(e);
            return null;
        } catch (IOException e) {
            throw store.saver().unreadable(e);
        }
    }

    private @Nullable Session restored(StoredSession stored, SessionKey key) throws IOException {
        Map<String, Object> attributes;
        try {
            attributes = kept.codec().read(stored.attributes());
        } catch (DamagedSessionException e) {
            vault.remove(key);
            throw e;
        }
        long used = store.saver().lastUseNanos(stored);
        Session session = new Session(store.sessions(), stored, attributes, used);
        store.sessions().notices().didActivate(session.facade, session.attributes());
        if (vault.isShared()) {
            store.sessions().counters().adopt(1);
        }
        if (!vault.mayContain(key)) {
            session.copyToChange().removed(); // another version of the application has given it
        }
        store.sessions().counters().countActivated();
        Session.State _ = session.begin(/* joins */ false); // stays until its form is removed
        live.put(stored.id(), session);
        try {
            if (!kept.survives()) {
                session.copyToChange().removed();
                vault.remove(key);
            }
        } finally {
            boolean _ = session.release(used);
            store.sessions().cameToMemory(session);
        }
        store.trim();
        return session;
    }

    /// Returns the session of the vault if another server has changed it; null if another server has
    /// ended it. Requests that use the object in memory keep it for themselves then.
    @Nullable Session current(String id, Session session) {
        try {
            if (isCurrent(id, session)) {
                return session;
            }
        } catch (IOException e) {
            throw store.saver().unreadable(e);
        }
        if (!drop(session) && session.replace(id)) {
            store.replaced(session);
        }
        return load(id);
    }

    private boolean isCurrent(String id, Session session) throws IOException {
        StoredCopy copy = session.copyToChange();
        long known;
        long stored;
        do {
            known = copy.version();
            if (copy.isStale()) {
                return false;
            }
            if (known == 0) {
                return true; // never stored
            }
            stored = vault.version(SessionKey.of(id));
        } while (known != copy.version()); // a request that uses it has stored it meanwhile
        boolean used = session.isUsed(); // in this order: the end of a use records its time first
        boolean overdue = !used && session.isOverdue(store.sessions().clock().nowNanos());
        return stored == known && !overdue; // else another server may have used it
    }

    /// Removes a session from memory without storing it, unless a use holds it.
    ///
    /// @return whether it has left
    private boolean drop(Session session) {
        Session.State before = session.beginStoring(/* unconfirmedToo */ true);
        if (before == null) {
            return false;
        }
        boolean left = session.endStoring(Session.State.STORED, session.changes(), before);
        store.left(session, left);
        return left;
    }
}
