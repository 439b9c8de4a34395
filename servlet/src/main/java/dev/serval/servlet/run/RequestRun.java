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
import dev.serval.servlet.async.AsyncSide;
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
public final class RequestRun implements AsyncRun, RequestHost.Waiting {
    private final RequestHost container;
    private final AppRoutes app;
    private final ServletSlot slot;
    private final ServletExchange exchange;
    private final AsyncSide async;
    private View dispatched; // by the container, last
    private Visit visit = Visit.UNLIMITED; // of the container thread
    private Outcome outcome = Outcome.FINE;
    private boolean inside = true; // the container; under the monitor
    private boolean held; // as one that waits; by the container thread
    private volatile boolean stopped; // the application waits for its requests no longer

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
        this.async = new AsyncSide(exchange, this);
        exchange.async(async);
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
            Visit here = enter();
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

    private Visit enter() {
        Visit begun =
                container.timeLimitMillis() == 0
                        ? Visit.UNLIMITED
                        : new TimedVisit(
                                container, exchange.engine(), name(), app.context().logger());
        visit = begun;
        return begun;
    }

    /// Leaves the application. An asynchronous request may be another thread's by now.
    private static void leave(Visit here, @Nullable ClassLoader loader) {
        here.leave();
        Loaders.leave(loader);
    }

    // For the asynchronous cycle

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
                            if (!async.control().arrive()) {
                                return; // the abort of the exchange ends the request
                            }
                            again();
                        });
    }

    private void again() throws Exception {
        try {
            @Nullable ClassLoader loader = Loaders.enter(app.scope());
            Visit here = enter();
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
            if (async.hasLeft()) {
                throw e;
            }
            // A fault of the container: the application must learn of the end all the same.
            outcome = new Outcome.Fatal(e);
            async.fail();
            if (async.next() == AsyncStep.COMPLETE) {
                async.control().tell(AsyncListener::onComplete, null);
            }
            end();
        }
    }

    private void steps() throws Exception {
        while (true) {
            refuseIfAsked();
            switch (async.next()) {
                case END -> {
                    end();
                    return;
                }
                case COMPLETE -> async.control().tell(AsyncListener::onComplete, null);
                case DISPATCH -> dispatch(async.control());
                case TIMEOUT -> timeout(async.control());
                case ABORT -> {
                    reportAbort(async.control());
                    return;
                }
                case READ -> StreamSteps.read(this, async.control());
                case WRITE -> StreamSteps.write(this, async.control());
                case DETACH -> {
                    hold();
                    exchange.engine().detach();
                    if (async.control().leave()) {
                        return; // another thread may run the request by now
                    }
                    exchange.engine().attach();
                }
            }
        }
    }

    /// Answers a refusal. If the processing was open before, nothing else would end it: the client has
    /// its answer. The page may begin a processing of its own.
    private void refuseIfAsked() {
        if (exchange.response().isRefused()) {
            boolean open = async.isOpen();
            answerRefusal();
            if (open) {
                async.control().completeIfOpen();
            }
        }
    }

    /// Lets the end of the application end the request, which may wait for ever.
    private void hold() {
        held = true;
        if (!container.hold(this)) {
            timeOut();
        }
    }

    @Override
    public void timeOut() {
        stopped = true;
        async.control().timeOut();
    }

    @Override
    public void abort() {
        if (async.isOpen()) { // else it has an answer or runs code of the application
            exchange.engine().timeOut();
        }
    }

    private void dispatch(AsyncCycle cycle) {
        AsyncHandle handle = cycle.handle();
        exchange.asyncSupported(true);
        try {
            PathDispatcher target = cycle.target();
            View view = target.asyncView(exchange.reached(), cycle.original());
            dispatched = view;
            exchange.enter(view.app());
            @Nullable ClassLoader loader = Loaders.enter(view.app());
            try {
                target.call(exchange, view, handle.request(), handle.response());
            } finally {
                Loaders.leave(loader);
            }
        } catch (Throwable e) {
            cycle.reopen();
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
                sendTimeout(exchange.response());
            }
        } catch (IllegalStateException e) {
            // A thread of the application has committed the response meanwhile, so it is the
            // answer.
        }
        answerRefusal();
        cycle.completeIfOpen();
    }

    private void sendTimeout(AppResponse response) throws IOException {
        if (stopped) {
            response.sendError(
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    "The application is being stopped or replaced.");
        } else {
            response.sendError(
                    HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "The request took too long.");
        }
    }

    @Override
    public void listenerFailed(Notice notice, Throwable thrown) {
        notifying(notice);
        if (!ServletFault.isAbort(exchange, thrown)) {
            log("A listener of a stream failed", thrown);
        }
        if (async.isOpen()) {
            failed(thrown);
        }
    }

    /// Ends the request.
    private void end() throws Exception {
        async.leave();
        saveSessions();
        boolean answers = !(outcome instanceof Outcome.Fatal);
        boolean upgrades = false;
        try {
            upgrades = answers && upgrade();
            if (answers && !upgrades) {
                exchange.response().finish();
            }
        } finally {
            async.end();
            destroyed();
            if (upgrades) {
                boolean _ = quit(); // its place in the container is that of the connection now
                exchange.end(false);
            } else {
                leave(answers && !exchange.isHandedOn());
            }
        }
        if (outcome
                instanceof Outcome.Fatal fatal) { // no switch, which would be linked at run time
            throw ServletFault.of(fatal.thrown()); // counted there
        }
        if (outcome instanceof Outcome.Answered) {
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

    /// Reports to the listeners that the client has gone. Runs on the loop.
    private void aborted() {
        if (!async.aborted()) {
            return; // the container thread finds out by itself
        }
        try {
            Thread.ofVirtual()
                    .name("end of " + dispatched.requestUri())
                    .start(() -> reportAbortHere(async.control()));
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
        async.leave();
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
        async.end();
        destroyed();
        leave(false);
    }

    /// Tells the listeners that the request has ended. Their faults come too late to change the answer.
    private void destroyed() {
        try {
            app.context().listeners().requestDestroyed(exchange.request());
        } catch (Throwable e) {
            try {
                log("ServletRequestListener.requestDestroyed failed", e);
            } catch (Throwable again) {
                // The methods of the exception fail, so it cannot be shown.
            }
        }
    }

    private void leave(boolean complete) throws IOException {
        try {
            async.dropUpgrade();
            exchange.end(complete);
        } finally {
            leaveContainer(); // last, because the sessions may close from now on
        }
    }

    /// Leaves the container, once.
    private void leaveContainer() {
        if (quit()) {
            container.leave();
        }
    }

    /// Gives up the place in the container.
    ///
    /// @return whether the run still had it
    private boolean quit() {
        synchronized (this) {
            if (!inside) {
                return false;
            }
            inside = false;
        }
        exchange.leaveOthers();
        if (held) {
            container.release(this);
        }
        return true;
    }

    // Failures

    /// Answers what the application threw.
    private void failed(Throwable thrown) {
        outcome =
                new RequestFailure(this, exchange, async, thrown, outcome)
                        .answer(visit.isOverdue());
    }

    /// Makes the page that `sendError` has asked for, if it has.
    void answerRefusal() {
        if (exchange.response().isRefused()) {
            errorAnswer().refused();
        }
    }

    ErrorAnswer errorAnswer() {
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
