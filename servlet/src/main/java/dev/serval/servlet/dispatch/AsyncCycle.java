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
import java.util.concurrent.locks.ReentrantLock;
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
/// Any thread, under one lock that is never held while application code runs.
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

    /// What the container thread has to do.
    enum Step {
        /// The request is complete: nothing asynchronous runs.
        END,
        /// Call the target of [#target].
        DISPATCH,
        /// The application called `complete`.
        COMPLETE,
        /// The time is over.
        TIMEOUT,
        /// The client has gone, or the server has given the exchange up.
        ABORT,
        /// Content can be read.
        READ,
        /// The response can be written.
        WRITE,
        /// Nothing: leave, and come back with the next event.
        DETACH
    }

    private final ServletExchange exchange;
    private final RequestRun run;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.SYNC;
    private Place place = Place.INSIDE;
    private boolean gone; // the exchange was aborted
    private boolean retired; // all listeners know of the end
    private List<Listening> listeners = List.of();
    private long timeoutMillis = TIMEOUT_MILLIS;
    private @Nullable Future<?> timer;
    private long timing; // changes with the timer, so that an old timer is known
    private boolean timedOut;
    private boolean readable; // an event for the ReadListener
    private boolean writable; // an event for the WriteListener
    private boolean readArmed; // the loop reports when content can be read
    private boolean writeArmed;
    private boolean readEndTold;
    private @Nullable ReadListener reader;
    private @Nullable WriteListener writer;
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
            lock.unlock();
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
        lock.lock();
        try {
            return state != State.SYNC && state != State.ENDED;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the application has called neither `complete` nor `dispatch`.
    boolean isOpen() {
        lock.lock();
        try {
            return state == State.STARTED;
        } finally {
            lock.unlock();
        }
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
            lock.unlock();
        }
    }

    void complete(AsyncHandle caller) {
        lock.lock();
        try {
            require(caller, "complete");
            state = State.COMPLETED;
            comeBack();
        } finally {
            lock.unlock();
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
            lock.unlock();
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
            lock.unlock();
        }
    }

    long timeoutMillis() {
        lock.lock();
        try {
            return timeoutMillis;
        } finally {
            lock.unlock();
        }
    }

    void requireNotEnded(AsyncHandle caller) {
        lock.lock();
        try {
            boolean over = retired || state == State.SYNC;
            if (!caller.equals(handle) || over) {
                throw new IllegalStateException(
                        "The asynchronous processing has ended by complete or dispatch");
            }
        } finally {
            lock.unlock();
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
            reader = listener;
            readable = true; // the first event comes when the container thread leaves
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void write(WriteListener listener) {
        requireAsync("setWriteListener");
        exchange.engine().withoutWaiting();
        lock.lock();
        try {
            writer = listener;
            writable = true;
            comeBack();
        } finally {
            lock.unlock();
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
        lock.lock();
        try {
            if (readArmed) {
                return false;
            }
            BlockingExchange x = exchange.engine();
            if (x.readsWithoutWaiting()) {
                return true;
            }
            readArmed = true;
            x.onReadable(this::arrived);
            return false;
        } catch (IOException e) { // the exchange was aborted: a read reports that
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the loop will report when content can be read.
    boolean isReadArmed() {
        lock.lock();
        try {
            return readArmed;
        } finally {
            lock.unlock();
        }
    }

    /// Records that the ReadListener learns of the end of the content.
    ///
    /// @return whether it has not learned of it before
    boolean tellReadEnd() {
        boolean first = !readEndTold;
        readEndTold = true;
        return first;
    }

    private void arrived() {
        lock.lock();
        try {
            readArmed = false;
            readable = true;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean mayWrite() {
        lock.lock();
        try {
            if (writeArmed) {
                return false;
            }
            BlockingExchange x = exchange.engine();
            if (x.writesWithoutWaiting()) {
                return true;
            }
            writeArmed = true;
            x.onWritable(this::roomy);
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void roomy() {
        lock.lock();
        try {
            writeArmed = false;
            writable = true;
            comeBack();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void upgrade(HttpUpgradeHandler handler) {
        upgrade = handler;
    }

    // For the container thread

    /// Returns what the container thread has to do now, and takes the event.
    Step next() {
        lock.lock();
        try {
            return switch (state) {
                case ENDED -> Step.END;
                case SYNC -> {
                    state = State.ENDED;
                    // A dispatch that does not start again completes (Javadoc of dispatch).
                    yield handle == null ? Step.END : Step.COMPLETE;
                }
                case DISPATCHED -> {
                    state = State.SYNC;
                    yield Step.DISPATCH;
                }
                case COMPLETED -> {
                    state = State.ENDED;
                    yield Step.COMPLETE;
                }
                case STARTED -> event();
            };
        } finally {
            lock.unlock();
        }
    }

    private Step event() {
        if (gone) {
            return Step.ABORT;
        }
        if (timedOut) {
            timedOut = false;
            return Step.TIMEOUT;
        }
        if (readable) {
            readable = false;
            return Step.READ;
        }
        if (writable) {
            writable = false;
            return Step.WRITE;
        }
        return Step.DETACH;
    }

    /// Lets the container thread leave. The exchange must be detached already.
    ///
    /// @return whether it may leave; if not, there is another event
    boolean leave() {
        lock.lock();
        try {
            if (state != State.STARTED || gone || timedOut || readable || writable) {
                return false;
            }
            place = Place.AWAY;
            setTimer();
            return true;
        } finally {
            lock.unlock();
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
            lock.unlock();
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
            lock.unlock();
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
            lock.unlock();
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
            lock.unlock();
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
        return reader;
    }

    @Nullable WriteListener writer() {
        return writer;
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
            lock.unlock();
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
            run.resume();
        }
    }

    private void setTimer() {
        if (timeoutMillis > 0) {
            long mine = timing;
            timer = run.timer(() -> timeout(mine), timeoutMillis);
        }
    }

    private void cancelTimer() {
        @Nullable Future<?> set = timer;
        timer = null;
        timing++;
        if (set != null) {
            set.cancel(false);
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
            lock.unlock();
        }
    }

    /// Returns how the request looked when the processing started.
    View original() {
        return handle().view();
    }
}
