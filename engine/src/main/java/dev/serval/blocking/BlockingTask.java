package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Carries an exchange through a [BlockingHandler]: to its thread, and back to the loop, which
/// sends what the thread left and takes the buffers back. Created on the loop. [#run] runs on the
/// thread, all other methods on the loop.
final class BlockingTask implements Task, Handler {
    private static final int CAUSES_MAX = 16;

    private final BlockingExchange exchange;
    private final BlockingHandler handler;
    private @Nullable Throwable thrown; // by the handler
    private @Nullable ExchangeAbortedException abort; // among the causes of `thrown`
    private boolean detached; // the response stays open after the handler returned

    /// Creates the first task of an exchange.
    BlockingTask(Exchange x, BlockingHandler handler) {
        this(new BlockingExchange(EngineExchange.of(x)), handler);
        x.onAbort(exchange::aborted);
        exchange.begin();
    }

    /// Creates a task that continues an exchange whose earlier handler detached.
    BlockingTask(BlockingExchange exchange, BlockingHandler handler) {
        this.handler = handler;
        this.exchange = exchange;
        exchange.taskCreated();
    }

    /// Sets whether the response stays open after the handler returned. On the thread.
    void detached(boolean open) {
        detached = open;
    }

    @Override
    public Handler run() {
        try {
            exchange.enter(this);
            handler.handle(exchange);
            if (!detached) {
                exchange.complete();
            }
        } catch (Throwable e) { // other languages also throw checked exceptions undeclared
            detached = false;
            exchange.expire();
            thrown = e;
            abort = abortAmongCauses(e); // calls methods of the application's exceptions
        }
        return this;
    }

    @Override
    public void interrupted() {
        exchange.interruptedByServer();
    }

    /// Sends the response, after the thread has finished.
    @Override
    public void handle(Exchange x) {
        exchange.taskEnded();
        if (detached) {
            return;
        }
        @Nullable Throwable fault = faultOfApplication();
        if (fault != null) {
            exchange.forget();
            if (isOfLostClient()) {
                return;
            }
            BlockingTask.<RuntimeException>raise(fault);
        }
        exchange.finish(thrown != null);
        reportLate();
    }

    /// Returns why there is no complete response, if the application caused it; else null.
    private @Nullable Throwable faultOfApplication() {
        if (exchange.answered()
                || (thrown == null && exchange.handsOn())
                || (exchange.wasInterruptedByServer() && isInterruption(thrown))) {
            return null;
        }
        return thrown != null
                ? thrown
                : new IllegalStateException(
                        "A call of the response's stream failed, and the handler hid the exception",
                        exchange.interruption());
    }

    /// Returns whether the thread has found the connection lost. The connection then ends in this turn,
    /// and with it the exchange. No other fault is known before that.
    private boolean isOfLostClient() {
        return abort != null && exchange.fault() != null;
    }

    /// Takes the buffers back, after the last thread has finished. The exchange has ended.
    @Override
    public void dropped() {
        exchange.taskEnded();
        if (!exchange.isInUse()) {
            exchange.forget();
        }
        reportLate();
    }

    private void reportLate() {
        if (thrown == null || !exchange.answered()) {
            return;
        }
        if (abort != null) { // a lost client may be wrapped in any exception
            throw new UncheckedIOException(abort);
        }
        throw new IllegalStateException("Application code threw after its response ended", thrown);
    }

    private boolean isInterruption(@Nullable Throwable fault) {
        @Nullable Throwable interruption = exchange.interruption();
        return fault == null
                || fault instanceof InterruptedException
                || (interruption != null && interruption.equals(fault));
    }

    /// Returns null also if a method of an exception throws. On the thread.
    private static @Nullable ExchangeAbortedException abortAmongCauses(Throwable fault) {
        try {
            @Nullable Throwable one = fault;
            for (int i = 0; i < CAUSES_MAX && one != null; i++) {
                if (one instanceof ExchangeAbortedException lost) {
                    return lost;
                }
                one = one.getCause();
            }
        } catch (Throwable again) {
            return null; // the exception itself is reported
        }
        return null;
    }

    /// Throws the handler's exception unchanged. The caller logs it and answers with 500.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as RuntimeException
    private static <E extends Throwable> void raise(Throwable fault) throws E {
        throw (E) fault;
    }
}
