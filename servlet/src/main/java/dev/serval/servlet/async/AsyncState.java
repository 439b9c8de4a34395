package dev.serval.servlet.async;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// The state of an asynchronous request, and where its container thread is (Servlet 6.1
/// §2.3.3.3).
///
/// ```
///   SYNC ── start ──▶ STARTED ── dispatch ──▶ DISPATCHED ── next ──▶ SYNC
///                        └───── complete ──▶ COMPLETED ─── next ──▶ ENDED
/// ```
///
/// A container thread is inside while it runs code of the request. When it leaves in STARTED, the
/// exchange is detached. An event then brings a container thread back: dispatch, complete, timeout,
/// content to read, room to write. An event while a thread is inside waits until that thread asks
/// [#next]. So at most one container thread is inside.
///
/// After an abort the engine starts no thread that was called. So the abort takes the place of a
/// thread that has not arrived, and that thread does nothing if it arrives after all.
///
/// Any thread, under one [BriefLock]. What may wait happens after it was released.
final class AsyncState {
    /// What the state needs of its request.
    interface Owner {
        /// Brings a container thread to the request, which calls [#arrive].
        void resume();

        /// Runs `task` after some time.
        Future<?> timer(Runnable task, long afterMillis);
    }

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

    private final Owner owner;
    private final BriefLock lock = new BriefLock();
    private volatile Phase phase = Phase.SYNC;
    private Place place = Place.INSIDE;
    private @Nullable Object cycle; // that was started last
    private boolean gone; // the exchange was aborted
    private volatile long timeoutMillis;
    private @Nullable Future<?> timer;
    private long timing; // changes with the timer, so that an old timer is known
    private @Nullable Future<?> stale; // a timer to cancel after the lock is released
    private boolean arms; // a timer is to be set then
    private boolean resumes; // a container thread is to be called then
    private boolean timedOut;
    private boolean readable; // an event for the ReadListener
    private boolean writable; // an event for the WriteListener

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
            phase = Phase.STARTED;
            cycle = next;
            timeoutMillis = timeout;
            timedOut = false; // a timeout that came after dispatch
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
            phase = Phase.DISPATCHED;
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
            phase = Phase.COMPLETED;
            comeBack();
        } finally {
            unlock();
        }
    }

    /// Sets the timeout, which starts again.
    void timeoutMillis(Object caller, long millis) {
        lock.lock();
        try {
            require(caller, "setTimeout");
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

    /// Runs `action` under the lock, for a call that only an open cycle may make.
    void whileOpen(Object caller, String call, Runnable action) {
        lock.lock();
        try {
            require(caller, call);
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

    // Events

    /// Records that the ReadListener is to be called.
    void readable() {
        lock.lock();
        try {
            readable = true;
            comeBack();
        } finally {
            unlock();
        }
    }

    /// Records that the WriteListener is to be called.
    void writable() {
        lock.lock();
        try {
            writable = true;
            comeBack();
        } finally {
            unlock();
        }
    }

    /// Records on the loop that content has arrived.
    void readableOnLoop() {
        lock.lock();
        try {
            readable = true;
            comeBack();
        } finally {
            unlockOnLoop();
        }
    }

    /// Records on the loop that there is room to write.
    void writableOnLoop() {
        lock.lock();
        try {
            writable = true;
            comeBack();
        } finally {
            unlockOnLoop();
        }
    }

    /// Takes the exchange for the thread that reports its abort. On the loop.
    ///
    /// @return whether no container thread is inside; if one is, it ends the processing
    boolean aborted() {
        lock.lock();
        try {
            cancelTimer();
            gone = true;
            if (place == Place.INSIDE) {
                return false;
            }
            place = Place.INSIDE;
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
                case ENDED -> AsyncStep.END;
                case SYNC -> {
                    phase = Phase.ENDED;
                    // A dispatch that does not start again completes (Javadoc of dispatch).
                    yield cycle == null ? AsyncStep.END : AsyncStep.COMPLETE;
                }
                case DISPATCHED -> {
                    phase = Phase.SYNC;
                    yield AsyncStep.DISPATCH;
                }
                case COMPLETED -> {
                    phase = Phase.ENDED;
                    yield AsyncStep.COMPLETE;
                }
                case STARTED -> event();
            };
        } finally {
            unlock();
        }
    }

    private AsyncStep event() {
        if (gone) {
            return AsyncStep.ABORT;
        }
        if (timedOut) {
            timedOut = false;
            return AsyncStep.TIMEOUT;
        }
        if (readable) {
            readable = false;
            return AsyncStep.READ;
        }
        if (writable) {
            writable = false;
            return AsyncStep.WRITE;
        }
        return AsyncStep.DETACH;
    }

    /// Lets the container thread leave. The exchange must be detached already.
    ///
    /// @return whether it may leave; if not, there is another event
    boolean leave() {
        lock.lock();
        try {
            if (phase != Phase.STARTED || gone || timedOut || readable || writable) {
                return false;
            }
            place = Place.AWAY;
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
            place = Place.INSIDE;
            return true;
        } finally {
            unlock();
        }
    }

    /// Completes the cycle, unless the application has completed or dispatched it.
    void completeIfOpen() {
        lock.lock();
        try {
            if (phase == Phase.STARTED) {
                phase = Phase.COMPLETED;
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
                phase = cycle == null ? Phase.ENDED : Phase.COMPLETED;
            }
        } finally {
            unlock();
        }
    }

    /// Ends the processing: the application's calls fail from now on.
    void end() {
        lock.lock();
        try {
            phase = Phase.ENDED;
            cancelTimer();
        } finally {
            unlock();
        }
    }

    // Under the lock

    /// Brings a container thread back, if none is inside.
    private void comeBack() {
        if (place == Place.AWAY) {
            place = Place.COMING;
            cancelTimer();
            resumes = true;
        }
    }

    private void setTimer() {
        arms = timeoutMillis > 0;
    }

    private void cancelTimer() {
        if (timer != null) {
            stale = timer;
            timer = null;
        }
        arms = false;
        timing++;
    }

    /// Releases the lock, and does what was decided under it and may wait.
    private void unlock() {
        @Nullable Future<?> old = stale;
        stale = null;
        boolean resume = resumes;
        resumes = false;
        long millis = arms ? timeoutMillis : 0;
        arms = false;
        long mine = timing;
        lock.unlock();
        if (old != null) {
            old.cancel(false);
        }
        if (resume) {
            owner.resume();
        }
        if (millis > 0) {
            arm(mine, millis);
        }
    }

    /// Releases the lock on the loop, which must not wait. The container thread cancels the timer.
    private void unlockOnLoop() {
        boolean resume = resumes;
        resumes = false;
        lock.unlock();
        if (resume) {
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
                timedOut = true;
                comeBack();
            }
        } finally {
            unlock();
        }
    }
}
