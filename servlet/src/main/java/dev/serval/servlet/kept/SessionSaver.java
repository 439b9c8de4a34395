package dev.serval.servlet.kept;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.session.Session;
import dev.serval.servlet.session.SessionClock;
import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionEnd;
import dev.serval.servlet.session.SessionNotices;
import dev.serval.servlet.session.SessionUnavailableException;
import dev.serval.servlet.session.Sessions;
import dev.serval.servlet.session.StoredCopy;
import dev.serval.servlet.vault.ConflictException;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.StoredSession;
import dev.serval.servlet.vault.UnkeepableException;
import dev.serval.servlet.vault.VaultFullException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Map;
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
    private final SessionNotices notices;
    private final long originMillis;
    private final long originNanos;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private volatile long failureNanos;
    private volatile long fullNanos;
    private volatile boolean full;
    private volatile boolean failed;
    private volatile boolean tellsValues; // a stored value may hear that its session ends

    SessionSaver(KeptSessions.Setup kept, Sessions sessions) {
        this.kept = kept;
        this.vault = kept.vault();
        this.counters = sessions.counters();
        this.log = sessions.log();
        this.clock = sessions.clock();
        this.notices = sessions.notices();
        this.originMillis = clock.nowMillis();
        this.originNanos = clock.nowNanos();
    }

    /// Returns the time of a reading of the monotonic clock.
    long millisAt(long nanos) {
        return nowMillis() - TimeUnit.NANOSECONDS.toMillis(clock.nowNanos() - nanos);
    }

    /// Returns when a stored session was used last, at the latest. Another server records a use only
    /// if the last record is old.
    long lastUseMillis(StoredSession stored) {
        long unrecorded = vault.isShared() ? touchAfterMillis(stored.maxInactiveSeconds()) : 0;
        // A clock that was set back does not make a session live longer.
        return Math.min(stored.accessedMillis() + unrecorded, nowMillis());
    }

    /// Returns the same time on the monotonic clock.
    long lastUseNanos(StoredSession stored) {
        long ago = nowMillis() - lastUseMillis(stored);
        return clock.nowNanos() - TimeUnit.MILLISECONDS.toNanos(ago);
    }

    /// Returns the time of the wall clock, which the next start and other servers use too. Sessions
    /// that are only for this start have a clock that is never set.
    long nowMillis() {
        return kept.survives()
                ? clock.nowMillis()
                : originMillis + TimeUnit.NANOSECONDS.toMillis(clock.nowNanos() - originNanos);
    }

    /// Stores a session that is used, if it has changed.
    ///
    /// @throws SessionUnavailableException if a vault that servers share cannot take it
    void save(Session session) {
        try {
            boolean confirmed = session.state() != Session.State.UNCONFIRMED;
            boolean _ = write(session, confirmed, /* leaves */ false);
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
                throw new SessionUnavailableException("The server failed to store the session", e);
            }
        }
    }

    /// Stores a session that leaves the memory.
    ///
    /// @return whether the vault has it
    boolean store(Session session, boolean confirmed) {
        try {
            return write(session, confirmed, /* leaves */ true);
        } catch (ConflictException e) {
            // The other server's changes count. This server's were stored by their requests.
            return true;
        } catch (IOException e) {
            report(e);
            return false;
        }
    }

    /// Writes a session.
    ///
    /// @param leaves whether it leaves the memory, so that the exact time of its last use counts
    /// @return whether the vault has it
    private boolean write(Session session, boolean confirmed, boolean leaves) throws IOException {
        StoredCopy copy = session.copyToChange();
        for (int i = 0; i < RENAMES_MAX; i++) {
            int changes = session.changes();
            int ticket = copy.ticket();
            byte @Nullable [] content =
                    copy.isUnkeepable(changes) ? null : content(session, copy, changes);
            if (content == null) {
                if (copy.isUnkeepable(changes)) {
                    discard(session, copy, ticket);
                }
                return false;
            }
            StoredSession form =
                    session.toStore(confirmed, millisAt(session.accessedNanos()), 0, content);
            synchronized (copy) {
                if (copy.isPast(ticket)) {
                    return true;
                }
                if (session.id().equals(form.id())) {
                    writeForm(form, copy, new Writing(ticket, changes, leaves));
                    return true;
                }
            }
        }
        return false;
    }

    /// Removes the stored form of a session that cannot be stored any more. The form is of an earlier
    /// state, in which the user may still be logged in, and would come back at the next start.
    private void discard(Session session, StoredCopy copy, int ticket) throws IOException {
        synchronized (copy) {
            if (!copy.isPast(ticket) && copy.isWritten() && !copy.isStale()) {
                vault.remove(SessionKey.of(session.id()));
                copy.removed();
            }
        }
    }

    private byte @Nullable [] content(Session session, StoredCopy copy, int changes) {
        Map<String, Object> attributes = session.attributes();
        noteTold(attributes);
        try {
            return kept.codec().write(attributes);
        } catch (UnkeepableException e) {
            if (e.isLasting()) {
                copy.unkeepable(changes);
            } else {
                copy.failed(changes);
            }
            counters.countUnkeepable();
            report(e);
            return null;
        }
    }

    /// Notes whether a value is told of the end, if sessions end with their application.
    private void noteTold(Map<String, Object> attributes) {
        if (kept.survives() || tellsValues) {
            return;
        }
        for (Object value : attributes.values()) {
            tellsValues |= SessionNotices.isTold(value);
        }
    }

    /// Returns whether something in the application may hear that sessions end which this server has
    /// stored since its start.
    boolean endsAreHeard() {
        return tellsValues || notices.hearEnds();
    }

    /// Returns whether a session has changed since its form was written last, even inside a value.
    boolean hasChanged(Session session) {
        StoredCopy copy = session.copyToChange();
        if (copy.isBehind(session.changes())) {
            return true;
        }
        try {
            return !copy.holds(kept.codec().write(session.attributes()));
        } catch (UnkeepableException e) {
            return true; // it could be written before
        }
    }

    /// Logs why a session cannot be stored, once for each class.
    private void report(UnkeepableException e) {
        String kind = e.isLasting() ? e.className() : e.className() + " now";
        if (reported.size() < REPORTED_MAX && reported.add(kind)) {
            String result =
                    !e.isLasting()
                            ? "A session with this attribute could not be stored now, and is tried"
                                    + " again after its next request: "
                            : kept.survives()
                                    ? "Sessions with this attribute stay in memory and end with the"
                                            + " server: "
                                    : "Sessions with this attribute stay in memory: ";
            log.log(WARNING, result + e.getMessage() + ".");
        }
    }

    /// One attempt to write a session.
    ///
    /// @param ticket the place of its form among all forms
    /// @param changes of the session before the form was made
    /// @param leaves whether the session leaves the memory
    private record Writing(int ticket, int changes, boolean leaves) {}

    /// Writes a form unless the vault has it. The caller holds the lock of the copy.
    private void writeForm(StoredSession form, StoredCopy copy, Writing now) throws IOException {
        SessionKey key = SessionKey.of(form.id());
        byte[] digest = StoredCopy.digest(form);
        boolean stale = copy.isStale();
        if (stale && !copy.isLike(digest)) {
            throw new ConflictException("another server has changed or removed the session");
        }
        if (!stale && !copy.isSame(digest)) {
            copy.unsure();
            long version = vault.write(key, form.withVersion(copy.version()));
            copy.wrote(now.ticket(), version, digest, form.accessedMillis(), now.changes());
        } else if (mustTouch(form, copy, now.leaves())) {
            vault.touch(key, form.accessedMillis(), form.maxInactiveSeconds());
            copy.checked(form.accessedMillis(), now.changes());
        } else {
            copy.checked(copy.usedMillis(), now.changes());
        }
        recovered();
    }

    /// Returns whether the stored time of use must be renewed. A server that shares the vault takes
    /// an old time for a later one ([#lastUseMillis]), so it need not be exact there.
    private boolean mustTouch(StoredSession form, StoredCopy copy, boolean leaves) {
        long age = form.accessedMillis() - copy.usedMillis();
        boolean exact = leaves && !vault.isShared();
        return age > (exact ? 0 : touchAfterMillis(form.maxInactiveSeconds()));
    }

    /// Writes a session that another version of the application has given.
    void adopt(SessionKey key, StoredSession session) {
        try {
            long _ = vault.write(key, session);
            counters.adopt(1);
        } catch (IOException e) {
            counters.countLost(SessionCounters.Loss.UNSTORED);
            report(e);
        }
    }

    /// Returns whether a session whose last use has ended must be stored. One that could not be
    /// turned into bytes may be tried again.
    boolean isBehind(Session session) {
        @Nullable StoredCopy copy = session.copy();
        if (copy != null) {
            copy.mayRetry();
        }
        return copy == null || copy.isBehind(session.changes());
    }

    /// Returns whether the stored time of a session is so new that a use need not be recorded in the
    /// vault. Takes no lock.
    boolean isFresh(Session session) {
        @Nullable StoredCopy copy = session.copy();
        if (copy == null || !copy.isWritten()) {
            return !vault.isShared(); // this server alone has the session
        }
        long afterMillis = touchAfterMillis(session.maxInactiveSeconds());
        return nowMillis() - copy.usedMillis() <= afterMillis;
    }

    /// Returns whether the stored time of a session that a request still uses is so old that another
    /// server may take the session for idle soon. Takes no lock.
    boolean isFading(Session session) {
        @Nullable StoredCopy copy = session.copy();
        long timeoutMillis = session.maxInactiveSeconds() * 1_000L;
        return session.isUsed()
                && timeoutMillis > 0
                && copy != null
                && copy.isWritten()
                && nowMillis() - copy.usedMillis() > timeoutMillis / 2;
    }

    /// Records that a session is used now.
    void renew(Session session) {
        StoredCopy copy = session.copyToChange();
        long now = nowMillis();
        try {
            synchronized (copy) {
                if (copy.isWritten()) {
                    vault.touch(SessionKey.of(session.id()), now, session.maxInactiveSeconds());
                    copy.touched(now);
                }
            }
        } catch (IOException e) {
            report(e);
        }
    }

    /// Returns whether a session that has ended here is over on all servers.
    ///
    /// @param version of the form that this server has seen
    boolean isOver(StoredSession stored, long version, SessionEnd reason) {
        return switch (reason) {
            case INVALIDATED, STOPPED -> true;
            case UNCONFIRMED, EVICTED -> !stored.confirmed() && stored.version() == version;
            case EXPIRED ->
                    stored.version() == version
                            && lastUseMillis(stored) + 1_000L * stored.maxInactiveSeconds()
                                    <= nowMillis();
        };
    }

    /// Returns how much later than its stored time a session may have been used, so that a crash
    /// shortens its life by a sixteenth of its timeout at most.
    private static long touchAfterMillis(int maxInactiveSeconds) {
        long share = maxInactiveSeconds * 1_000L / TOUCH_SHARE;
        return share <= 0 ? TOUCH_MAX_MILLIS : Math.min(TOUCH_MAX_MILLIS, share);
    }

    /// Returns whether the vault had no room for a confirmed session within the last second.
    boolean isFull() {
        return full && clock.nowNanos() - fullNanos < FULL_NANOS;
    }

    /// Logs a failure of the vault, at most once a minute.
    void report(IOException e) {
        counters.countFailure();
        long now = clock.nowNanos();
        if (e instanceof VaultFullException quota && quota.confirmedToo()) {
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
                "Serval failed to read or store sessions in "
                        + vault.place()
                        + ": "
                        + (e.getMessage() == null || e instanceof FileSystemException
                                ? e // its message may be a path alone
                                : e.getMessage())
                        + advice
                        + ".");
    }

    /// Reports that a session cannot be read, and returns what its request gets.
    SessionUnavailableException unreadable(IOException e) {
        report(e);
        return new SessionUnavailableException("The server failed to read the session", e);
    }

    private void recovered() {
        if (failed && clock.nowNanos() - failureNanos > RECOVERED_NANOS) {
            failed = false;
            log.log(WARNING, "Serval can store sessions in " + vault.place() + " again.");
        }
    }
}
