package dev.serval.servlet.async;

import dev.serval.blocking.BlockingExchange;
import dev.serval.servlet.dispatch.PathDispatcher;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The asynchronous processing of one request (Servlet 6.1 §2.3.3.3): its [AsyncState], listeners,
/// target and streams. Any thread.
public final class AsyncCycle implements AsyncControl, AsyncPart {
    private static final long TIMEOUT_MILLIS = 30_000; // Javadoc of AsyncContext.setTimeout

    private final ServletExchange exchange;
    private final AsyncRun run;
    private final AsyncState state;
    private volatile boolean retired; // all listeners know of the end
    private volatile List<Listening> listeners = List.of(); // replaced under the lock of the state
    private volatile @Nullable StreamEvents streams; // once it was started
    private volatile @Nullable AsyncHandle handle;
    private volatile @Nullable PathDispatcher target;
    private volatile @Nullable HttpUpgradeHandler upgrade;

    public AsyncCycle(ServletExchange exchange, AsyncRun run) {
        this.exchange = exchange;
        this.run = run;
        this.state = new AsyncState(run);
    }

    /// Returns the request and its response.
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
        if (state.isSync() && exchange.response().isClosed()) {
            throw new IllegalStateException("The response was closed");
        }
        AsyncHandle next =
                new AsyncHandle(this, request, response, given, exchange.view(), run.dispatched());
        List<Listening> earlier = new ArrayList<>();
        state.start(
                next,
                TIMEOUT_MILLIS,
                () -> {
                    handle = next;
                    earlier.addAll(listeners);
                    listeners = List.of();
                    if (streams == null) {
                        streams = new StreamEvents(state, new Engine(exchange.engine()));
                    }
                });
        for (Listening one : earlier) {
            run.notifying(() -> one.listener().onStartAsync(event(next, one, null)));
        }
        return next;
    }

    @Override
    public boolean isStarted() {
        return state.isStarted();
    }

    @Override
    public boolean isOpen() {
        return state.isOpen();
    }

    @Override
    public AsyncContext context() {
        return handle();
    }

    void dispatch(AsyncHandle caller, PathDispatcher to) {
        state.dispatch(caller, () -> target = to);
    }

    void complete(AsyncHandle caller) {
        state.complete(caller);
    }

    /// Runs application code on a thread of its own, with the context class loader of the caller.
    void start(Runnable task) {
        run.start(task);
    }

    void addListener(AsyncHandle caller, Listening added) {
        state.whileStarted(
                caller,
                "addListener",
                () -> {
                    List<Listening> all = new ArrayList<>(listeners);
                    all.add(added);
                    listeners = all;
                });
    }

    void timeoutMillis(AsyncHandle caller, long millis) {
        state.timeoutMillis(caller, millis);
    }

    long timeoutMillis() {
        return state.timeoutMillis();
    }

    void requireNotEnded(AsyncHandle caller) {
        if (!caller.equals(handle) || retired || state.isSync()) {
            throw new IllegalStateException(
                    "The asynchronous processing has ended by complete or dispatch");
        }
    }

    // Streams that do not wait

    /// The streams of an exchange.
    private record Engine(BlockingExchange x) implements StreamEvents.Streams {
        @Override
        public boolean readsWithoutWaiting() throws IOException {
            return x.readsWithoutWaiting();
        }

        @Override
        public void onReadable(Runnable then) throws IOException {
            x.onReadable(then);
        }

        @Override
        public boolean writesWithoutWaiting() {
            return x.writesWithoutWaiting();
        }

        @Override
        public void onWritable(Runnable then) {
            x.onWritable(then);
        }
    }

    @Override
    public void read(ReadListener listener) {
        requireAsync("setReadListener");
        streams().read(listener);
    }

    @Override
    public void write(WriteListener listener) {
        requireAsync("setWriteListener");
        exchange.engine().withoutWaiting();
        streams().write(listener);
    }

    private void requireAsync(String call) {
        if (!isOpen()) {
            throw new IllegalStateException(
                    call + " needs a request that is asynchronous: call startAsync first");
        }
    }

    @Override
    public boolean mayRead() {
        return streams().mayRead();
    }

    @Override
    public void readEndFound() {
        streams().readEndFound();
    }

    @Override
    public boolean isReadyToWrite() {
        return streams().isReadyToWrite();
    }

    @Override
    public boolean mayWrite() {
        return streams().mayWrite();
    }

    /// Returns the streams of a request that was started.
    public StreamEvents streams() {
        @Nullable StreamEvents present = streams;
        if (present == null) {
            throw new IllegalStateException("There is no asynchronous processing");
        }
        return present;
    }

    @Override
    public void upgrade(HttpUpgradeHandler handler) {
        dropUpgrade();
        upgrade = handler;
    }

    @Override
    public void dropUpgrade() {
        @Nullable HttpUpgradeHandler dropped = upgrade;
        upgrade = null;
        if (dropped != null) {
            exchange.view().app().destroy(dropped);
        }
    }

    // For the container thread

    @Override
    public AsyncStep next() {
        return state.next();
    }

    /// Ends the waiting of an open cycle at once, as its timeout does.
    public void timeOut() {
        state.timeOut();
    }

    /// Lets the container thread leave. The exchange must be detached already.
    ///
    /// @return whether it may leave; if not, there is another event
    public boolean leave() {
        return state.leave();
    }

    /// Lets the container thread in that [AsyncState.Owner#resume] has called.
    ///
    /// @return whether it may run; if not, the abort of the exchange came first
    public boolean arrive() {
        return state.arrive();
    }

    /// Opens the processing again because the target of its dispatch has failed: its listeners may
    /// complete or dispatch it (Servlet 6.1 §2.3.3.3).
    public void reopen() {
        state.reopen();
    }

    /// Completes the processing, unless the application has completed or dispatched it.
    public void completeIfOpen() {
        state.completeIfOpen();
    }

    @Override
    public void fail() {
        state.fail();
    }

    @Override
    public void end() {
        retired = true;
        state.end();
    }

    @Override
    public boolean aborted() {
        return state.aborted();
    }

    public PathDispatcher target() {
        return Objects.requireNonNull(target, "There is no dispatch");
    }

    /// Returns the context of the processing that was started last.
    ///
    /// @throws IllegalStateException if none was started
    public AsyncHandle handle() {
        @Nullable AsyncHandle present = handle;
        if (present == null) {
            throw new IllegalStateException(
                    "The request is not asynchronous: call startAsync first");
        }
        return present;
    }

    public @Nullable HttpUpgradeHandler upgrade() {
        return upgrade;
    }

    /// A call of a listener.
    @FunctionalInterface
    public interface Event {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    /// Tells all listeners in order.
    public void tell(Event what, @Nullable Throwable thrown) {
        AsyncHandle present = handle();
        for (Listening one : listeners) {
            run.notifying(() -> what.tell(one.listener(), event(present, one, thrown)));
        }
    }

    private static AsyncEvent event(
            AsyncHandle handle, Listening listening, @Nullable Throwable thrown) {
        return new AsyncEvent(handle, listening.request(), listening.response(), thrown);
    }

    /// Returns how the request looked when the processing started.
    public View original() {
        return handle().view();
    }
}
