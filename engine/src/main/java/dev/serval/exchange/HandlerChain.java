package dev.serval.exchange;

import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import org.jspecify.annotations.Nullable;

/// The handlers that one exchange passes through: those of the mount it entered, in their order,
/// until one starts on content or response. Whatever protocol an exchange came by. Owned by the loop.
final class HandlerChain {
    private @Nullable Route route;
    private int next;
    private boolean started; // content or response

    /// Another exchange begins.
    void restart() {
        route = null;
        next = 0;
        started = false;
    }

    /// Content or response was started: passing on is over.
    void start() {
        started = true;
    }

    /// The mount that was entered.
    Route route() {
        @Nullable Route entered = route;
        if (entered == null) {
            throw new IllegalStateException("No mount was entered");
        }
        return entered;
    }

    /// Enters a mount: its first handler is next.
    void enter(Route entered) {
        route = entered;
        next = 0;
    }

    /// The handler to call now; null past the last one.
    @Nullable Handler next() {
        if (started) {
            throw new IllegalStateException("Content or response was started already");
        }
        Route entered = route();
        return next == entered.chain().size() ? null : entered.chain().get(next++);
    }

    /// What is known of the application code behind it.
    ///
    /// @param elsewhere of code behind no mount
    Mapping mapping(Mapping elsewhere) {
        @Nullable Route entered = route;
        return entered != null ? entered.mapping() : elsewhere;
    }
}
