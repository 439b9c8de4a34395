package dev.serval.blocking;

import dev.serval.http.Exchange;
import dev.serval.http.Handler;
import dev.serval.http.Task;

/// The way of an exchange through a [BlockingHandler]: to its thread, and with what it left back to
/// the loop, which sends it and takes the buffers back. Made on the loop; [#run] is the thread's, all
/// else the loop's.
final class BlockingTask implements Task, Handler {
    private final BlockingExchange exchange;
    private final BlockingHandler handler;

    BlockingTask(Exchange x, BlockingHandler handler) {
        this.handler = handler;
        this.exchange = new BlockingExchange(x);
        x.onAbort(exchange::aborted);
        exchange.begin();
    }

    @Override
    public Handler run() throws Exception {
        try {
            handler.handle(exchange);
            exchange.complete();
        } catch (Exception | Error e) {
            if (exchange.answered()) {
                return x -> failLate(x, e);
            }
            exchange.expire();
            exchange.execute(exchange::settle);
            throw e;
        }
        return this;
    }

    /// The thread is through with it.
    @Override
    public void handle(Exchange x) {
        exchange.finish();
        exchange.settle();
    }

    @Override
    public void dropped() {
        exchange.settle();
    }

    /// It ended its response and then failed: the response is whole, the failure is ours to tell.
    private void failLate(Exchange x, Throwable fault) {
        handle(x);
        throw new IllegalStateException("Application code failed behind its response", fault);
    }
}
