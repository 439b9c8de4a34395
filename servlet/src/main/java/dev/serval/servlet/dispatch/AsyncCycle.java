package dev.serval.servlet.dispatch;

import dev.serval.blocking.BlockingExchange;
import dev.serval.servlet.request.AsyncControl;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// The asynchronous processing of one request (Servlet 6.1 §2.3.3.3).
///
/// ```
///   SYNC ── startAsync ──▶ STARTED ── dispatch ──▶ DISPATCHED ── run ──▶ SYNC
///                            └────── complete ──▶ COMPLETED ── run ──▶ ENDED
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
final class AsyncCycle implements AsyncControl {
    private static final long TIMEOUT_MILLIS = 30_000; // Javadoc of AsyncContext.setTimeout

    private enum State {
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

    private final ServletExchange exchange;
    private final RequestRun run;
    private final BriefLock lock = new BriefLock();
    private volatile State state = State.SYNC;
    private Place place = Place.INSIDE;
    private boolean gone; // the exchange was aborted
    private volatile boolean retired; // all listeners know of the end
    private List<Listening> listeners = List.of();
    private volatile long timeoutMillis = TIMEOUT_MILLIS;
    private @Nullable Future<?> timer;
    private long timing; // changes with the timer, so that an old timer is known
    private @Nullable Future<?> stale; // a timer to cancel after the lock is released
    private boolean arms; // a timer is to be set then
    private boolean resumes; // a container thread is to be called then
    private boolean timedOut;
    private final StreamEvents streams = new StreamEvents();
    private volatile @Nullable AsyncHandle handle;
    private @Nullable PathDispatcher target;
    private @Nullable HttpUpgradeHandler upgrade;

    AsyncCycle(ServletExchange exchange, RequestRun run) {
        this.exchange = exchange;
        this.run = run;
    }

    ServletExchange exchange() {
        return exchange;
    }

    // For the application

    @Override
    public AsyncContext start(ServletRequest request, ServletResponse response, boolean given) {
        if (!exchange.isAsyncSupported()) {
            throw new IllegalStateException(
                    "A filter or the servlet of this request does not support asynchronous"
                            + " processing: set asyncSupported = true for each of them");
        }
        AsyncHandle next =
                new AsyncHandle(this, request, response, given, exchange.view(), run.dispatched());
        List<Listening> earlier;
        lock.lock();
        try {
            if (state != State.SYNC || exchange.response().isClosed()) {
                throw new IllegalStateException(
                        state == State.SYNC
                                ? "The response was closed"
                                : "Asynchronous processing was started already");
            }
            state = State.STARTED;
            handle = next;
            earlier = listeners;
            listeners = new ArrayList<>();
            timeoutMillis = TIMEOUT_MILLIS;
            timedOut = false; // a timeout that came after dispatch
        } finally {
            unlock();
        }
        for (Listening one : earlier) {
            run.notifying(() -> one.listener().onStartAsync(event(next, one, null)));
        }
        return next;
    }

    /// Returns whether processing was started, also after `complete` or `dispatch` until a container
    /// thread carries that out.
    @Override
    public boolean isStarted() {
        State now = state;
        return now != State.SYNC && now != State.ENDED;
    }

    /// Returns whether the application has called neither `complete` nor `dispatch`.
    boolean isOpen() {
        return state == State.STARTED;
    }

    @Override
    public AsyncContext context() {
        @Nullable AsyncHandle present = handle;
        if (present == null) {
            throw new IllegalStateException(
                    "The request is not asynchronous: call startAsync first");
        }
        return present;
    }

    void dispatch(AsyncHandle caller, PathDispatcher to) {
        lock.lock();
        try {
            require(caller, "dispatch");
            state = State.DISPATCHED;
            target = to;
            comeBack();
        } finally {
            unlock();
        }
    }

    void complete(AsyncHandle caller) {
        lock.lock();
        try {
            require(caller, "complete");
            state = State.COMPLETED;
            comeBack();
        } finally {
            unlock();
        }
    }

    /// Runs application code on a thread of its own, with the context class loader of the caller.
    void start(Runnable task) {
        run.start(task);
    }

    void addListener(AsyncHandle caller, Listening added) {
        lock.lock();
        try {
            require(caller, "addListener");
            listeners.add(added);
        } finally {
            unlock();
        }
    }

    void timeoutMillis(AsyncHandle caller, long millis) {
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

    void requireNotEnded(AsyncHandle caller) {
        if (!caller.equals(handle) || retired || state == State.SYNC) {
            throw new IllegalStateException(
                    "The asynchronous processing has ended by complete or dispatch");
        }
    }

    private void require(AsyncHandle caller, String call) {
        if (state != State.STARTED || !caller.equals(handle)) {
            throw new IllegalStateException(
                    call
                            + " cannot be called, because dispatch or complete was called before or"
                            + " the request has ended");
        }
    }

    // Streams that do not wait

    @Override
    public void read(ReadListener listener) {
        requireAsync("setReadListener");
        lock.lock();
        try {
            streams.reader = listener;
            streams.readable = true; // the first event comes when the container thread leaves
            comeBack();
        } finally {
            unlock();
        }
    }

    @Override
    public void write(WriteListener listener) {
        requireAsync("setWriteListener");
        exchange.engine().withoutWaiting();
        lock.lock();
        try {
            streams.writer = listener;
            streams.writable = true;
            comeBack();
        } finally {
            unlock();
        }
    }

    private void requireAsync(String call) {
        if (!isOpen()) {
            throw new IllegalStateException(
                    call + " needs a request that is asynchronous: call startAsync first");
        }
    }

    @Override
    public boolean mayRead() {
        BlockingExchange x = exchange.engine();
        try {
            lock.lock();
            try {
                if (streams.readArmed) {
                    return false;
                }
                if (x.readsWithoutWaiting()) {
                    return true;
                }
                streams.readArmed = true;
            } finally {
                unlock();
            }
            x.onReadable(this::arrived);
            return false;
        } catch (IOException e) { // the exchange was aborted: a read reports that
            return true;
        }
    }

    /// Returns whether the loop will report when content can be read.
    boolean isReadArmed() {
        return streams.readArmed;
    }

    /// Records that the ReadListener learns of the end of the content.
    ///
    /// @return whether it has not learned of it before
    boolean tellReadEnd() {
        boolean first = !streams.readEndTold;
        streams.readEndTold = true;
        return first;
    }

    private void arrived() {
        lock.lock();
        try {
            streams.readArmed = false;
            streams.readable = true;
            comeBack();
        } finally {
            unlockOnLoop();
        }
    }

    @Override
    public boolean mayWrite() {
        BlockingExchange x = exchange.engine();
        lock.lock();
        try {
            if (streams.writeArmed) {
                return false;
            }
            if (x.writesWithoutWaiting()) {
                return true;
            }
            streams.writeArmed = true;
        } finally {
            unlock();
        }
        x.onWritable(this::roomy);
        return false;
    }

    private void roomy() {
        lock.lock();
        try {
            streams.writeArmed = false;
            streams.writable = true;
            comeBack();
        } finally {
            unlockOnLoop();
        }
    }

    @Override
    public void upgrade(HttpUpgradeHandler handler) {
        upgrade = handler;
    }

    // For the container thread

    /// Returns what the container thread has to do now, and takes the event.
    AsyncStep next() {
        lock.lock();
        try {
            return switch (state) {
                case ENDED -> AsyncStep.END;
                case SYNC -> {
                    state = State.ENDED;
                    // A dispatch that does not start again completes (Javadoc of dispatch).
                    yield handle == null ? AsyncStep.END : AsyncStep.COMPLETE;
                }
                case DISPATCHED -> {
                    state = State.SYNC;
                    yield AsyncStep.DISPATCH;
                }
                case COMPLETED -> {
                    state = State.ENDED;
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
        if (streams.readable) {
            streams.readable = false;
            return AsyncStep.READ;
        }
        if (streams.writable) {
            streams.writable = false;
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
            if (state != State.STARTED
                    || gone
                    || timedOut
                    || streams.readable
                    || streams.writable) {
                return false;
            }
            place = Place.AWAY;
            setTimer();
            return true;
        } finally {
            unlock();
        }
    }

    /// Lets the container thread in that [RequestRun#resume] has called.
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

    /// Completes the processing because the request failed. Listeners then learn of the end.
    void fail() {
        lock.lock();
        try {
            if (state != State.ENDED) {
                state = handle == null ? State.ENDED : State.COMPLETED;
            }
        } finally {
            unlock();
        }
    }

    /// Ends the processing: the application's calls fail from now on.
    void end() {
        lock.lock();
        try {
            state = State.ENDED;
            retired = true;
            cancelTimer();
        } finally {
            unlock();
        }
    }

    /// Takes the exchange for the thread that reports its abort.
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

    PathDispatcher target() {
        @Nullable PathDispatcher to = target;
        if (to == null) {
            throw new IllegalStateException("There is no dispatch");
        }
        return to;
    }

    AsyncHandle handle() {
        @Nullable AsyncHandle present = handle;
        if (present == null) {
            throw new IllegalStateException("There is no asynchronous processing");
        }
        return present;
    }

    @Nullable ReadListener reader() {
        return streams.reader;
    }

    @Nullable WriteListener writer() {
        return streams.writer;
    }

    @Nullable HttpUpgradeHandler upgrade() {
        return upgrade;
    }

    /// A call of a listener.
    @FunctionalInterface
    interface Event {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    /// Tells all listeners in order.
    void tell(Event what, @Nullable Throwable thrown) {
        List<Listening> all;
        lock.lock();
        try {
            all = List.copyOf(listeners);
        } finally {
            unlock();
        }
        AsyncHandle present = handle();
        for (Listening one : all) {
            run.notifying(() -> what.tell(one.listener(), event(present, one, thrown)));
        }
    }

    private static AsyncEvent event(
            AsyncHandle handle, Listening listening, @Nullable Throwable thrown) {
        return new AsyncEvent(handle, listening.request(), listening.response(), thrown);
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
            run.resume();
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
            run.resume();
        }
    }

    private void arm(long mine, long millis) {
        Future<?> set = run.timer(() -> timeout(mine), millis);
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
            if (of == timing && state == State.STARTED && place == Place.AWAY) {
                timedOut = true;
                comeBack();
            }
        } finally {
            unlock();
        }
    }

    /// Returns how the request looked when the processing started.
    View original() {
        return handle().view();
    }
}
