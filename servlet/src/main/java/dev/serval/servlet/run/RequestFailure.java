package dev.serval.servlet.run;

import dev.serval.servlet.async.AsyncSide;
import dev.serval.servlet.request.AppResponse;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.AsyncListener;
import java.io.IOException;

/// One failure of a request: tells its listeners, and chooses what the client gets. Created only
/// when code of the application has thrown. Owned by the container thread.
///
/// The first of these rules that applies decides:
///
/// 1. If the client has gone or the time limit is over, the engine ends the exchange.
/// 2. If an AsyncListener calls `complete` or `dispatch`, that is the answer.
/// 3. If the application has called `sendError` or `sendRedirect` before, that is the answer.
/// 4. If the response has begun, its client must see that it is incomplete.
/// 5. Else the client gets the page for the exception (Servlet 6.1 §10.9).
final class RequestFailure {
    private final RequestRun run;
    private final ServletExchange exchange;
    private final AsyncSide async;
    private final Throwable thrown;
    private Outcome outcome;

    /// Creates the failure.
    ///
    /// @param before the outcome of the request so far
    RequestFailure(
            RequestRun run,
            ServletExchange exchange,
            AsyncSide async,
            Throwable thrown,
            Outcome before) {
        this.run = run;
        this.exchange = exchange;
        this.async = async;
        this.thrown = thrown;
        this.outcome = before;
    }

    /// Answers the request. It ends even if the exception cannot be shown, because its own methods
    /// fail.
    ///
    /// @param ended whether the engine has ended the exchange, because its time limit is over
    /// @return the outcome of the request
    Outcome answer(boolean ended) {
        try {
            if (ended || ServletFault.isAbort(exchange, thrown)) {
                boolean _ = tellListeners();
                outcome = new Outcome.Fatal(thrown);
                async.fail();
            } else {
                report();
                answerUnlessTaken();
            }
        } catch (Throwable again) {
            outcome = new Outcome.Fatal(again);
            async.fail();
        }
        return outcome;
    }

    /// Logs a fault of the application. A fault of the client is not logged but refused.
    private void report() {
        int code = ClientFault.status(thrown);
        if (code == 0) {
            outcome = outcome instanceof Outcome.Fatal ? outcome : Outcome.ANSWERED;
            run.log("The servlet \"" + run.dispatched().servlet().name() + "\" failed", thrown);
        } else if (!exchange.response().isCommitted()) {
            refuse(code);
        }
    }

    private void refuse(int code) {
        try {
            exchange.response().sendError(code);
        } catch (IOException e) {
            outcome = new Outcome.Fatal(e);
        }
    }

    private void answerUnlessTaken() {
        boolean asynchronous = tellListeners();
        if (asynchronous && !async.isOpen()) {
            return; // a listener took over
        }
        if (!asynchronous && async.isStarted()) {
            async.fail(); // the application has called dispatch before it threw
        }
        answerHere();
        if (outcome instanceof Outcome.Fatal) {
            async.fail();
        } else if (asynchronous) {
            async.control().completeIfOpen(); // unless the error page took over
        } // else the error page may have started asynchronous processing
    }

    /// Tells the listeners of an asynchronous request that it failed.
    ///
    /// @return whether it was asynchronous
    private boolean tellListeners() {
        boolean asynchronous = async.isOpen();
        if (asynchronous) {
            async.control().tell(AsyncListener::onError, thrown);
        }
        return asynchronous;
    }

    private void answerHere() {
        AppResponse response = exchange.response();
        try {
            if (response.isRefused()) {
                run.answerRefusal();
            } else if (response.isRedirect()) {
                return; // what the application decided first is the answer
            } else if (response.isCommitted()) {
                outcome = new Outcome.Fatal(thrown);
            } else {
                run.errorAnswer().thrown(thrown);
            }
        } catch (Throwable again) {
            run.log("The page for an error failed", again);
            outcome = new Outcome.Fatal(again);
        }
    }
}
