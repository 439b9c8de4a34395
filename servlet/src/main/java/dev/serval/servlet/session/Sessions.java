package dev.serval.servlet.session;

import static java.lang.System.Logger.Level.WARNING;

import jakarta.servlet.ServletContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Creates, finds and ends the sessions of one application.
///
/// The container calls [#join] with the id that a request carries, or [#create], and
/// `SessionFacade.release` once at the end of the request, asynchronous or not. A maintenance
/// thread calls [#tick] about once a second. What it ends, an [EndQueue] tells to listeners on
/// threads of their own. The last call is [#close].
///
/// The number of sessions is bounded, and a session whose id does not come back ends soon. So a
/// flood of clients without cookies cannot fill the memory. Any thread.
public final class Sessions {
    private static final int STRIPES = 8; // a power of two
    private static final int EVICTIONS_EACH_MAX = 2; // of a creation, so that the number falls
    private static final long STOP_MAX_NANOS = 10_000_000_000L;
    private static final int MINUTES_MAX = Integer.MAX_VALUE / 60;

    private final SessionSetup setup;
    private final SessionLimits limits;
    private final int timeoutSeconds;
    private final SessionNotices notices;
    private final SessionCounters counters = new SessionCounters();
    private final FloodBound flood;
    private final EndQueue ends;
    private final Object ticking = new Object(); // a stop waits until no tick runs
    private final UnconfirmedSessions unconfirmed = new UnconfirmedSessions(STRIPES);
    private final ExpiryWheel[] wheels = new ExpiryWheel[STRIPES];
    private volatile boolean closed;

    /// Creates the sessions of an application.
    ///
    /// @param timeoutMinutes the time without a request after which a session ends; 0 or less for
    ///   never, as in `SessionDescription`
    public Sessions(SessionSetup setup, SessionLimits limits, int timeoutMinutes) {
        this.setup = setup;
        this.limits = limits;
        this.timeoutSeconds = Math.clamp(timeoutMinutes, 0, MINUTES_MAX) * 60;
        this.notices = new SessionNotices(setup.events(), setup.log());
        this.ends = new EndQueue(this::tell, setup.threads());
        long now = setup.clock().nowNanos();
        this.flood = new FloodBound(limits.inMemoryMax(), setup.heap(), now);
        for (int i = 0; i < STRIPES; i++) {
            wheels[i] = new ExpiryWheel(now);
        }
        setup.store().open(this);
    }

    /// Returns what the store holds now.
    public SessionStore.Figures figures() {
        return setup.store().figures();
    }

    /// Returns the counters.
    public SessionCounters counters() {
        return counters;
    }

    /// Creates a session with a new id. It is used by the caller.
    ///
    /// @throws IllegalStateException if the limit is reached and no session can be evicted, or the
    ///   application has stopped
    public SessionFacade create() {
        reserve();
        Session session = newSession(setup.ids().next());
        while (!setup.store().add(session.id(), session)) {
            session = newSession(setup.ids().next());
        }
        setup.store().trim();
        return begun(session);
    }

    /// Finds or creates the session that has the id of a session of another application. A request
    /// that is dispatched there has one id for both (Servlet 6.1 §7.3).
    ///
    /// @param id the id of a live session; never an id that only a client named, because an
    ///   attacker may have given it to that client (session fixation)
    /// @throws IllegalStateException as in [#create()]
    public SessionFacade createShared(String id) {
        while (true) {
            SessionFacade present = find(id);
            if (present != null) {
                return present;
            }
            reserve();
            Session session = newSession(id);
            if (setup.store().add(id, session)) {
                setup.store().trim();
                return begun(session);
            }
            counters.unreserve();
        }
    }

    /// Finds the session whose id a client returned, begins a use, and confirms the session.
    ///
    /// @return null if there is no such session, or it has ended
    public @Nullable SessionFacade join(String id) {
        return use(id, true);
    }

    /// Finds a session without a client that returned its id, and begins a use.
    ///
    /// @return null if there is no such session, or it has ended
    public @Nullable SessionFacade find(String id) {
        return use(id, false);
    }

    /// Records an access by a request that does not use what the session holds, such as one for a
    /// file, and confirms the session. Does not look for it outside memory.
    ///
    /// @return false if that is not enough, as for a session that is elsewhere or whose stored time is
    ///   old, so that the caller must [#join] it
    public boolean access(String id) {
        Session session = setup.store().peek(id);
        long now = setup.clock().nowNanos();
        if (session == null || session.isOverdue(now)) {
            return false;
        }
        Session.@Nullable State before = session.begin(/* joins */ true);
        if (before == null) {
            return false;
        }
        @Nullable SessionFacade facade =
                begun(session, id, before == Session.State.UNCONFIRMED, now);
        if (facade != null) {
            release(session);
        }
        return true;
    }

    /// Records an access to a confirmed session by a request that does not use it, such as one for
    /// a file. Calls no listener and takes no lock, so an event loop may call it.
    ///
    /// @param ids that the request names, in any form; the first counts whose session exists
    /// @return false if the session is not confirmed yet or may be outside memory, so that the
    ///   caller must [#join] it on a thread that may wait
    public boolean touch(List<String> ids) {
        for (String id : SessionIds.wellFormed(ids)) {
            Session session = setup.store().peek(id);
            if (session == null && setup.store().hasOthers()) {
                return false;
            }
            long now = setup.clock().nowNanos();
            if (session != null && !session.isOverdue(now) && !hasEnded(session.state())) {
                return session.touch(setup.clock().nowMillis(), now);
            }
        }
        return true;
    }

    private static boolean hasEnded(Session.State state) {
        return state == Session.State.ENDING || state == Session.State.ENDED;
    }

    /// Ends the sessions that are overdue: idle for longer than their timeout, or unconfirmed for
    /// too long. Examines no other sessions, but for those whose slot is due. Calls no application
    /// code. One thread at a time.
    ///
    /// @param nowNanos the time of the setup's clock
    /// @return how many sessions were examined
    public int tick(long nowNanos) {
        boolean pressed = isPressed(nowNanos);
        int examined = 0;
        synchronized (ticking) {
            if (closed) {
                return 0;
            }
            examined +=
                    unconfirmed.endOverdue(
                            nowNanos,
                            limits.unconfirmedTimeoutNanos(pressed),
                            limits.unconfirmedKept(pressed),
                            session -> finishLater(session, SessionEnd.UNCONFIRMED));
            for (ExpiryWheel wheel : wheels) {
                examined += wheel.advance(nowNanos, this::examine);
            }
            setup.store().tick();
        }
        return examined;
    }

    /// Ends the sessions that the store does not keep, because the application stops. Its requests
    /// must have ended; later creations fail. Waits at most 10 s for listeners that run.
    public void close() {
        synchronized (ticking) {
            closed = true;
        }
        setup.store().close(session -> end(session, SessionEnd.STOPPED));
        try {
            if (!ends.drain(STOP_MAX_NANOS, setup.clock()::nowNanos)) {
                setup.log().log(
                        WARNING,
                        "Listeners of sessions still run. The application stops without"
                                + " them.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stop at once, as the caller wishes
        }
    }

    /// Takes over the sessions of earlier versions of the application, each when a request asks for
    /// it, with HttpSessionActivationListener on both sides. Called before this version gets
    /// requests; the earlier ones may still answer some.
    ///
    /// @param earlier the version that this one replaces
    public void follow(Sessions earlier) {
        setup.store().follow(earlier.setup.store());
    }

    /// Gives the sessions to the newest of the versions that follow this one, if one still runs, and
    /// ends those that cannot move. The requests of this one must have ended, and its [#close] does
    /// nothing to sessions from now on.
    public void handOver() {
        setup.store().handOver(session -> end(session, SessionEnd.STOPPED));
    }

    ServletContext context() {
        return setup.context();
    }

    public SessionNotices notices() {
        return notices;
    }

    public System.Logger log() {
        return setup.log();
    }

    public SessionClock clock() {
        return setup.clock();
    }

    public SessionLimits limits() {
        return limits;
    }

    public Executor threads() {
        return setup.threads();
    }

    /// Checks the value of a new attribute.
    void check(String name, Object value) {
        setup.store().check(name, value);
    }

    /// Stores the session, if the store does so at the end of requests.
    void save(Session session) {
        setup.store().save(session);
    }

    /// Ends a use of the session.
    void release(Session session) {
        if (session.release(setup.clock().nowNanos())) {
            setup.store().released(session);
        }
    }

    /// Takes a session from the lists of those in memory.
    public void leftMemory(Session session) {
        unconfirmed.remove(session);
        wheels[session.stripe & (STRIPES - 1)].cancel(session);
    }

    /// Adds a session that the store has brought to memory to the lists.
    public void cameToMemory(Session session) {
        long now = setup.clock().nowNanos();
        unconfirmed.add(session, now);
        arm(session, now);
        for (int i = 0; i < EVICTIONS_EACH_MAX && isFull() && evict(); i++) {}
    }

    private boolean isFull() {
        return setup.store().inMemory() > limits.inMemoryMax();
    }

    /// Returns the session in memory that has taken the place of a stored one.
    ///
    /// @throws IllegalStateException if it has ended
    Session recall(Session stored) {
        Session session = setup.store().get(stored.id());
        if (session == null) {
            throw new IllegalStateException(
                    "The session was invalidated or has expired; call getSession of the request for"
                            + " a new one");
        }
        return session;
    }

    /// Ends the session, in use or not. Does nothing if it is ending already.
    ///
    /// @throws IllegalStateException if it has ended
    /// @throws SessionUnavailableException if another version of the application has the session
    ///   and does not give it away
    void invalidate(Session session) {
        session.checkNotEnded();
        if (session.isMoved()) {
            alsoWhereMoved(session, SessionFacade::invalidate); // with the listeners there
            Map<String, Object> _ = session.end();
            return;
        }
        end(session, SessionEnd.INVALIDATED);
    }

    /// If the next version of the application has a copy of the session, changes the session there,
    /// too. The code of that version sees its own class loader.
    void alsoWhereMoved(Session session, Consumer<SessionFacade> change) {
        if (!session.isMoved()) {
            return;
        }
        Sessions newest = setup.store().newest(this);
        @Nullable ClassLoader before = newest.enter();
        try {
            @Nullable SessionFacade there = newest.find(session.id());
            if (there == null) {
                return; // it has ended
            }
            try {
                change.accept(there);
                there.save();
            } finally {
                there.release();
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /// Makes the class loader of the application that of the thread, which will run its code.
    ///
    /// @return the loader before
    @Nullable
    public ClassLoader enter() {
        Thread thread = Thread.currentThread();
        @Nullable ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(setup.context().getClassLoader());
        return before;
    }

    /// Gives the session a new id.
    ///
    /// @return the new id
    /// @throws IllegalStateException if it has ended
    String changeId(Session session) {
        alsoWhereMoved(session, there -> session.movedTo(there.changeId()));
        if (session.isMoved()) {
            return session.id();
        }
        while (session.isLive()) {
            String id = setup.ids().next();
            String before = session.changeId(id, setup.store());
            if (before != null) {
                notices.idChanged(session.facade, before);
                return id;
            }
        }
        throw new IllegalStateException(
                "The id cannot be changed because the session was invalidated or has expired; call"
                        + " getSession of the request for a new one");
    }

    /// Sets the timeout of the session.
    void maxInactiveSeconds(Session session, int seconds) {
        session.maxInactiveSeconds(seconds);
        arm(session, setup.clock().nowNanos());
    }

    private Session newSession(String id) {
        SessionClock clock = setup.clock();
        return new Session(this, id, timeoutSeconds, clock.nowMillis(), clock.nowNanos());
    }

    /// Counts one more session, after the eviction of the oldest unconfirmed one if necessary.
    private void reserve() {
        if (closed) {
            throw new IllegalStateException(
                    "The session cannot be created because the application has stopped");
        }
        long now = setup.clock().nowNanos();
        for (int i = 0; i < EVICTIONS_EACH_MAX && isFlooded(now) && evict(); i++) {}
        boolean hasRoom = setup.store().inMemory() < limits.inMemoryMax();
        while (!hasRoom || !counters.reserve(limits.sessionsMax())) {
            // A session that leaves the memory still counts against `sessionsMax`.
            if (!evict() && (hasRoom || !setup.store().makeRoom())) {
                counters.countRefused();
                throw new IllegalStateException(
                        "The session cannot be created because the application has reached its"
                                + " limit of "
                                + (hasRoom
                                        ? limits.sessionsMax() + " sessions"
                                        : limits.inMemoryMax() + " sessions in memory")
                                + "; raise the limit or shorten the timeout of sessions");
            }
            hasRoom = setup.store().inMemory() < limits.inMemoryMax();
        }
    }

    /// Returns whether the heap is short and unconfirmed sessions are a reason.
    private boolean isFlooded(long nowNanos) {
        int unconfirmed = unconfirmed();
        return unconfirmed >= flood.unconfirmedMax(unconfirmed, nowNanos);
    }

    private boolean isPressed(long nowNanos) {
        int _ = flood.unconfirmedMax(unconfirmed(), nowNanos);
        return flood.isCut()
                || limits.pressed(counters.active(), unconfirmed(), setup.loaded().getAsBoolean());
    }

    /// Returns how many sessions no request has confirmed.
    public int unconfirmed() {
        return unconfirmed.size();
    }

    private SessionFacade begun(Session session) {
        long now = setup.clock().nowNanos();
        unconfirmed.add(session, now);
        arm(session, now);
        counters.countCreated();
        notices.created(session.facade);
        if (closed) { // the store may have passed by before it was added
            end(session, SessionEnd.STOPPED);
        }
        return session.facade;
    }

    private @Nullable SessionFacade use(String id, boolean joins) {
        if (!SessionIds.isWellFormed(id)) {
            return null;
        }
        while (true) {
            Session session = setup.store().get(id);
            if (session == null) {
                return null;
            }
            long now = setup.clock().nowNanos();
            if (session.beginEndIfIdle(now)) {
                finish(session, SessionEnd.EXPIRED);
                return null;
            }
            Session.State before = session.begin(joins);
            if (before != null) {
                return begun(session, id, joins && before == Session.State.UNCONFIRMED, now);
            }
            if (!session.awaitStored()) {
                return null;
            }
        }
    }

    private @Nullable SessionFacade begun(Session session, String id, boolean confirms, long now) {
        if (confirms) {
            unconfirmed.remove(session);
        }
        if (!session.id().equals(id)) { // changed meanwhile, so this id names no session any more
            release(session);
            return null;
        }
        session.accessed(setup.clock().nowMillis(), now);
        return session.facade;
    }

    /// Ends the oldest unconfirmed session.
    ///
    /// @return whether there was one that could end
    private boolean evict() {
        @Nullable Session oldest = unconfirmed.evict(setup.clock().nowNanos());
        if (oldest != null) {
            finish(oldest, SessionEnd.EVICTED);
        }
        return oldest != null;
    }

    private long examine(Session session, long nowNanos) {
        if (session.beginEndIfIdle(nowNanos)) {
            finishLater(session, SessionEnd.EXPIRED);
        }
        return session.deadlineNanos(nowNanos);
    }

    private void end(Session session, SessionEnd reason) {
        if (session.beginEnd()) {
            finish(session, reason);
        }
    }

    /// Ends a session in state ENDING on this thread, which may run application code.
    private void finish(Session session, SessionEnd reason) {
        hide(session);
        tell(session, reason);
    }

    /// Ends a session in state ENDING on another thread.
    private void finishLater(Session session, SessionEnd reason) {
        hide(session);
        ends.add(session, reason);
    }

    private void hide(Session session) {
        unconfirmed.remove(session);
        wheels[session.stripe & (STRIPES - 1)].cancel(session);
        session.leave(setup.store());
    }

    /// Tells listeners the end of a session. They see its attributes before they are unbound, and
    /// the values are unbound after it has ended (Javadoc of HttpSession).
    private void tell(Session session, SessionEnd reason) {
        boolean chosen = reason == SessionEnd.INVALIDATED || reason == SessionEnd.STOPPED;
        if (!chosen && !setup.store().endsEverywhere(session, reason)) {
            Map<String, Object> _ = session.end();
            counters.unreserve();
            return;
        }
        setup.store().forget(session);
        SessionFacade facade = session.facade;
        notices.destroyed(facade);
        Map<String, Object> attributes = session.end();
        counters.countEnded(reason);
        attributes.forEach((name, value) -> {
            if (!Session.isHeld(name)) {
                notices.attributeRemoved(facade, name, value);
            }
        });
    }

    private void arm(Session session, long nowNanos) {
        wheels[session.stripe & (STRIPES - 1)].arm(session, session.deadlineNanos(nowNanos));
    }
}
