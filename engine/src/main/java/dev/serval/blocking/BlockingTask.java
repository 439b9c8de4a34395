package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// The way of an exchange through a [BlockingHandler]: to its thread, and with what it left back to
/// the loop, which sends it and takes the buffers back. Made on the loop; [#run] is the thread's, all
/// else the loop's.
final class BlockingTask implements Task, Handler {
    private static final int CAUSES_MAX = 16;

    private final BlockingExchange exchange;
    private final BlockingHandler handler;
    private @Nullable Throwable thrown; // by the handler

    BlockingTask(Exchange x, BlockingHandler handler) {
        this.handler = handler;
        this.exchange = new BlockingExchange(EngineExchange.of(x));
        x.onAbort(exchange::aborted);
        exchange.begin();
    }

    @Override
    public Handler run() {
        try {
            exchange.enter();
            handler.handle(exchange);
            exchange.complete();
        } catch (Throwable e) { // also what other languages throw undeclared
            exchange.expire();
            thrown = e;
        }
        return this;
    }

    @Override
    public void interrupted() {
        exchange.interruptedByServer();
    }

    /// The thread is through with it.
    @Override
    public void handle(Exchange x) {
        @Nullable Throwable fault = faultOfApplication();
        if (fault != null) {
            exchange.forget();
            BlockingTask.<RuntimeException>raise(fault);
        }
        exchange.finish(thrown != null);
        tellLate();
    }

    /// Why there is no whole response, if the application is to blame.
    private @Nullable Throwable faultOfApplication() {
        @Nullable Throwable fault = thrown;
        if (exchange.answered()
                || (fault == null && exchange.handsOn())
                || (exchange.wasInterruptedByServer() && isInterruption(fault))) {
            return null;
        }
        return fault != null
                ? fault
                : new IllegalStateException(
                        "A call of the response's stream failed, and its handler kept that to itself",
                        exchange.interruption());
    }

    /// The thread is through with it, and the exchange is over.
    @Override
    public void dropped() {
        exchange.forget();
        tellLate();
    }

    private void tellLate() {
        @Nullable Throwable fault = thrown;
        if (fault == null || !exchange.answered()) {
            return;
        }
        @Nullable ExchangeAbortedException abort = abortBehind(fault);
        if (abort != null) { // its client went, of which it may speak as it likes
            throw new UncheckedIOException(abort);
        }
        throw new IllegalStateException("Application code failed behind its response", fault);
    }

    private boolean isInterruption(@Nullable Throwable fault) {
        return fault == null
                || fault instanceof InterruptedException
                || fault.equals(exchange.interruption());
    }

    private static @Nullable ExchangeAbortedException abortBehind(Throwable fault) {
        @Nullable Throwable one = fault;
        for (int i = 0; i < CAUSES_MAX && one != null; i++) {
            if (one instanceof ExchangeAbortedException abort) {
                return abort;
            }
            one = one.getCause();
        }
        return null;
    }

    /// Throws what the handler threw, as it is: who calls this logs it and answers 500.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // says RuntimeException
    private static <E extends Throwable> void raise(Throwable fault) throws E {
        throw (E) fault;
    }
}
