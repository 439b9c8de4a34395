package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;

/// Application code that answers an exchange by calls that block. One BlockingHandler serves all
/// exchanges at once, each on a thread of its own.
@FunctionalInterface
public interface BlockingHandler {
    /// Answers. When it returns, the response is complete: what was not ended is ended, and where
    /// nothing was said the answer is 200 without content.
    ///
    /// @throws Exception answered 500 and logged with its trace; after the head was sent, the
    ///     connection ends so that the client sees that the response is not whole. Behind the end of
    ///     the response it is only logged. What was thrown for an interrupt by the server (a deadline,
    ///     a stop) is answered 503, or ends the connection, and is not logged
    void handle(BlockingExchange x) throws Exception;

    /// The Handler that has `handler` run on `executor`.
    ///
    /// @param executor WORKER or BLOCKING
    static Handler on(ExecutorKind executor, BlockingHandler handler) {
        if (executor != ExecutorKind.WORKER && executor != ExecutorKind.BLOCKING) {
            throw new IllegalArgumentException("Application code does not run on " + executor);
        }
        return x -> {
            BlockingTask task = new BlockingTask(x, handler);
            try {
                x.run(executor, task);
            } catch (Error e) { // there is no memory for a thread
                task.dropped();
                throw e;
            }
        };
    }

    /// The Handler that has `handler` run on Workers.
    ///
    /// @param mapping what is learned of it
    static Handler on(Mapping mapping, BlockingHandler handler) {
        return x -> {
            BlockingTask task = new BlockingTask(x, handler);
            try {
                EngineExchange.of(x).run(mapping, task);
            } catch (Error e) { // likewise
                task.dropped();
                throw e;
            }
        };
    }
}
