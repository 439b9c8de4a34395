package dev.serval.servlet.run;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.blocking.BlockingExchange;
import dev.serval.blocking.ExchangeAbortedException;
import dev.serval.handler.Fault;
import dev.serval.handler.Mapping;
import dev.serval.http.ResponseHead;
import dev.serval.servlet.async.AsyncCycle;
import dev.serval.servlet.async.AsyncHandle;
import dev.serval.servlet.async.AsyncRun;
import dev.serval.servlet.async.AsyncStep;
import dev.serval.servlet.async.Notice;
import dev.serval.servlet.async.StreamSteps;
import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.dispatch.AppRoutes;
import dev.serval.servlet.dispatch.FilterWalk;
import dev.serval.servlet.dispatch.Loaders;
import dev.serval.servlet.dispatch.PathDispatcher;
import dev.serval.servlet.dispatch.RequestHost;
import dev.serval.servlet.request.AppResponse;
import dev.serval.servlet.request.Guard;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import dev.serval.servlet.upgrade.UpgradeRun;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Runs one request through an application, from its first filter to the end of its response. A run
/// belongs to one container thread at a time: the Worker of the request, and for each event of an
/// asynchronous request another Worker.
public final class RequestRun implements ServletExchange.AsyncSource, AsyncRun {
    private final RequestHost container;
    private final AppRoutes app;
    private final ServletSlot slot;
    private final ServletExchange exchange;
    private volatile @Nullable AsyncCycle async; // created when it is needed
    private View dispatched; // by the container, last
    private @Nullable Visit visit; // of the container thread; null without a time limit
    private @Nullable Throwable fatal; // thrown after the response was committed
    private boolean faulty; // the application threw
    private volatile boolean left; // the end of the request has begun
    private volatile boolean lost; // the exchange was aborted
    private boolean inside = true; // the container; under the monitor

    /// Creates the run of a request.
    ///
    /// @param view how the request looks
    /// @param slot the servlet that it reached
    public RequestRun(
            RequestHost container, AppRoutes app, View view, ServletSlot slot, BlockingExchange x) {
        this.container = container;
        this.app = app;
        this.slot = slot;
        this.dispatched = view;
        this.exchange = new ServletExchange(x, view, container.requestIds());
        exchange.async(this);
        x.onAbort(this::aborted);
    }

    /// Runs the request from its beginning.
    ///
    /// @param admission checks it before the first filter; null if it needs no check
    public void begin(Guard.@Nullable Admission admission) throws Exception {
        first(admission, 0);
    }

    /// Answers the request with the application's page for an error.
    public void refuse(int code) throws Exception {
        first(null, code);
    }

    private void first(Guard.@Nullable Admission admission, int refusal) throws Exception {
        try {
            @Nullable ClassLoader loader = Loaders.enter(app.scope());
            @Nullable Visit here = visit();
            try {
                try {
                    app.context().listeners().requestInitialized(exchange.request());
                    if (refusal != 0) {
                        exchange.response().sendError(refusal);
                    } else if (admission == null || admission.admit(exchange)) {
                        call();
                    }
                } catch (Throwable e) {
                    failed(e);
                }
                settle();
            } finally {
                leave(here, loader);
            }
        } catch (Throwable e) {
            leaveContainer(); // the end was not reached, such as for want of memory
            throw e;
        }
    }

    private void call() throws ServletException, IOException {
        FilterWalk.call(
                exchange,
                app.chain(DispatcherType.REQUEST, dispatched.path(), slot),
                slot,
                exchange.request(),
                exchange.response());
    }

    private @Nullable Visit visit() {
        @Nullable Visit begun =
                container.timeLimitMillis() == 0
                        ? null
                        : new Visit(container, exchange.engine(), name(), app.context().logger());
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

    @Override
    public @Nullable AsyncCycle begun() {
        return async;
    }

    /// The end and the abort of the request set their mark and then read `async`. This method
    /// writes `async` and then reads the marks. So one of the two tells the cycle.
    @Override
    public AsyncCycle control() {
        @Nullable AsyncCycle present = async;
        return present != null ? present : create();
    }

    private synchronized AsyncCycle create() {
        @Nullable AsyncCycle present = async;
        if (present == null) {
            present = new AsyncCycle(exchange, this);
            async = present;
            if (lost) {
                boolean _ = present.aborted();
            }
            if (left) {
                present.end();
            }
        }
        return present;
    }

    private boolean isOpen() {
        @Nullable AsyncCycle present = async;
        return present != null && present.isOpen();
    }

    /// Completes the asynchronous processing, if there is one, because the request failed.
    private void fail() {
        @Nullable AsyncCycle present = async;
        if (present != null) {
            present.fail();
        }
    }

    /// Ends the asynchronous processing, if there is one.
    private void endCycle() {
        left = true;
        @Nullable AsyncCycle present = async;
        if (present != null) {
            present.end();
        }
    }

    private void dropUpgrade() {
        @Nullable AsyncCycle present = async;
        if (present != null) {
            present.dropUpgrade();
        }
    }

    @Override
    public View dispatched() {
        return dispatched;
    }

    /// Brings a Worker back to the request.
    @Override
    public void resume() {
        exchange.engine()
                .resume(
                        profile(),
                        _ -> {
                            if (!control().arrive()) {
                                return; // the abort of the exchange ends the request
                            }
                            again();
                        });
    }

    private void again() throws Exception {
        try {
            @Nullable ClassLoader loader = Loaders.enter(app.scope());
            @Nullable Visit here = visit();
            try {
                settle();
            } finally {
                leave(here, loader);
            }
        } catch (Throwable e) {
            leaveContainer(); // as in first
            throw e;
        }
    }

    private Mapping profile() {
        return app.profile(slot);
    }

    @Override
    public Future<?> timer(Runnable task, long afterMillis) {
        return container.timer(task, afterMillis);
    }

    /// Runs application code on a virtual thread of its own.
    @Override
    public void start(Runnable task) {
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

    @Override
    public void notifying(Notice notice) {
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
            @Nullable AsyncCycle cycle = async;
            if (cycle != null) {
                cycle.fail();
                if (cycle.next() == AsyncStep.COMPLETE) {
                    cycle.tell(AsyncListener::onComplete, null);
                }
            }
            end();
        }
    }

    private void steps() throws Exception {
        while (true) {
            refused();
            @Nullable AsyncCycle cycle = async;
            if (cycle == null) {
                end();
                return;
            }
            switch (cycle.next()) {
                case END -> {
                    end();
                    return;
                }
                case COMPLETE -> cycle.tell(AsyncListener::onComplete, null);
                case DISPATCH -> dispatch(cycle);
                case TIMEOUT -> timeout(cycle);
                case ABORT -> {
                    reportAbort(cycle);
                    return;
                }
                case READ -> StreamSteps.read(this, cycle);
                case WRITE -> StreamSteps.write(this, cycle);
                case DETACH -> {
                    exchange.engine().detach();
                    if (cycle.leave()) {
                        return; // another thread may run the request by now
                    }
                    exchange.engine().attach();
                }
            }
        }
    }

    private void dispatch(AsyncCycle cycle) {
        AsyncHandle handle = cycle.handle();
        exchange.asyncSupported(true);
        try {
            PathDispatcher target = cycle.target();
            View view = target.asyncView(cycle.original());
            dispatched = view;
            target.call(exchange, view, handle.request(), handle.response());
        } catch (Throwable e) {
            failed(e);
        }
    }

    /// Ends a request whose time is over, unless a listener or the error page does (Servlet 6.1
    /// §2.3.3.3).
    private void timeout(AsyncCycle cycle) throws IOException {
        cycle.tell(AsyncListener::onTimeout, null);
        if (!cycle.isOpen()) {
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
        cycle.completeIfOpen();
    }

    @Override
    public void listenerFailed(Notice notice, Throwable thrown) {
        notifying(notice);
        if (!ServletFault.isAbort(thrown)) {
            log("A listener of a stream failed", thrown);
        }
        if (isOpen()) {
            failed(thrown);
        }
    }

    /// Ends the request.
    private void end() throws Exception {
        left = true;
        saveSessions();
        @Nullable Throwable thrown = fatal;
        boolean upgrades = false;
        try {
            upgrades = thrown == null && upgrade();
            if (thrown == null && !upgrades) {
                exchange.response().finish();
            }
        } finally {
            endCycle();
            try {
                app.context().listeners().requestDestroyed(exchange.request());
            } finally {
                if (upgrades) {
                    exchange.end(false);
                } else {
                    leave(thrown == null && !exchange.isHandedOn());
                }
            }
        }
        if (thrown != null) {
            throw ServletFault.of(thrown); // the engine counts it
        }
        if (faulty) {
            container.countFault();
        }
    }

    private void saveSessions() {
        try {
            exchange.saveSessions();
        } catch (RuntimeException | Error e) {
            exchange.response().dropRedirect();
            failed(e); // the client must not believe that its changes are kept
        }
    }

    /// Hands the connection to the HttpUpgradeHandler, if the application asked for it and gives no
    /// other answer.
    private boolean upgrade() {
        @Nullable AsyncCycle cycle = async;
        @Nullable HttpUpgradeHandler handler = cycle == null ? null : cycle.upgrade();
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

    /// Reports to the listeners that the client has gone. Runs on the loop.
    private void aborted() {
        lost = true;
        @Nullable AsyncCycle cycle = async;
        if (cycle == null || !cycle.aborted()) {
            return; // the container thread finds out by itself
        }
        try {
            Thread.ofVirtual()
                    .name("end of " + dispatched.requestUri())
                    .start(() -> reportAbortHere(cycle));
        } catch (RuntimeException | Error e) {
            leaveContainer(); // there is no memory to tell the listeners
            throw e;
        }
    }

    private void reportAbortHere(AsyncCycle cycle) {
        @Nullable ClassLoader loader = Loaders.enter(app.scope());
        try {
            reportAbort(cycle);
        } catch (Throwable e) {
            leaveContainer();
            log("The end of an aborted request failed", e);
        } finally {
            Loaders.leave(loader);
        }
    }

    private void reportAbort(AsyncCycle cycle) throws IOException {
        left = true;
        @Nullable Fault fault = exchange.engine().fault();
        IOException gone = new ExchangeAbortedException(fault == null ? Fault.PEER_GONE : fault);
        @Nullable ReadListener reader = cycle.streams().reader();
        @Nullable WriteListener writer = cycle.streams().writer();
        if (reader != null) {
            notifying(() -> reader.onError(gone));
        }
        if (writer != null) {
            notifying(() -> writer.onError(gone));
        }
        cycle.tell(AsyncListener::onError, gone);
        cycle.tell(AsyncListener::onComplete, null);
        endCycle();
        try {
            app.context().listeners().requestDestroyed(exchange.request());
        } finally {
            leave(false);
        }
    }

    private void leave(boolean complete) throws IOException {
        try {
            dropUpgrade();
            exchange.end(complete);
        } finally {
            leaveContainer(); // last, because the sessions may close from now on
        }
    }

    /// Leaves the container, once.
    private void leaveContainer() {
        synchronized (this) {
            if (!inside) {
                return;
            }
            inside = false;
        }
        container.leave();
    }

    // Errors

    /// Handles what the application threw. The request must end even if the exception cannot be
    /// shown, because its own methods fail.
    private void failed(Throwable thrown) {
        try {
            answer(thrown);
        } catch (Throwable again) {
            fatal = again;
            fail();
        }
    }

    private void answer(Throwable thrown) {
        if (ServletFault.isAbort(thrown) || isOverdue()) {
            tellError(thrown);
            fatal = thrown; // the engine knows that the client has gone
            fail();
            return;
        }
        int code = ClientFault.status(thrown);
        if (code == 0) {
            faulty = true;
            log("The servlet \"" + dispatched.servlet().name() + "\" failed", thrown);
        } else if (!exchange.response().isCommitted()) {
            refuseContent(code);
        }
        boolean open = tellError(thrown);
        if (open && !isOpen()) {
            return; // a listener took over
        }
        answerFailure(thrown);
        if (open && fatal == null) {
            control().completeIfOpen(); // unless the error page took over
        } else {
            fail();
        }
    }

    /// Tells the listeners of an asynchronous request that it failed.
    ///
    /// @return whether it was asynchronous
    private boolean tellError(Throwable thrown) {
        @Nullable AsyncCycle cycle = async;
        if (cycle == null || !cycle.isOpen()) {
            return false;
        }
        cycle.tell(AsyncListener::onError, thrown);
        return true;
    }

    private void answerFailure(Throwable thrown) {
        try {
            if (exchange.response().isRefused()) {
                refused(); // the page that sendError asked for is the answer
            } else if (exchange.response().isRedirect()) {
                return; // as for sendError, what the application decided first is the answer
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
        return exchange.engine().request().methodText() + " " + dispatched.requestUri();
    }
}
