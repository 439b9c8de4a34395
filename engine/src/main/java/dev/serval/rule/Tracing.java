package dev.serval.rule;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.HeadCopy;
import dev.serval.http.RequestHead;
import dev.serval.http.TraceParent;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Gives each request a trace (W3C Trace Context): that of a valid `traceparent` of the client, or a
/// new one. Handlers, applications and servers behind the mount see it as the field of the request.
/// If the client's field is not valid, its `tracestate` goes, too (§3.3.1). Immutable.
public final class Tracing implements Handler {
    private final LongSupplier random;

    /// Creates a handler.
    ///
    /// @param random returns random numbers; any loop calls it
    public Tracing(LongSupplier random) {
        this.random = random;
    }

    @Override
    public void handle(Exchange x) {
        RequestHead head = x.request();
        if (TraceParent.find(head.fields()) < 0) {
            String parent = TraceParent.of(random.getAsLong(), notZero(), notZero());
            @Nullable RequestHead traced = HeadCopy.of(head).trace(parent).make();
            if (traced != null) { // the path is as it was
                EngineExchange.of(x).replaceHead(traced);
            }
        }
        x.pass();
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }

    @Override
    public boolean takesTrace() {
        return true;
    }

    private long notZero() {
        long number = random.getAsLong();
        return number == 0 ? 1 : number;
    }
}
