package dev.serval.servlet.kept;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.session.Session;
import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionEnd;
import dev.serval.servlet.session.SessionStore;
import dev.serval.servlet.session.SessionUnavailableException;
import dev.serval.servlet.session.Sessions;
import dev.serval.servlet.session.StoredCopy;
import dev.serval.servlet.vault.AttributeCodec;
import dev.serval.servlet.vault.DamagedSessionException;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.StoredSession;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Keeps the sessions in memory that are used, and the others in a [SessionVault]. A session in
/// memory is found without a lock. One in the vault is read by the first request that needs it, and
/// other requests wait for that.
///
/// The confirmed sessions that were used least recently leave the memory beyond
/// `SessionLimits.idleMax`. Unconfirmed ones never do, so clients without cookies cannot fill the
/// disk by that way. Any thread.
public final class KeptSessions implements SessionStore, AutoCloseable {
    private static final long STOP_MAX_NANOS = 10_000_000_000L;

    /// What the store is built on. Immutable.
    ///
    /// @param vault keeps the bytes; closed with the store
    /// @param codec turns attributes into bytes
    /// @param survives whether sessions are for the next start of the application, too
    /// @param savesRequests whether a session is stored at the end of each request that used it, and
    ///   not only when it leaves the memory or the application stops
    /// @param checksAttributes whether an attribute that is not serialisable is refused at once,
    ///   because the application is distributable (Servlet 6.1 §7.7.2)
    public record Setup(
            SessionVault vault,
            AttributeCodec codec,
            boolean survives,
            boolean savesRequests,
            boolean checksAttributes) {}

    private final Setup kept;
    private final SessionVault vault;
    private final Map<String, Session> live = new ConcurrentHashMap<>();
    private final Set<String> gone = ConcurrentHashMap.newKeySet(); // ended, may still be stored
    private final Set<Session> replaced = ConcurrentHashMap.newKeySet(); // and used by requests
    private final VaultUpkeep upkeep;
    private final IdleSample sample;
    private final SessionMoves moves;
    private final SessionArrivals arrivals;
    private @Nullable SessionSaver saver; // set by open
    private @Nullable Sessions sessions;
    private volatile boolean follows; // an earlier version, whose sessions may be in the vault
    private volatile boolean closed;
    private volatile boolean handedOver; // to another version, so it asks no other one
    private volatile SessionVersions versions = new SessionVersions(this);

    /// Creates a store of what is in the vault.
    public KeptSessions(Setup kept) {
        this.kept = kept;
        this.vault = kept.vault();
        this.sample = new IdleSample(live);
        this.upkeep = new VaultUpkeep(this, vault);
        this.moves = new SessionMoves(this, vault, upkeep, live);
        this.arrivals = new SessionArrivals(this, kept, live, gone);
    }

    @Override
    public void open(Sessions owner) {
        sessions = owner;
        saver = new SessionSaver(kept, owner);
        if (!vault.isShared()) {
            vault.whenKnown(() -> owner.counters().adopt(vault.size()));
        }
    }

    Sessions sessions() {
        return Objects.requireNonNull(sessions, "The store is not open");
    }

    SessionSaver saver() {
        return Objects.requireNonNull(saver, "The store is not open");
    }

    @Override
    public boolean add(String id, Session session) {
        return live.putIfAbsent(id, session) == null;
    }

    @Override
    public void trim() {
        if (isCrowded()) {
            boolean _ = makeRoom();
        }
    }

    @Override
    public @Nullable Session get(String id) {
        Session session = live.get(id);
        if (session == null || session.isOutside()) {
            return arrivals.load(id);
        }
        return vault.isShared() ? arrivals.current(id, session) : session;
    }

    @Override
    public @Nullable Session peek(String id) {
        Session session = live.get(id);
        if (session == null || session.isOutside()) {
            return null;
        }
        boolean renews = vault.isShared() || kept.savesRequests();
        return renews && !saver().isFresh(session) ? null : session;
    }

    @Override
    public boolean hasOthers() {
        return versions.hasOthers() || vault.isShared() || vault.size() > 0 || vault.isAwaited();
    }

    @Override
    public int inMemory() {
        return live.size();
    }

    void left(Session session, boolean stored) {
        if (stored) {
            live.remove(session.id(), session);
            sessions().leftMemory(session);
            if (vault.isShared()) {
                sessions().counters().unreserve();
            }
        }
    }

    /// Records that another server has changed or ended a session that requests use.
    void replaced(Session session) {
        replaced.add(session);
        left(session, true);
    }

    void lost(DamagedSessionException e) {
        sessions().counters().countLost(SessionCounters.Loss.UNREADABLE);
        if (!vault.isShared()) {
            sessions().counters().unreserve();
        }
        String why = "A stored session is lost and was removed, because " + e.getMessage() + ".";
        sessions().log().log(WARNING, why);
    }

    @Override
    public void remove(String id, Session session) {
        // It has a copy from now on, so that a save which has begun meanwhile finds the end there.
        StoredCopy copy = session.copyToChange();
        if (!session.isLive() || (kept.survives() && copy.renamed(id))) {
            gone.add(id);
        }
        live.remove(id, session);
    }

    @Override
    public boolean endsEverywhere(Session session, SessionEnd reason) {
        StoredCopy copy = session.copy();
        if (!vault.isShared() || copy == null || copy.version() == 0) {
            return true;
        }
        boolean ends = false;
        try {
            StoredSession stored = vault.read(SessionKey.of(session.id()));
            ends = stored != null && saver().isOver(stored, copy.version(), reason);
        } catch (IOException e) {
            saver().report(e); // the row stays, and a later look finds it
        }
        if (!ends) {
            gone.remove(session.id());
        }
        return ends;
    }

    /// Returns the session with the id, which is brought to memory if it is not there; null if there
    /// is none.
    @Nullable Session load(String id) {
        return arrivals.load(id);
    }

    /// Returns the stores that may have a session which this one has not.
    List<KeptSessions> others() {
        return handedOver ? List.of() : versions.others(this);
    }

    /// Returns whether the session with the id has ended here. It may still be stored.
    boolean hasEnded(String id) {
        return gone.contains(id);
    }

    /// Returns what gives sessions of this store to others.
    SessionMoves moves() {
        return moves;
    }

    /// Returns the session with the id if its object is in memory.
    @Nullable Session inMemory(String id) {
        Session session = live.get(id);
        return session == null || session.isOutside() ? null : session;
    }

    /// Returns whether an object of the session is in memory, even if it is being removed.
    boolean knows(String id) {
        return live.containsKey(id);
    }

    SessionVault vault() {
        return vault;
    }

    /// Records that nothing is stored under an id any more.
    void forgotten(String id) {
        gone.remove(id);
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void forget(Session session) {
        StoredCopy copy = session.copyToChange();
        String id = session.id();
        boolean stored;
        synchronized (copy) {
            stored = copy.die();
        }
        if (stored && !removeStored(id)) {
            copy.stays();
        } else if (!stored) {
            gone.remove(id);
        }
        removeFormer(copy);
    }

    /// Deletes the forms of a session under ids that it has left.
    void removeFormer(StoredCopy copy) {
        for (String id : copy.takeFormerIds()) {
            boolean _ = removeStored(id);
        }
    }

    /// Deletes the form of a session, now or later.
    ///
    /// @return whether it is deleted
    private boolean removeStored(String id) {
        try {
            vault.remove(SessionKey.of(id));
            gone.remove(id);
            return true;
        } catch (IOException e) {
            saver().report(e);
            upkeep.removeLater(id);
            return false;
        }
    }

    @Override
    public void check(String name, Object value) {
        if (kept.checksAttributes() && !(value instanceof Serializable)) {
            throw new IllegalArgumentException(
                    "The session attribute \""
                            + name
                            + "\" of class "
                            + value.getClass().getName()
                            + " must implement java.io.Serializable, because web.xml says that the"
                            + " application is distributable");
        }
    }

    @Override
    public void save(Session session) {
        boolean late = closed && !vault.isShared(); // the folder may be of the next start now
        boolean counts = session.isLive() || session.isReplaced();
        if (!counts && vault.isShared() && session.copyToChange().isLeft()) {
            throw new SessionUnavailableException(
                    "The application has ended the session, but the server failed to remove it:"
                            + " other servers accept it",
                    null);
        }
        if (!kept.savesRequests() || !counts || late) {
            return;
        }
        saver().save(session);
        removeFormer(session.copyToChange());
    }

    /// Stores what listeners of the request have changed after [#save], or all if the request has
    /// ended without it because its client has gone. The changes of one that has moved are lost.
    @Override
    public void released(Session session) {
        if (session.isMoved() && !session.isReplaced()) {
            moves.ended(session);
            return;
        }
        boolean behind = saver().isBehind(session);
        if (!kept.savesRequests() || !behind) {
            return;
        }
        try {
            save(session);
        } catch (SessionUnavailableException e) {
            sessions().log().log(WARNING, "The last changes of a session were not stored", e);
        }
    }

    boolean isCrowded() {
        return live.size() - sessions().unconfirmed() > sessions().limits().idleMax();
    }

    /// Returns the sessions whose stored time of use must be renewed.
    List<Session> fading() {
        replaced.removeIf(session -> !session.isUsed());
        return Stream.concat(live.values().stream(), replaced.stream())
                .filter(saver()::isFading)
                .toList();
    }

    @Override
    public boolean makeRoom() {
        int left = 0;
        for (Session session : sample.oldest()) {
            boolean may = !saver().isFull() && !session.isStuck();
            left += may && leave(session, /* unconfirmedToo */ false) ? 1 : 0;
        }
        return left > 0;
    }

    /// Has a session leave the memory that no request uses.
    ///
    /// @return whether the vault has it now
    boolean leave(Session session, boolean unconfirmedToo) {
        StoredCopy copy = session.copyToChange();
        if (copy.isUnkeepable(session.changes())) {
            return false;
        }
        Session.State before = session.beginStoring(unconfirmedToo);
        if (before == null) {
            return false;
        }
        boolean stored = false;
        int changes = session.changes();
        try {
            sessions().notices().willPassivate(session.facade, session.attributes());
            changes = session.changes();
            stored = saver().store(session, before != Session.State.UNCONFIRMED);
        } finally {
            stored = session.endStoring(stored ? Session.State.STORED : before, changes, before);
            if (stored) {
                left(session, true);
                removeFormer(copy);
                sessions().counters().countPassivated();
            } else if (session.isLive()) {
                sessions().notices().didActivate(session.facade, session.attributes());
            }
        }
        return stored;
    }

    @Override
    public void tick() {
        if (!closed) {
            upkeep.tick();
        }
    }

    /// Takes over the sessions of an earlier version. A session goes to the version that needs it.
    @Override
    public void follow(SessionStore earlier) {
        if (earlier instanceof KeptSessions before) {
            follows = true;
            versions = before.versions;
            versions.add(this);
        }
    }

    @Override
    public Sessions newest(Sessions own) {
        return versions.newest(this).sessions();
    }

    SessionVersions versions() {
        return versions;
    }

    /// Gives all sessions to the newest of the later versions. What that version has already is kept.
    @Override
    public void handOver(Consumer<Session> end) {
        @Nullable KeptSessions next = closed ? null : versions.beginMove(this);
        if (next == null) {
            return;
        }
        try {
            awaitArrivals();
            if (moves.giveAll(next)) {
                live.values().forEach(each -> endUnstored(each, end));
            } else {
                storeAll(end);
            }
            handedOver = true;
            close();
        } finally {
            versions.endMove(next);
        }
    }

    /// Waits for the sessions that an earlier version is moving here.
    private void awaitArrivals() {
        if (!versions.leave(this, sessions().clock()::nowNanos, STOP_MAX_NANOS)) {
            String left =
                    "Sessions of an earlier version may be lost, because their move takes too long.";
            sessions().log().log(WARNING, left);
        }
    }

    @Override
    public SessionStore.Figures figures() {
        return new SessionStore.Figures(live.size(), vault.size(), vault.bytes());
    }

    /// Stores the sessions if they survive, and ends the others.
    @Override
    public void close(Consumer<Session> end) {
        if (closed) {
            return; // another version of the application has taken the sessions
        }
        awaitArrivals();
        if (kept.survives()) {
            storeAll(end);
        } else {
            live.values().forEach(end);
            if (follows || saver().endsAreHeard()) {
                upkeep.endAll(end);
            } else {
                sessions().counters().countStopped(vault.size()); // closing the vault removes them
            }
        }
        close();
    }

    /// Closes the vault of a store whose application has not started. Does nothing after the other
    /// close.
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            versions.remove(this);
            upkeep.removeLate();
            vault.close();
        }
    }

    private void storeAll(Consumer<Session> end) {
        for (Session session : live.values()) {
            if (!keeps(session)) {
                endUnstored(session, end);
            }
        }
    }

    private void endUnstored(Session session, Consumer<Session> end) {
        if (session.isLive()) {
            sessions().counters().countLost(SessionCounters.Loss.UNSTORED);
            end.accept(session);
        }
    }

    /// Stores a session because the application stops, even while a request uses it. If that fails,
    /// the form before stays.
    ///
    /// @return whether the vault has a form of it
    private boolean keeps(Session session) {
        if (leave(session, /* unconfirmedToo */ true)) {
            return true;
        }
        StoredCopy copy = session.copyToChange();
        boolean busy = session.isUsed() || session.state() == Session.State.STORING;
        if (busy && session.isLive()) {
            sessions().notices().willPassivate(session.facade, session.attributes());
            boolean confirmed = session.state() != Session.State.UNCONFIRMED;
            if (saver().store(session, confirmed)) {
                removeFormer(copy);
                return true;
            }
        }
        return copy.isWritten() && !copy.isUnkeepable(session.changes());
    }
}
