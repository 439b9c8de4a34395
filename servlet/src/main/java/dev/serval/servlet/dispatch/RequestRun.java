package dev.serval.servlet.dispatch;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.blocking.BlockingExchange;
import dev.serval.blocking.ExchangeAbortedException;
import dev.serval.handler.Fault;
import dev.serval.handler.Mapping;
import dev.serval.http.ResponseHead;
import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.AppResponse;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs one request through an application, from its first filter to the end of its response. A run
/// belongs to one container thread at a time: the Worker of the request, and for each event of an
/// asynchronous request another Worker.
public final class RequestRun {
    private static final int CAUSES_MAX = 16;

    private final Container container;
    private final AppRoutes app;
    private final ServletSlot slot;
    private final BlockingExchange x;
    private final ServletExchange exchange;
    private final AsyncCycle async;
    private View dispatched; // by the container, last
    private @Nullable Visit visit; // of the container thread; null without a time limit
    private @Nullable Throwable fatal; // thrown after the response was committed
    private boolean left; // the end of the request has begun

    /// What a run needs of the server.
    public interface Container {
        /// Returns what makes identifiers of requests, unique in the server.
        Supplier<String> requestIds();

        /// Returns whether clients may see why a request failed.
        boolean showsFaults();

        /// Records that a request enters the application.
        ///
        /// @return whether the application still runs
        boolean enter();

        /// Records that a request has left the application.
        void leave();

        /// Remembers a connection that was upgraded, and closes it when the application stops.
        ///
        /// @return whether the application still runs; if not, the caller must close it
        boolean hold(AutoCloseable connection);

        /// Forgets a connection that was upgraded.
        void release(AutoCloseable connection);

        /// Returns how long a container thread may work on a request without leaving it; 0 if there
        /// is no limit.
        long timeLimitMillis();

        /// Runs `task` after some time, on a thread that must not block.
        Future<?> timer(Runnable task, long afterMillis);
    }

    /// Creates the run of a request.
    ///
    /// @param view how the request looks
    /// @param slot the servlet that it reached
    public RequestRun(
            Container container, AppRoutes app, View view, ServletSlot slot, BlockingExchange x) {
        this.container = container;
        this.app = app;
        this.slot = slot;
        this.x = x;
        this.dispatched = view;
        this.exchange = new ServletExchange(x, view, container.requestIds());
        this.async = new AsyncCycle(exchange, this);
        exchange.async(async);
        x.onAbort(this::aborted);
    }

    /// Runs the request from its beginning.
    public void begin() throws Exception {
        @Nullable ClassLoader loader = Loaders.enter(app.scope());
        @Nullable Visit here = visit();
        try {
            try {
                app.context().listeners().requestInitialized(exchange.request());
                FilterWalk.call(
                        exchange,
                        app.chain(DispatcherType.REQUEST, dispatched.path(), slot),
                        slot,
                        exchange.request(),
                        exchange.response());
            } catch (Throwable e) {
                failed(e);
            }
            settle();
        } finally {
            leave(here, loader);
        }
    }

    /// Answers the request with the application's page for an error.
    public void refuse(int code) throws Exception {
        @Nullable ClassLoader loader = Loaders.enter(app.scope());
        @Nullable Visit here = visit();
        try {
            try {
                app.context().listeners().requestInitialized(exchange.request());
                exchange.response().sendError(code);
            } catch (Throwable e) {
                failed(e);
            }
            settle();
        } finally {
            leave(here, loader);
        }
    }

    private @Nullable Visit visit() {
        @Nullable Visit begun =
                container.timeLimitMillis() == 0
                        ? null
                        : new Visit(container, x, name(), app.context().logger());
        visit = begun;
        return begun;
    }

    /// Leaves the application. An asynchronous request may be another thread's by now.
    private static void leave(@Nullable Visit here, @Nullable ClassLoader loader) {
        if (here != null) {
            here.leave();
        }
        Loaders.leave(loader);
    }

    // For the asynchronous cycle

    /// Returns how the request looked when the container dispatched it last.
    View dispatched() {
        return dispatched;
    }

    /// Brings a Worker back to the request.
    void resume() {
        x.resume(
                profile(),
                _ -> {
                    if (!async.arrive()) {
                        return; // the abort of the exchange ends the request
                    }
                    @Nullable ClassLoader loader = Loaders.enter(app.scope());
                    @Nullable Visit here = visit();
                    try {
                        settle();
                    } finally {
                        leave(here, loader);
                    }
                });
    }

    private Mapping profile() {
        return app.profile(slot);
    }

    Future<?> timer(Runnable task, long afterMillis) {
        return container.timer(task, afterMillis);
    }

    /// Runs application code on a virtual thread of its own.
    void start(Runnable task) {
        Thread.ofVirtual()
                .name("async of " + exchange.request().getRequestURI())
                .start(() -> {
                    @Nullable ClassLoader loader = Loaders.enter(app.scope());
                    try {
                        task.run();
                    } catch (Throwable e) {
                        log("A task of AsyncContext.start failed", e);
                    } finally {
                        Loaders.leave(loader);
                    }
                });
    }

    /// A call of a listener.
    @FunctionalInterface
    interface Notice {
        void tell() throws IOException;
    }

    /// Calls a listener. Its faults are logged and change nothing.
    void notifying(Notice notice) {
        try {
            notice.tell();
        } catch (Throwable e) {
            log("An AsyncListener failed", e);
        }
    }

    // Steps

    /// Does what the request needs now, until it is complete or waits for an event.
    private void settle() throws Exception {
        try {
            steps();
        } catch (Throwable e) {
            if (left) {
                throw e;
            }
            fatal = e; // of the container: the application must learn of the end all the same
            async.fail();
            if (async.next() == AsyncStep.COMPLETE) {
                async.tell(AsyncListener::onComplete, null);
            }
            end();
        }
    }

    private void steps() throws Exception {
        while (true) {
            refused();
            switch (async.next()) {
                case END -> {
                    end();
                    return;
                }
                case COMPLETE -> async.tell(AsyncListener::onComplete, null);
                case DISPATCH -> dispatch();
                case TIMEOUT -> timeout();
                case ABORT -> {
                    reportAbort();
                    return;
                }
                case READ -> read();
                case WRITE -> write();
                case DETACH -> {
                    x.detach();
                    if (async.leave()) {
                        return; // another thread may run the request by now
                    }
                    x.attach();
                }
            }
        }
    }

    private void dispatch() {
        AsyncHandle handle = async.handle();
        exchange.asyncSupported(true);
        try {
            PathDispatcher target = async.target();
            View view = target.asyncView(async.original());
            dispatched = view;
            target.call(exchange, view, handle.request(), handle.response());
        } catch (Throwable e) {
            failed(e);
        }
    }

    /// Ends a request whose time is over, unless a listener or the error page does (Servlet 6.1
    /// §2.3.3.3).
    private void timeout() throws IOException {
        async.tell(AsyncListener::onTimeout, null);
        if (!async.isOpen()) {
            return;
        }
        try {
            if (!exchange.response().isCommitted()) {
                exchange.response()
                        .sendError(
                                HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
                                "The request took too long.");
            }
        } catch (IllegalStateException e) {
            // A thread of the application has committed the response meanwhile, so it is the
            // answer.
        }
        refused();
        async.completeIfOpen();
    }

    private void read() {
        @Nullable ReadListener listener = async.streams().reader();
        // The WriteListener may wait for content already, if the event is older than that.
        if (listener == null || async.streams().isReadArmed()) {
            return; // the loop reports when content has arrived
        }
        try {
            AppRequest request = exchange.request();
            if (!request.isContentFinished() && !x.contentEnded()) {
                if (!async.mayRead()) {
                    return; // the loop reports when content has arrived
                }
                listener.onDataAvailable();
            }
            readEnd(listener);
        } catch (Throwable e) {
            listenerFailed(() -> listener.onError(e), e);
        }
    }

    private void readEnd(ReadListener listener) throws IOException {
        AppRequest request = exchange.request();
        if (request.isContentFinished() || (!async.streams().isReadArmed() && x.contentEnded())) {
            request.contentEnded();
            if (async.streams().tellReadEnd()) {
                listener.onAllDataRead();
            }
        }
    }

    private void write() {
        @Nullable WriteListener listener = async.streams().writer();
        if (listener == null) {
            return;
        }
        try {
            listener.onWritePossible();
        } catch (Throwable e) {
            listenerFailed(() -> listener.onError(e), e);
            return;
        }
        @Nullable ReadListener reader = async.streams().reader();
        if (reader == null || !async.isOpen()) {
            return;
        }
        try {
            readEnd(reader); // the WriteListener may have read the last byte
        } catch (Throwable e) {
            listenerFailed(() -> reader.onError(e), e);
        }
    }

    private void listenerFailed(Notice notice, Throwable thrown) {
        notifying(notice);
        if (!isAbort(thrown)) {
            log("A listener of a stream failed", thrown);
        }
        if (async.isOpen()) {
            failed(thrown);
        }
    }

    /// Ends the request.
    private void end() throws Exception {
        left = true;
        @Nullable Throwable thrown = fatal;
        boolean upgrades = false;
        try {
            upgrades = thrown == null && upgrade();
            if (thrown == null && !upgrades) {
                exchange.response().finish();
            }
        } finally {
            async.end();
            try {
                app.context().listeners().requestDestroyed(exchange.request());
            } finally {
                if (!upgrades) {
                    async.dropUpgrade();
                    container.leave();
                }
                exchange.end(thrown == null && !upgrades && !exchange.isHandedOn());
            }
        }
        if (thrown != null) {
            rethrow(thrown);
        }
    }

    /// Hands the connection to the HttpUpgradeHandler, if the application asked for it and gives no
    /// other answer.
    private boolean upgrade() {
        @Nullable HttpUpgradeHandler handler = async.upgrade();
        AppResponse response = exchange.response();
        if (handler == null) {
            return false;
        }
        if (exchange.isHandedOn() || !response.maySwitch()) {
            return false; // the end releases the handler
        }
        UpgradeRun next = new UpgradeRun(container, app, profile(), handler);
        ResponseHead head = response.switching();
        exchange.handOn(y -> next.open(y, head), next::dropped);
        return true;
    }

    private static void rethrow(Throwable thrown) throws Exception {
        if (thrown instanceof Exception e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
        throw new ServletException(thrown);
    }

    /// Reports to the listeners that the client has gone. Runs on the loop.
    private void aborted() {
        if (!async.aborted()) {
            return; // the container thread finds out by itself
        }
        Thread.ofVirtual()
                .name("end of " + dispatched.requestUri())
                .start(() -> {
                    @Nullable ClassLoader loader = Loaders.enter(app.scope());
                    try {
                        reportAbort();
                    } catch (Throwable e) {
                        log("The end of an aborted request failed", e);
                    } finally {
                        Loaders.leave(loader);
                    }
                });
    }

    private void reportAbort() throws IOException {
        left = true;
        @Nullable Fault fault = x.fault();
        IOException gone = new ExchangeAbortedException(fault == null ? Fault.PEER_GONE : fault);
        @Nullable ReadListener reader = async.streams().reader();
        @Nullable WriteListener writer = async.streams().writer();
        if (reader != null) {
            notifying(() -> reader.onError(gone));
        }
        if (writer != null) {
            notifying(() -> writer.onError(gone));
        }
        async.tell(AsyncListener::onError, gone);
        async.tell(AsyncListener::onComplete, null);
        async.end();
        try {
            app.context().listeners().requestDestroyed(exchange.request());
        } finally {
            async.dropUpgrade();
            container.leave();
            exchange.end(false);
        }
    }

    // Errors

    /// Handles what the application threw. The request must end even if the exception cannot be
    /// shown, because its own methods fail.
    private void failed(Throwable thrown) {
        try {
            answer(thrown);
        } catch (Throwable again) {
            fatal = again;
            async.fail();
        }
    }

    private void answer(Throwable thrown) {
        if (isAbort(thrown) || isOverdue()) {
            if (async.isOpen()) {
                async.tell(AsyncListener::onError, thrown);
            }
            fatal = thrown; // the engine knows that the client has gone
            async.fail();
            return;
        }
        int code = ClientFault.status(thrown);
        if (code == 0) {
            log("The servlet \"" + dispatched.servlet().name() + "\" failed", thrown);
        } else if (!exchange.response().isCommitted()) {
            refuseContent(code);
        }
        boolean open = async.isOpen();
        if (open) {
            async.tell(AsyncListener::onError, thrown);
            if (!async.isOpen()) {
                return; // a listener took over
            }
        }
        answerFailure(thrown);
        if (open && fatal == null) {
            async.completeIfOpen(); // unless the error page took over
        } else {
            async.fail();
        }
    }

    private void answerFailure(Throwable thrown) {
        try {
            if (exchange.response().isRefused()) {
                refused(); // the page that sendError asked for is the answer
            } else if (exchange.response().isCommitted()) {
                fatal = thrown; // the client must see that the response is incomplete
            } else {
                errorAnswer().thrown(thrown);
            }
        } catch (Throwable again) {
            log("The page for an error failed", again);
            fatal = again;
        }
    }

    /// Answers content that the client has sent wrong.
    private void refuseContent(int code) {
        try {
            exchange.response().sendError(code);
        } catch (IOException e) {
            fatal = e;
        }
    }

    /// Returns whether the time limit has ended the request.
    private boolean isOverdue() {
        @Nullable Visit here = visit;
        return here != null && here.isOverdue();
    }

    private static boolean isAbort(Throwable thrown) {
        @Nullable Throwable one = thrown;
        for (int i = 0; i < CAUSES_MAX && one != null; i++) {
            if (one instanceof ExchangeAbortedException) {
                return true;
            }
            one = one.getCause();
        }
        return false;
    }

    private void refused() {
        if (exchange.response().isRefused()) {
            errorAnswer().refused();
        }
    }

    private ErrorAnswer errorAnswer() {
        return new ErrorAnswer(this, app, exchange, container.showsFaults());
    }

    void log(String what, Throwable thrown) {
        app.context().logger().log(ERROR, what + ": " + name(), thrown);
    }

    /// Returns the request's name for logs.
    String name() {
        return x.request().methodText() + " " + dispatched.requestUri();
    }
}
