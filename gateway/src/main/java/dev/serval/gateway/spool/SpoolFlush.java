package dev.serval.gateway.spool;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Moves the memory of a spool to its file, on a thread for files, and then goes on.
///
/// @param spool of which [Spool#reserve] has succeeded
/// @param then on the loop, with the error or null; not called if the exchange has ended
@SuppressWarnings("exports") // only the gateway and its protocols use it
public record SpoolFlush(Spool spool, Consumer<@Nullable IOException> then)
        implements Task, Handler {
    @Override
    public Handler run() {
        spool.flush();
        return this;
    }

    @Override
    public void handle(Exchange x) {
        then.accept(spool.flushed());
    }

    @Override
    public void dropped() {
        spool.flushed();
    }
}
