package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import org.jspecify.annotations.Nullable;

/// The way of an exchange through a [BlockingHandler]: to its thread, and with what it left back to
/// the loop, which sends it and takes the buffers back. Made on the loop; [#run] is the thread's, all
/// else the loop's.
final class BlockingTask implements Task, Handler {
    private final BlockingExchange exchange;
    private final BlockingHandler handler;
    private @Nullable Throwable late; // thrown when the response had ended

    BlockingTask(Exchange x, BlockingHandler handler) {
        this.handler = handler;
        this.exchange = new BlockingExchange(EngineExchange.of(x));
        x.onAbort(exchange::aborted);
        exchange.begin();
    }

    @Override
    public Handler run() throws Exception {
        try {
            handler.handle(exchange);
            exchange.complete();
        } catch (Exception | Error e) {
            boolean whole = exchange.answered();
            exchange.expire();
            if (whole) {
                late = e;
            } else if (!(e instanceof InterruptedException) && !e.equals(exchange.interruption())) {
                exchange.execute(exchange::settle);
                throw e;
            }
        }
        return this;
    }

    /// The thread is through with it.
    @Override
    public void handle(Exchange x) {
        exchange.finish();
        exchange.settle();
        tellLate();
    }

    /// The thread is through with it, and the exchange is over.
    @Override
    public void dropped() {
        exchange.settle();
        tellLate();
    }

    private void tellLate() {
        if (late != null) {
            throw new IllegalStateException("Application code failed behind its response", late);
        }
    }
}
