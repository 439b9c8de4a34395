package dev.serval.servlet.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One session: its id, times, attributes and state. Requests see it through a [SessionFacade].
///
/// ```
///              a request returns the id
/// UNCONFIRMED ──────────────────────────▶ CONFIRMED
///      │                                      │
///      │ invalidated, idle too long, stopped, │ invalidated, idle
///      │ unconfirmed too long, evicted        │ too long, stopped
///      └──────────────▶ ENDING ◀──────────────┘
///                         │ sessionDestroyed was called
///                         ▼
///                       ENDED
/// ```
///
/// One word holds the state, the number of uses, and a version that each use changes. It changes by
/// compare-and-set. A use is a request, or a call of an accessor; it holds the session, which then
/// ends only if the application invalidates it or stops (Servlet 6.1 §7.5). No use begins once the
/// session is ENDING. Writers of attributes and of the id hold this object's lock, for a few
/// instructions. Any thread.
public final class Session {
    /// The states, in the order of a session's life.
    enum State {
        UNCONFIRMED,
        CONFIRMED,
        ENDING,
        ENDED
    }

    /// The slot of a session that is not in the wheel.
    static final int NO_SLOT = -1;

    /// Begins the names of values that the container keeps. They are attributes like the others,
    /// so that a store keeps them too, but applications and listeners do not see them.
    static final String HELD = "\u0000serval.";

    private static final State[] STATES = State.values();
    private static final long STATE_MASK = 3;
    private static final long ONE_USE = 4;
    private static final long USES_MASK = (1L << 32) - ONE_USE; // 30 bits
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
    final SessionFacade facade;

    private final long createdMillis;
    private volatile String id;
    private volatile int maxInactiveSeconds;
    private volatile @Nullable Map<String, Object> attributes; // null until the first is set
    private volatile long word = ONE_USE; // UNCONFIRMED, used by its creator

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

    int maxInactiveSeconds() {
        return maxInactiveSeconds;
    }

    void maxInactiveSeconds(int seconds) {
        maxInactiveSeconds = seconds;
    }

    State state() {
        return stateOf(word);
    }

    /// Returns whether uses may begin.
    boolean isLive() {
        return isLive(stateOf(word));
    }

    /// Begins a use, if the session is live.
    ///
    /// @param joins whether a client returned the id, which confirms the session
    /// @return the state before, or null if the session has ended
    @Nullable State begin(boolean joins) {
        while (true) {
            long now = word;
            State before = stateOf(now);
            if (!isLive(before)) {
                return null;
            }
            if (move(now, now + ONE_USE + ONE_VERSION, joins ? State.CONFIRMED : before)) {
                return before;
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
    /// @return whether it was the last use of a live session
    /// @throws IllegalStateException if there is no use
    boolean release(long nowNanos) {
        accessedNanos = nowNanos;
        while (true) {
            long now = word;
            if ((now & USES_MASK) == 0) {
                throw new IllegalStateException("A use of the session was released twice");
            }
            if (move(now, now - ONE_USE, stateOf(now))) {
                return (now & USES_MASK) == ONE_USE && isLive(stateOf(now));
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

    /// Ends the session and takes its attributes. Called once, in state ENDING.
    synchronized Map<String, Object> end() {
        long now = word;
        while (!move(now, now, State.ENDED)) {
            now = word;
        }
        Map<String, Object> last = attributes;
        attributes = null;
        return last == null ? Map.of() : last;
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
        store.remove(before, this);
        return before;
    }

    /// Removes the session from `store`, after its end has begun.
    synchronized void leave(SessionStore store) {
        store.remove(id, this);
    }

    @Nullable Object attribute(String name) {
        Map<String, Object> present = attributes;
        return present == null ? null : present.get(name);
    }

    /// Returns the names of what the application has set.
    Set<String> attributeNames() {
        Map<String, Object> present = attributes;
        if (present == null) {
            return Set.of();
        }
        Set<String> names = new HashSet<>(present.keySet());
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
        Map<String, Object> present = attributes;
        if (present == null) {
            present = new ConcurrentHashMap<>(4);
            attributes = present;
        }
        return present.put(name, value);
    }

    /// Removes an attribute.
    ///
    /// @return the value before, or null
    /// @throws IllegalStateException if the session has ended
    synchronized @Nullable Object remove(String name) {
        checkNotEnded();
        Map<String, Object> present = attributes;
        return present == null ? null : present.remove(name);
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
    boolean isOverdue(long nowNanos) {
        int seconds = maxInactiveSeconds;
        return seconds > 0 && nowNanos - accessedNanos > TimeUnit.SECONDS.toNanos(seconds);
    }

    private static boolean isUnusedAndLive(long word) {
        return (word & USES_MASK) == 0 && isLive(stateOf(word));
    }

    private static boolean isLive(State state) {
        return switch (state) {
            case UNCONFIRMED, CONFIRMED -> true;
            case ENDING, ENDED -> false;
        };
    }

    private static State stateOf(long word) {
        return STATES[(int) (word & STATE_MASK)];
    }

    /// Assigns the state, with the uses and the version of `counts`. The only place that does.
    @SuppressWarnings("EnumOrdinal") // two bits of the word, which is never stored
    private boolean move(long expected, long counts, State next) {
        return WORD.compareAndSet(this, expected, (counts & ~STATE_MASK) | next.ordinal());
    }
}
