package dev.serval.gateway.lrwp;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.relay.ExtendedConnect;
import dev.serval.gateway.relay.PerLoop;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.net.NetLoop;
import org.jspecify.annotations.Nullable;

/// Sends requests to applications that have dialled in. It stands first in the chain of every mount
/// and passes on what no application serves, or what the mount serves by a longer prefix.
final class LrwpHandler implements Handler {
    private final LrwpRegistry registry;
    private final PerLoop<LrwpLoop> loops;

    LrwpHandler(LrwpSettings settings, LrwpRegistry registry, SpoolQuota quota) {
        this.registry = registry;
        this.loops = new PerLoop<>(() -> new LrwpLoop(settings, quota));
    }

    @Override
    public void handle(Exchange x) {
        handle(x, false);
    }

    private void handle(Exchange x, boolean guarded) {
        @Nullable LrwpApplication application =
                registry.routes().find(x.request(), x.route().prefixLength(), guarded);
        if (application == null) {
            x.pass();
            return;
        }
        if (!application.serves(x.request().target().path())) {
            // What the mount serves may drop parameters, and would take the application's place.
            x.refuse(
                    Status.BAD_REQUEST,
                    Fields.EMPTY,
                    "The path has parameters (;) before the end of the path of an application.");
            return;
        }
        if (ExtendedConnect.answers(x)) {
            return;
        }
        EngineExchange exchange = EngineExchange.of(x);
        new LrwpRequest(loops.at(NetLoop.of(exchange.loop()).loop()), exchange, application)
                .begin();
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }

    /// Returns the handler for guarded mounts, which sends requests only to applications that a
    /// rule names.
    Handler guarded() {
        return new Guarded(this);
    }

    private record Guarded(LrwpHandler all) implements Handler {
        @Override
        public void handle(Exchange x) {
            all.handle(x, true);
        }

        @Override
        public boolean takesOtherMethods() {
            return true;
        }
    }
}
