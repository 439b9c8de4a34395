package dev.serval.app;

import dev.serval.blocking.BlockingExchange;
import dev.serval.blocking.BlockingHandler;
import dev.serval.blocking.ExchangeAbortedException;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.TargetPath;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Carries one exchange through the filters that cover it to its handler, and back to the loop with
/// the response. Created on the loop, then used only by the thread that runs the handler.
final class Visit implements AppHandler, BlockingHandler, Task {
    private final App app;
    private final Endpoint endpoint;
    private final RequestHead head;
    private final ConnectionFacts connection;
    private final int pathFrom;
    private int next; // the index of the next filter
    private Answer answer = Answer.NONE; // set if run as a Task or on the loop

    /// Creates a visit, on the loop.
    ///
    /// @param pathFrom the index at which the path below the application's mount begins
    /// @param filtered whether filters run
    Visit(App app, Endpoint endpoint, Exchange x, int pathFrom, boolean filtered) {
        this.app = app;
        this.endpoint = endpoint;
        this.head = x.request();
        this.connection = x.connection();
        this.pathFrom = pathFrom;
        this.next = filtered ? 0 : app.filters().size();
    }

    RequestHead head() {
        return head;
    }

    ConnectionFacts connection() {
        return connection;
    }

    AppLimits limits() {
        return app.limits();
    }

    Endpoint endpoint() {
        return endpoint;
    }

    int pathFrom() {
        return pathFrom;
    }

    /// Lets the request through: calls the next filter that covers it, or the handler.
    @Override
    public void handle(AppExchange x) throws Exception {
        TargetPath path = head.target().path();
        int filters = app.filters().size();
        if (next > filters) {
            throw new IllegalStateException(
                    "A filter called its next handler twice: call it at most once.");
        }
        while (next < filters) {
            PrefixFilter filter = app.filters().get(next++);
            if (filter.covers(path.buffer(), pathFrom, path.to())) {
                filter.filter().filter(x, this);
                return;
            }
        }
        next++;
        x.draft().handlerBegins();
        endpoint.handler().handle(x);
    }

    /// Runs on a Worker, with content and streams.
    @Override
    public void handle(BlockingExchange exchange) throws Exception {
        AppExchange x = new AppExchange(this, exchange);
        answerOf(x);
        if (!x.streams()) {
            Answer whole = x.draft().take();
            exchange.then(whole.send(), whole.dropped());
        }
    }

    /// Runs on a Worker, for the filters of files.
    @Override
    public Handler run() throws Exception {
        return answerNow();
    }

    /// Releases the answer, because the exchange has ended.
    @Override
    public void dropped() {
        answer.dropped().run();
    }

    /// Runs on the loop.
    void handleOnLoop(Exchange x) {
        Handler send;
        try {
            send = answerNow();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("A handler threw a checked exception on the loop", e);
        }
        send.handle(x);
    }

    private Handler answerNow() throws Exception {
        AppExchange x = new AppExchange(this, null);
        answerOf(x);
        answer = x.draft().take();
        return answer.send();
    }

    private void answerOf(AppExchange x) throws Exception {
        try {
            handle(x);
        } catch (Exception e) {
            boolean done = false;
            try {
                recover(e, x);
                done = true;
            } finally {
                if (!done) {
                    x.draft().drop();
                }
            }
        } catch (Error e) {
            x.draft().drop();
            throw e;
        }
    }

    /// Answers for an exception. It rethrows the exception if the response has started, or if it is
    /// an interrupt or a lost client, because the engine handles these.
    private void recover(Exception thrown, AppExchange x) throws Exception {
        if (x.streams()
                || thrown instanceof InterruptedException
                || thrown instanceof ExchangeAbortedException) {
            throw thrown;
        }
        x.draft().reset();
        @Nullable ExceptionHandler<Exception> mapped = app.exceptionHandler(thrown.getClass());
        if (mapped != null) {
            try {
                mapped.handle(thrown, x);
            } catch (Exception again) {
                if (!Objects.equals(again, thrown)) {
                    again.addSuppressed(thrown);
                }
                throw again;
            }
        } else if (thrown instanceof HttpException refused) {
            x.draft().answer(refused.answer(Fields.EMPTY));
        } else {
            throw thrown;
        }
    }
}
