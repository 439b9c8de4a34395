package dev.serval.servlet.async;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/// The state of an asynchronous request, and where its container thread is (Servlet 6.1
/// §2.3.3.3).
///
/// The phase is what the application has decided:
///
/// ```
///   SYNC ── start, reopen ──▶ STARTED ── dispatch ──▶ DISPATCHED ── next ──▶ SYNC
///    │ next                      └───── complete ──▶ COMPLETED ─── next ──▶ ENDED
///    └────────────────────────────────────────────────────────────────────▶ ENDED
/// ```
///
/// The place is where the container thread is, which is inside while it runs code of the request:
///
/// ```
///   INSIDE ── leave ──▶ AWAY ── an event ──▶ COMING ── arrive ──▶ INSIDE
///                         └──── abort ───────────┴─────────────▶ INSIDE
/// ```
///
/// When it leaves in STARTED, the exchange is detached. An event then brings a container thread
/// back: dispatch, complete, timeout, content to read, room to write. An event while a thread is
/// inside waits until that thread asks [#next]. So at most one container thread is inside.
///
/// After an abort the engine starts no thread that was called. So the abort takes the place of a
/// thread that has not arrived, and that thread does nothing if it arrives after all.
///
/// Any thread, under one [BriefLock]. What may wait happens after it was released.
public final class AsyncState {
    /// What the state needs of its request.
    interface Owner {
        /// Brings a container thread to the request, which calls [#arrive].
        void resume();

        /// Runs `task` after some time.
        Future<?> timer(Runnable task, long afterMillis);
    }

    /// What the application has decided.
    private enum Phase {
        SYNC,
        STARTED,
        DISPATCHED,
        COMPLETED,
        ENDED
    }

    /// Where the container thread is.
    private enum Place {
        AWAY,
        COMING,
        INSIDE
    }

    /// What the container thread is to be told, the most urgent first.
    private enum Event {
        /// The exchange was aborted. Stays until the end.
        ABORT,
        /// The time is over.
        TIMEOUT,
        /// There is content for the ReadListener, or its end.
        READ,
        /// There is room for the WriteListener.
        WRITE
    }

    /// What is done after the lock was released, because it may wait.
    private enum After {
        NOTHING,
        /// Call a container thread.
        RESUME,
        /// Set a timer.
        SET_TIMER
    }

    /// Stands for a cycle before the first was started.
    private static final Object NO_CYCLE = new Object();

    /// Stands for a timer that is not set. Its cancellation does nothing.
    private static final Future<?> NO_TIMER = CompletableFuture.completedFuture(null);

    private final Owner owner;
    private final BriefLock lock = new BriefLock();
    private volatile Phase phase = Phase.SYNC;
    private Place place = Place.INSIDE;
    private final Set<Event> events = EnumSet.noneOf(Event.class);
    private Object cycle = NO_CYCLE; // that was started last
    private boolean reopened; // this cycle
    private volatile long timeoutMillis;
    private Future<?> timer = NO_TIMER;
    private long timing; // changes with the timer, so that an old timer is known
    private Future<?> stale = NO_TIMER; // a timer to cancel after the lock is released
    private After after = After.NOTHING;

    AsyncState(Owner owner) {
        this.owner = owner;
    }

    // For the application

    /// Starts a cycle.
    ///
    /// @param next identifies the cycle in later calls
    /// @param begun runs under the lock
    /// @throws IllegalStateException if a cycle was started already
    void start(Object next, long timeout, Runnable begun) {
        lock.lock();
        try {
            if (phase != Phase.SYNC) {
                throw new IllegalStateException("Asynchronous processing was started already");
            }
            enter(Phase.STARTED);
            cycle = next;
            reopened = false;
            timeoutMillis = timeout;
            events.remove(Event.TIMEOUT); // one that came after dispatch
            begun.run();
        } finally {
            unlock();
        }
    }

    /// Returns whether a cycle was started, also after `complete` or `dispatch` until a container
    /// thread carries that out.
    boolean isStarted() {
        Phase now = phase;
        return now != Phase.SYNC && now != Phase.ENDED;
    }

    /// Returns whether the application has called neither `complete` nor `dispatch`.
    boolean isOpen() {
        return phase == Phase.STARTED;
    }

    /// Returns whether no cycle was started since the last dispatch.
    boolean isSync() {
        return phase == Phase.SYNC;
    }

    /// Has a container thread dispatch the request.
    ///
    /// @param chosen runs under the lock
    void dispatch(Object caller, Runnable chosen) {
        lock.lock();
        try {
            require(caller, "dispatch");
            enter(Phase.DISPATCHED);
            chosen.run();
            comeBack();
        } finally {
            unlock();
        }
    }

    /// Has a container thread complete the request.
    void complete(Object caller) {
        lock.lock();
        try {
            require(caller, "complete");
            enter(Phase.COMPLETED);
            comeBack();
        } finally {
            unlock();
        }
    }

    /// Sets the timeout, which starts again.
    void timeoutMillis(Object caller, long millis) {
        lock.lock();
        try {
            requireNotCarriedOut(caller, "setTimeout");
            timeoutMillis = millis;
            if (place == Place.AWAY) {
                cancelTimer();
                setTimer();
            }
        } finally {
            unlock();
        }
    }

    long timeoutMillis() {
        return timeoutMillis;
    }

    /// Runs `action` under the lock, for a call that a cycle may make until a container thread carries
    /// out its `dispatch` or `complete`. So a filter may add a listener behind the chain although
    /// another thread has dispatched already (Javadoc of AsyncContext.addListener).
    void whileStarted(Object caller, String call, Runnable action) {
        lock.lock();
        try {
            requireNotCarriedOut(caller, call);
            action.run();
        } finally {
            unlock();
        }
    }

    private void require(Object caller, String call) {
        if (phase != Phase.STARTED || !caller.equals(cycle)) {
            throw new IllegalStateException(
                    call
                            + " cannot be called, because dispatch or complete was called before or"
                            + " the request has ended");
        }
    }

    private void requireNotCarriedOut(Object caller, String call) {
        if (!isStarted() || !caller.equals(cycle)) {
            throw new IllegalStateException(
                    call + " cannot be called, because the request was dispatched or has ended");
        }
    }

    // Events

    /// Records that the ReadListener is to be called.
    void readable() {
        lock.lock();
        try {
            happened(Event.READ);
        } finally {
            unlock();
        }
    }

    /// Records that the WriteListener is to be called.
    void writable() {
        lock.lock();
        try {
            happened(Event.WRITE);
        } finally {
            unlock();
        }
    }

    /// Records on the loop that content has arrived.
    void readableOnLoop() {
        lock.lock();
        try {
            happened(Event.READ);
        } finally {
            unlockOnLoop();
        }
    }

    /// Records on the loop that there is room to write.
    void writableOnLoop() {
        lock.lock();
        try {
            happened(Event.WRITE);
        } finally {
            unlockOnLoop();
        }
    }

    /// Ends the waiting of an open cycle at once, as its timeout does.
    void timeOut() {
        lock.lock();
        try {
            if (phase == Phase.STARTED) {
                happened(Event.TIMEOUT);
            }
        } finally {
            unlock();
        }
    }

    /// Takes the exchange for the thread that reports its abort. On the loop.
    ///
    /// @return whether no container thread is inside; if one is, it ends the processing
    boolean aborted() {
        lock.lock();
        try {
            cancelTimer();
            events.add(Event.ABORT);
            if (place == Place.INSIDE) {
                return false;
            }
            put(Place.INSIDE);
            return true;
        } finally {
            unlockOnLoop();
        }
    }

    // For the container thread

    /// Returns what the container thread has to do now, and takes the event.
    AsyncStep next() {
        lock.lock();
        try {
            return switch (phase) {
                case SYNC -> {
                    enter(Phase.ENDED);
                    // A dispatch that does not start again completes (Javadoc of dispatch).
                    yield wasStarted() ? AsyncStep.COMPLETE : AsyncStep.END;
                }
                case STARTED -> event();
                case DISPATCHED -> {
                    enter(Phase.SYNC);
                    yield AsyncStep.DISPATCH;
                }
                case COMPLETED -> {
                    enter(Phase.ENDED);
                    yield AsyncStep.COMPLETE;
                }
                case ENDED -> AsyncStep.END;
            };
        } finally {
            unlock();
        }
    }

    /// Takes the most urgent event.
    private AsyncStep event() {
        if (events.contains(Event.ABORT)) {
            return AsyncStep.ABORT;
        }
        if (events.remove(Event.TIMEOUT)) {
            return AsyncStep.TIMEOUT;
        }
        if (events.remove(Event.READ)) {
            return AsyncStep.READ;
        }
        return events.remove(Event.WRITE) ? AsyncStep.WRITE : AsyncStep.DETACH;
    }

    private boolean wasStarted() {
        return !cycle.equals(NO_CYCLE);
    }

    /// Lets the container thread leave. The exchange must be detached already.
    ///
    /// @return whether it may leave; if not, there is another event
    boolean leave() {
        lock.lock();
        try {
            if (phase != Phase.STARTED || !events.isEmpty()) {
                return false;
            }
            put(Place.AWAY);
            setTimer();
            return true;
        } finally {
            unlock();
        }
    }

    /// Lets the container thread in that [Owner#resume] has called.
    ///
    /// @return whether it may run; if not, the abort of the exchange came first
    boolean arrive() {
        lock.lock();
        try {
            if (place != Place.COMING) {
                return false;
            }
            put(Place.INSIDE);
            return true;
        } finally {
            unlock();
        }
    }

    /// Opens the cycle again whose dispatch has failed, so that its listeners may decide. Does nothing
    /// if the target has started another, or for the second failure: else listeners that always
    /// dispatch to a target that always fails would never end.
    void reopen() {
        lock.lock();
        try {
            if (phase == Phase.SYNC && wasStarted() && !reopened) {
                enter(Phase.STARTED);
                reopened = true;
                events.remove(Event.TIMEOUT); // as in start
            }
        } finally {
            unlock();
        }
    }

    /// Completes the cycle, unless the application has completed or dispatched it.
    void completeIfOpen() {
        lock.lock();
        try {
            if (phase == Phase.STARTED) {
                enter(Phase.COMPLETED);
            }
        } finally {
            unlock();
        }
    }

    /// Completes the processing because the request failed. Listeners then learn of the end.
    void fail() {
        lock.lock();
        try {
            if (phase != Phase.ENDED) {
                enter(wasStarted() ? Phase.COMPLETED : Phase.ENDED);
            }
        } finally {
            unlock();
        }
    }

    /// Ends the processing: the application's calls fail from now on.
    void end() {
        lock.lock();
        try {
            enter(Phase.ENDED);
            cancelTimer();
        } finally {
            unlock();
        }
    }

    // Under the lock

    /// Moves to a phase. The only place that assigns it.
    private void enter(Phase next) {
        phase = next;
    }

    /// Moves the container thread to a place. The only place that assigns it.
    private void put(Place next) {
        place = next;
    }

    private void happened(Event event) {
        events.add(event);
        comeBack();
    }

    /// Brings a container thread back, if none is inside or on its way.
    private void comeBack() {
        if (place == Place.AWAY) {
            put(Place.COMING);
            cancelTimer();
            after = After.RESUME;
        }
    }

    private void setTimer() {
        after = timeoutMillis > 0 ? After.SET_TIMER : After.NOTHING;
    }

    private void cancelTimer() {
        if (!timer.isDone()) { // as one that was not set is
            stale = timer;
        }
        timer = NO_TIMER;
        timing++;
    }

    /// Releases the lock, and does what was decided under it and may wait.
    private void unlock() {
        Future<?> old = stale;
        stale = NO_TIMER;
        After next = after;
        after = After.NOTHING;
        long millis = timeoutMillis;
        long mine = timing;
        lock.unlock();
        boolean _ = old.cancel(false);
        switch (next) {
            case NOTHING -> {}
            case RESUME -> owner.resume();
            case SET_TIMER -> arm(mine, millis);
        }
    }

    /// Releases the lock on the loop, which sets and cancels no timer, because that may wait. The
    /// container thread cancels the timer.
    private void unlockOnLoop() {
        After next = after;
        after = After.NOTHING;
        lock.unlock();
        if (next == After.RESUME) {
            owner.resume();
        }
    }

    private void arm(long mine, long millis) {
        Future<?> set = owner.timer(() -> timeout(mine), millis);
        lock.lock();
        try {
            if (timing == mine) {
                timer = set;
            } else {
                stale = set;
            }
        } finally {
            unlock();
        }
    }

    private void timeout(long of) {
        lock.lock();
        try {
            if (of == timing && phase == Phase.STARTED && place == Place.AWAY) {
                happened(Event.TIMEOUT);
            }
        } finally {
            unlock();
        }
    }
}
