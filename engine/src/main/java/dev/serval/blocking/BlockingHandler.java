package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;

/// Application code that answers an exchange by calls that block. One BlockingHandler serves all
/// exchanges at once, each on a separate thread.
@FunctionalInterface
public interface BlockingHandler {
    /// Answers the exchange. After it returned, the server ends a response that was not ended. If
    /// the handler set nothing, the response is 200 without content.
    ///
    /// @throws Exception logged with its stack trace and answered with 500. After the head was
    ///     sent, the connection ends, so that the client sees that the response is incomplete.
    ///     After the end of the response, the exception is only logged. An exception for an
    ///     interrupt by the server (a deadline, a stop) is not logged, and is answered with 503 or
    ///     ends the connection
    void handle(BlockingExchange x) throws Exception;

    /// Returns a Handler that runs `handler` on `executor`.
    ///
    /// @param executor WORKER or BLOCKING
    static Handler on(ExecutorKind executor, BlockingHandler handler) {
        if (executor != ExecutorKind.WORKER && executor != ExecutorKind.BLOCKING) {
            throw new IllegalArgumentException("Application code does not run on " + executor);
        }
        return x -> x.run(executor, new BlockingTask(x, handler));
    }

    /// Returns a Handler that runs `handler` on Workers.
    ///
    /// @param mapping collects what the engine learns about the handler
    static Handler on(Mapping mapping, BlockingHandler handler) {
        return x -> run(x, mapping, handler);
    }

    /// Runs `handler` on a Worker, as the Handler of [#on] does.
    static void run(Exchange x, Mapping mapping, BlockingHandler handler) {
        EngineExchange.of(x).run(mapping, new BlockingTask(x, handler));
    }
}
