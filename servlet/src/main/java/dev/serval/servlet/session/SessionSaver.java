package dev.serval.servlet.session;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.vault.ConflictException;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.StoredSession;
import dev.serval.servlet.vault.UnkeepableException;
import dev.serval.servlet.vault.VaultFullException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes sessions to the vault. The bytes of a session are made without a lock, and written under
/// that of its [StoredCopy] unless a newer form was written meanwhile. An unchanged session is not
/// written again. Any thread that may block.
final class SessionSaver {
    private static final int REPORTED_MAX = 256; // classes
    private static final int RENAMES_MAX = 8; // by other requests, while one is stored
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long RECOVERED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int TOUCH_SHARE = 16; // of the timeout
    private static final long TOUCH_MAX_MILLIS = 60_000;

    private final KeptSessions.Setup kept;
    private final SessionVault vault;
    private final SessionCounters counters;
    private final System.Logger log;
    private final SessionClock clock;
    private final long originMillis;
    private final long originNanos;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private volatile long failureNanos;
    private volatile long fullNanos;
    private volatile boolean full;
    private volatile boolean failed;

    SessionSaver(KeptSessions.Setup kept, Sessions sessions) {
        this.kept = kept;
        this.vault = kept.vault();
        this.counters = sessions.counters();
        this.log = sessions.log();
        this.clock = sessions.clock();
        this.originMillis = clock.nowMillis();
        this.originNanos = clock.nowNanos();
    }

    /// Returns the time of a reading of the monotonic clock, so that a change of the wall clock
    /// ends no session.
    long millisAt(long nanos) {
        return originMillis + TimeUnit.NANOSECONDS.toMillis(nanos - originNanos);
    }

    long nanosAt(long millis) {
        return originNanos + TimeUnit.MILLISECONDS.toNanos(millis - originMillis);
    }

    long nowMillis() {
        return millisAt(clock.nowNanos());
    }

    /// Stores a session that is used, if it has changed.
    ///
    /// @throws SessionUnavailableException if a vault that servers share cannot take it
    void save(Session session) {
        try {
            boolean _ = write(session, session.state() != Session.State.UNCONFIRMED);
        } catch (ConflictException e) {
            session.copyToChange().stale();
            session.copyToChange().seen(session.changes());
            counters.countLost(SessionCounters.Loss.CONFLICT);
            throw new SessionUnavailableException(
                    "Another server has changed the session while this request used it, so the"
                            + " changes of this request were dropped: repeat the request, and let"
                            + " the proxy send the requests of a session to one server",
                    e);
        } catch (IOException e) {
            report(e);
            if (vault.isShared()) {
                session.copyToChange().seen(session.changes());
                throw new SessionUnavailableException("The session cannot be stored now", e);
            }
        }
    }

    /// Stores a session that leaves the memory.
    ///
    /// @return whether the vault has it
    boolean store(Session session, boolean confirmed) {
        try {
            return write(session, confirmed);
        } catch (ConflictException e) {
            // The other server's changes count. This server's were stored by their requests.
            return true;
        } catch (IOException e) {
            report(e);
            return false;
        }
    }

    private boolean write(Session session, boolean confirmed) throws IOException {
        StoredCopy copy = session.copyToChange();
        for (int i = 0; i < RENAMES_MAX; i++) {
            int changes = session.changes();
            if (copy.isUnkeepable(changes)) {
                return false;
            }
            int ticket = copy.ticket();
            byte @Nullable [] content = content(session, copy, changes);
            if (content == null) {
                return false;
            }
            StoredSession form =
                    session.toStore(confirmed, millisAt(session.accessedNanos()), 0, content);
            synchronized (copy) {
                if (copy.isPast(ticket)) {
                    return true;
                }
                if (session.id().equals(form.id())) {
                    writeForm(form, copy, ticket, changes);
                    return true;
                }
            }
        }
        return false;
    }

    private byte @Nullable [] content(Session session, StoredCopy copy, int changes) {
        try {
            return kept.codec().write(session.attributes());
        } catch (UnkeepableException e) {
            copy.unkeepable(changes);
            counters.countUnkeepable();
            if (reported.size() < REPORTED_MAX && reported.add(e.className())) {
                log.log(
                        WARNING,
                        "Sessions with this attribute stay in memory"
                                + (kept.survives() ? " and end with the server" : "")
                                + ": "
                                + e.getMessage()
                                + ".");
            }
            return null;
        }
    }

    /// Writes a form unless the vault has it. The caller holds the lock of the copy.
    private void writeForm(StoredSession form, StoredCopy copy, int ticket, int changes)
            throws IOException {
        SessionKey key = SessionKey.of(form.id());
        byte[] digest = StoredCopy.digest(form);
        if (!copy.isSame(digest)) {
            long version = vault.write(key, form.withVersion(copy.version()));
            copy.wrote(ticket, version, digest, form.accessedMillis(), changes);
        } else if (isOld(form, copy)) {
            vault.touch(key, form.accessedMillis(), form.maxInactiveSeconds());
            copy.checked(form.accessedMillis(), changes);
        } else {
            copy.checked(copy.usedMillis(), changes);
        }
        recovered();
    }

    /// Returns whether the stored time of use must be renewed, so that a crash shortens the life of
    /// a session by a sixteenth of its timeout at most.
    private static boolean isOld(StoredSession form, StoredCopy copy) {
        long age = form.accessedMillis() - copy.usedMillis();
        long share = form.maxInactiveSeconds() * 1_000L / TOUCH_SHARE;
        return age > (share <= 0 ? TOUCH_MAX_MILLIS : Math.min(TOUCH_MAX_MILLIS, share));
    }

    /// Deletes the forms of the session under ids that it has left.
    ///
    /// @return these ids
    List<String> removeFormer(StoredCopy copy) throws IOException {
        List<String> former = copy.takeFormerIds();
        for (String id : former) {
            vault.remove(SessionKey.of(id));
        }
        return former;
    }

    /// Returns whether the vault had no room within the last second.
    boolean isFull() {
        return full && clock.nowNanos() - fullNanos < FULL_NANOS;
    }

    /// Logs a failure of the vault, at most once a minute.
    void report(IOException e) {
        counters.countFailure();
        long now = clock.nowNanos();
        if (e instanceof VaultFullException) {
            full = true;
            fullNanos = now;
        }
        if (failed && now - failureNanos < REPORT_NANOS) {
            return;
        }
        failed = true;
        failureNanos = now;
        String advice =
                e instanceof VaultFullException
                        ? ""
                        : vault.isShared()
                                ? "; requests that use a session get 503 until it works again"
                                : "; make the disk writable";
        log.log(
                WARNING,
                "Sessions cannot be read or stored now: "
                        + (e.getMessage() == null ? e : e.getMessage())
                        + advice
                        + ".");
    }

    private void recovered() {
        if (failed && clock.nowNanos() - failureNanos > RECOVERED_NANOS) {
            failed = false;
            log.log(WARNING, "Sessions can be stored again.");
        }
    }
}
