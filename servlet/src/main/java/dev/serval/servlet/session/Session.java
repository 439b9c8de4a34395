package dev.serval.servlet.session;

import dev.serval.servlet.vault.StoredSession;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One session: its id, times, attributes and state. Requests see it through a [SessionFacade].
///
/// ```
///              a request returns the id
/// UNCONFIRMED ──────────────────────────▶ CONFIRMED ◀───── cannot be stored ──────┐
///      │                                  │   │ not used for longest            │
///      │ invalidated, idle too long,      │   └───────────────────▶ STORING ────┤
///      │ stopped, unconfirmed too long,   │ invalidated, idle          │        │ stored
///      │ evicted                          │ too long, stopped          │        ▼
///      └──────────────▶ ENDING ◀──────────┴──────── invalidated ───────┘      STORED
///                         │ sessionDestroyed was called
///                         ▼
///                       ENDED
/// ```
///
/// A STORED session is outside memory, and its next use makes another object from its bytes. A
/// request that meets a session in state STORING waits for the end of that state.
///
/// If the next version of the application needs a session that requests of this one still use, it
/// gets a copy: the state changes from STORING to MOVED, and to ENDED if such a request invalidates
/// the session. A MOVED session is only for the requests that use it. What they write is lost.
/// A session in use that another server has changed or ended becomes MOVED too, so that the next
/// request reads what is stored.
///
/// One word holds the state, the number of uses, and a version that each use changes. It changes by
/// compare-and-set. A use is a request, or a call of an accessor; it holds the session, which then
/// ends only if the application invalidates it or stops (Servlet 6.1 §7.5). No use begins once the
/// session is ENDING. Writers of attributes and of the id hold this object's lock, for a few
/// instructions. Any thread.
public final class Session {
    /// The states, in the order of a session's life.
    public enum State {
        UNCONFIRMED,
        CONFIRMED,
        STORING,
        STORED,
        MOVED,
        ENDING,
        ENDED
    }

    /// The slot of a session that is not in the wheel.
    static final int NO_SLOT = -1;

    /// Begins the names of values that the container keeps. They are attributes like the others,
    /// so that a store keeps them too, but applications and listeners do not see them.
    static final String HELD = "\u0000serval.";

    private static final State[] STATES = State.values();
    private static final long STATE_MASK = 7;
    private static final long ONE_USE = 8;
    private static final long USES_MASK = (1L << 32) - ONE_USE; // 29 bits
    private static final long ONE_VERSION = 1L << 32;
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Session.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Guarded by the lock of the session's wheel.
    int slotTick = NO_SLOT;
    @Nullable Session nextInSlot;
    @Nullable Session previousInSlot;

    // Written under the lock of the session's queue.
    long queuedNanos;
    @Nullable Session newer;
    @Nullable Session older;

    /// Chooses the wheel and the queue; does not change with the id.
    final int stripe;

    /// The session as applications see it. It is one object for all requests, because applications
    /// synchronize on it, which Servlet 6.1 §7.7.1 leaves to them.
    public final SessionFacade facade;

    private final long createdMillis;
    private volatile String id;
    private volatile int maxInactiveSeconds;
    private volatile Map<String, Object> attributes = Collections.emptyMap(); // until the first
    private volatile long word = ONE_USE; // UNCONFIRMED, used by its creator
    private volatile @Nullable StoredCopy copy; // null until there is reason to store it
    private int changes; // of attributes, timeout and id, under the lock

    // Written by a use and read after WORD, which orders them.
    private long lastAccessedMillis;
    private long accessedMillis;
    private long accessedNanos;

    Session(Sessions sessions, String id, int maxInactiveSeconds, long nowMillis, long nowNanos) {
        this.facade = new SessionFacade(sessions, this);
        this.id = id;
        this.stripe = id.hashCode();
        this.maxInactiveSeconds = maxInactiveSeconds;
        this.createdMillis = nowMillis;
        this.lastAccessedMillis = nowMillis;
        this.accessedMillis = nowMillis;
        this.accessedNanos = nowNanos;
    }

    /// Creates a session from its stored form. No use holds it.
    ///
    /// @param attributes a map of its own
    /// @param accessedNanos when it was used last
    @SuppressWarnings("EnumOrdinal") // as in move
    public Session(
            Sessions sessions,
            StoredSession stored,
            Map<String, Object> attributes,
            long accessedNanos) {
        this.facade = new SessionFacade(sessions, this);
        this.id = stored.id();
        this.stripe = id.hashCode();
        this.maxInactiveSeconds = stored.maxInactiveSeconds();
        this.createdMillis = stored.createdMillis();
        this.lastAccessedMillis = stored.lastAccessedMillis();
        this.accessedMillis = stored.accessedMillis();
        this.accessedNanos = accessedNanos;
        if (!attributes.isEmpty()) {
            this.attributes = new ConcurrentHashMap<>(attributes);
        }
        this.copy = new StoredCopy(stored);
        this.word = (stored.confirmed() ? State.CONFIRMED : State.UNCONFIRMED).ordinal();
    }

    /// Returns the id, which may change.
    public String id() {
        return id;
    }

    long createdMillis() {
        return createdMillis;
    }

    /// Returns when the use before the latest one began.
    long lastAccessedMillis() {
        return lastAccessedMillis;
    }

    public int maxInactiveSeconds() {
        return maxInactiveSeconds;
    }

    synchronized void maxInactiveSeconds(int seconds) {
        maxInactiveSeconds = seconds;
        changes++;
    }

    /// Returns when the latest use began or ended.
    public long accessedNanos() {
        return accessedNanos;
    }

    /// Returns what is known of the stored form of the session; null if there never was one.
    @Nullable
    public StoredCopy copy() {
        return copy;
    }

    /// Returns the record of the session's stored form, which is created if necessary.
    public synchronized StoredCopy copyToChange() {
        if (copy == null) {
            copy = new StoredCopy();
        }
        return copy;
    }

    /// Returns whether the session could not be stored as it is now.
    public boolean isStuck() {
        @Nullable StoredCopy present = copy;
        int now = changes();
        return present != null && (present.isUnkeepable(now) || present.hasFailed(now));
    }

    /// Returns the attributes, which other threads may change.
    public Map<String, Object> attributes() {
        return attributes;
    }

    /// Returns a number that changes with each attribute, timeout or id that is set.
    public synchronized int changes() {
        return changes;
    }

    /// Returns the session as it is now, to be stored.
    ///
    /// @param confirmed whether a client has returned the id
    /// @param usedMillis the time of the last use
    /// @param version of the stored form that this one replaces
    public synchronized StoredSession toStore(
            boolean confirmed, long usedMillis, long version, byte[] content) {
        return new StoredSession(
                id,
                confirmed,
                createdMillis,
                lastAccessedMillis,
                usedMillis,
                maxInactiveSeconds,
                version,
                content);
    }

    /// Begins to store a session that no use holds. The caller then calls [#endStoring].
    ///
    /// @param unconfirmedToo whether a client need not have returned the id
    /// @return the state before; null if the session is used or ends
    @Nullable
    public State beginStoring(boolean unconfirmedToo) {
        long now = word;
        State before = stateOf(now);
        boolean may = before == State.CONFIRMED || (unconfirmedToo && before == State.UNCONFIRMED);
        return may && (now & USES_MASK) == 0 && move(now, now, State.STORING) ? before : null;
    }

    /// Ends the state STORING, and wakes the requests that wait for that.
    ///
    /// @param next STORED, or the state before if the session stays in memory
    /// @param seenChanges the changes before its stored form was made
    /// @param before the state before
    /// @return whether the session is STORED
    public synchronized boolean endStoring(State next, int seenChanges, State before) {
        State last = seenChanges == changes ? next : before;
        boolean moved = false;
        while (!moved && state() == State.STORING) {
            long now = word;
            moved = stateOf(now) == State.STORING && move(now, now, last);
        }
        notifyAll();
        return moved && last == State.STORED;
    }

    /// Begins to store a copy of a session, even while requests use it. The caller then calls
    /// [#endCopying].
    ///
    /// @return the state before; null if the session ends or is being stored
    @Nullable
    public State beginCopying() {
        while (true) {
            long now = word;
            State before = stateOf(now);
            if (before != State.CONFIRMED && before != State.UNCONFIRMED) {
                return null;
            }
            if (move(now, now, State.STORING)) {
                return before;
            }
        }
    }

    /// Ends the state STORING after [#beginCopying], and wakes the requests that wait for that.
    ///
    /// @param stored whether the copy is stored
    /// @param copiedId the id that the copy has
    /// @param before the state before
    /// @return whether the session is MOVED
    public synchronized boolean endCopying(boolean stored, String copiedId, State before) {
        boolean moves = stored && copiedId.equals(id);
        boolean moved = false;
        while (!moved && state() == State.STORING) {
            long now = word;
            moved = stateOf(now) == State.STORING && move(now, now, moves ? State.MOVED : before);
        }
        notifyAll();
        return moved && moves;
    }

    /// Waits until the session is not in state STORING.
    ///
    /// @return whether the caller must look for the session again
    boolean awaitStored() {
        boolean interrupted = false;
        synchronized (this) {
            while (state() == State.STORING) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true; // the end of that state is near
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return isLive() || isOutside();
    }

    /// Returns whether the session is outside memory, so that its next use reads it.
    boolean isStored() {
        return stateOf(word) == State.STORED;
    }

    /// Leaves the session to the requests that use it, because another server has changed or ended
    /// it. What they write is refused.
    ///
    /// @param storedId the id under which another server has done so
    /// @return whether the session is MOVED
    public synchronized boolean replace(String storedId) {
        if (!id.equals(storedId)) {
            return false;
        }
        copyToChange().stale(); // before the state, by which its requests learn of it
        while (true) {
            long now = word;
            State before = stateOf(now);
            if (before != State.CONFIRMED && before != State.UNCONFIRMED) {
                return false;
            }
            if (move(now, now, State.MOVED)) {
                return true;
            }
        }
    }

    /// Returns whether another server has changed or ended the session while requests used it.
    public boolean isReplaced() {
        @Nullable StoredCopy present = copy;
        return isMoved() && present != null && present.isStale();
    }

    /// Returns whether another object has taken the place of this one: in the next version of the
    /// application, or here because another server has changed the session.
    public boolean isMoved() {
        return stateOf(word) == State.MOVED;
    }

    /// Returns whether requests must look for the session elsewhere.
    public boolean isOutside() {
        return switch (stateOf(word)) {
            case STORED, MOVED -> true;
            case UNCONFIRMED, CONFIRMED, STORING, ENDING, ENDED -> false;
        };
    }

    /// Returns whether a use holds the session.
    public boolean isUsed() {
        return (word & USES_MASK) != 0;
    }

    public State state() {
        return stateOf(word);
    }

    /// Returns whether uses may begin.
    public boolean isLive() {
        return isLive(stateOf(word));
    }

    /// Begins a use, if the session is live.
    ///
    /// @param joins whether a client returned the id, which confirms the session
    /// @return the state before, or null if the session has ended, or is being stored
    @Nullable
    public State begin(boolean joins) {
        while (true) {
            long now = word;
            State before = stateOf(now);
            if (before != State.UNCONFIRMED && before != State.CONFIRMED) {
                return null;
            }
            if (move(now, now + ONE_USE + ONE_VERSION, joins ? State.CONFIRMED : before)) {
                return before;
            }
        }
    }

    /// Records a request that does not use the session, such as one for a file. Takes no lock, because
    /// an event loop calls it.
    ///
    /// @return whether the session is confirmed and in memory
    boolean touch(long nowMillis, long nowNanos) {
        boolean recorded = false; // once: the time before would be lost
        while (true) {
            long now = word;
            if (stateOf(now) != State.CONFIRMED) {
                return false;
            }
            if (!recorded) {
                accessed(
                        nowMillis,
                        nowNanos); // before the version: an end that sees it sees the time
                recorded = true;
            }
            if (move(now, now + ONE_VERSION, State.CONFIRMED)) {
                return true;
            }
        }
    }

    /// Records the time of a use that has begun.
    void accessed(long nowMillis, long nowNanos) {
        lastAccessedMillis = accessedMillis;
        accessedMillis = nowMillis;
        accessedNanos = nowNanos;
    }

    /// Ends a use. The session is idle from then on if it was the last.
    ///
    /// @return whether it was the last use of a session that is live or MOVED
    /// @throws IllegalStateException if there is no use
    public boolean release(long nowNanos) {
        accessedNanos = nowNanos;
        while (true) {
            long now = word;
            if ((now & USES_MASK) == 0) {
                throw new IllegalStateException("A use of the session was released twice");
            }
            if (move(now, now - ONE_USE, stateOf(now))) {
                State last = stateOf(now);
                return (now & USES_MASK) == ONE_USE && (isLive(last) || last == State.MOVED);
            }
        }
    }

    /// Begins the end, in use or not. Only the first caller succeeds.
    boolean beginEnd() {
        while (true) {
            long now = word;
            if (!isLive(stateOf(now))) {
                return false;
            }
            if (move(now, now, State.ENDING)) {
                return true;
            }
        }
    }

    /// Begins the end if no use holds the session and it is idle for longer than its timeout.
    boolean beginEndIfIdle(long nowNanos) {
        long seen = word;
        return isOverdue(nowNanos) && beginEndUnlessUsedSince(seen);
    }

    /// Begins the end if no use holds the session, and none has begun since the word was `seen`.
    boolean beginEndUnlessUsedSince(long seen) {
        return isUnusedAndLive(seen) && move(seen, seen, State.ENDING);
    }

    /// Returns the state, the uses and the version.
    long word() {
        return word;
    }

    /// Begins the end if no use holds the session and no client has returned its id.
    boolean beginEndIfUnconfirmed() {
        long now = word;
        return isUnusedAndLive(now)
                && stateOf(now) == State.UNCONFIRMED
                && move(now, now, State.ENDING);
    }

    /// Ends the session and takes its attributes. Called once in state ENDING, or in state MOVED.
    synchronized Map<String, Object> end() {
        long now = word;
        while (!move(now, now, State.ENDED)) {
            now = word;
        }
        Map<String, Object> last = attributes;
        attributes = Collections.emptyMap();
        return last;
    }

    /// Returns the nanoseconds on the clock after which the session is overdue, or
    /// [Long#MAX_VALUE]. A session in use is overdue no earlier than its timeout after now.
    long deadlineNanos(long nowNanos) {
        long now = word;
        int seconds = maxInactiveSeconds;
        if (seconds <= 0 || !isLive(stateOf(now))) {
            return Long.MAX_VALUE;
        }
        long from = (now & USES_MASK) == 0 ? accessedNanos : nowNanos;
        long at = from + TimeUnit.SECONDS.toNanos(seconds);
        return at == Long.MAX_VALUE ? at - 1 : at; // the clock may pass that value
    }

    /// Records the id that another version of the application has given a MOVED session.
    synchronized void movedTo(String newId) {
        id = newId;
    }

    /// Moves a live session to a new id in `store`. An id that a client held before is unknown once
    /// this returns.
    ///
    /// @return the id before; null if the session has ended, or if the new id is taken
    synchronized @Nullable String changeId(String newId, SessionStore store) {
        if (!isLive() || !store.add(newId, this)) {
            return null;
        }
        String before = id;
        id = newId;
        changes++;
        store.remove(before, this);
        return before;
    }

    /// Removes the session from `store`, after its end has begun.
    synchronized void leave(SessionStore store) {
        store.remove(id, this);
    }

    @Nullable Object attribute(String name) {
        return attributes.get(name);
    }

    /// Returns the names of what the application has set.
    Set<String> attributeNames() {
        Set<String> names = new HashSet<>(attributes.keySet());
        names.removeIf(Session::isHeld);
        return names;
    }

    /// Returns whether a name is that of a value which the container keeps.
    static boolean isHeld(String name) {
        return name.startsWith(HELD);
    }

    /// Sets an attribute.
    ///
    /// @return the value before, or null
    /// @throws IllegalStateException if the session has ended
    synchronized @Nullable Object put(String name, Object value) {
        checkNotEnded();
        changes++;
        if (!(attributes instanceof ConcurrentMap)) {
            attributes = new ConcurrentHashMap<>(4);
        }
        return attributes.put(name, value);
    }

    /// Removes an attribute.
    ///
    /// @return the value before, or null
    /// @throws IllegalStateException if the session has ended
    synchronized @Nullable Object remove(String name) {
        checkNotEnded();
        changes++;
        return attributes.isEmpty() ? null : attributes.remove(name);
    }

    /// Throws if the session has ended.
    ///
    /// @throws IllegalStateException if it has
    void checkNotEnded() {
        if (stateOf(word) == State.ENDED) {
            throw new IllegalStateException(
                    "The session was invalidated or has expired; call getSession of the request for"
                            + " a new one");
        }
    }

    /// Returns whether the session is idle for longer than its timeout.
    public boolean isOverdue(long nowNanos) {
        int seconds = maxInactiveSeconds;
        return seconds > 0 && nowNanos - accessedNanos > TimeUnit.SECONDS.toNanos(seconds);
    }

    private static boolean isUnusedAndLive(long word) {
        return (word & USES_MASK) == 0 && isLive(stateOf(word));
    }

    private static boolean isLive(State state) {
        return switch (state) {
            case UNCONFIRMED, CONFIRMED, STORING -> true;
            case STORED, MOVED, ENDING, ENDED -> false;
        };
    }

    private static State stateOf(long word) {
        return STATES[(int) (word & STATE_MASK)];
    }

    /// Assigns the state, with the uses and the version of `counts`. The only place that does.
    @SuppressWarnings("EnumOrdinal") // three bits of the word, which is never stored
    private boolean move(long expected, long counts, State next) {
        return WORD.compareAndSet(this, expected, (counts & ~STATE_MASK) | next.ordinal());
    }
}
