package dev.serval.exchange;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.Status;
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

    /// The handler to call now; null past the last one, and outside every mount.
    @Nullable Handler next(Method method) {
        if (started) {
            throw new IllegalStateException("Content or response was started already");
        }
        @Nullable Route entered = route;
        if (entered == null) {
            return null;
        }
        while (next < entered.chain().size()) {
            Handler handler = entered.chain().get(next++);
            if (takes(handler, method)) {
                return handler;
            }
        }
        return null;
    }

    /// Whether a handler is called for that method.
    static boolean takes(Handler handler, Method method) {
        return method != Method.OTHER || handler.takesOtherMethods();
    }

    /// Answers what no handler answered. A method that we do not know gets 501 whatever the path is
    /// (RFC 9110 §9.1, §15.6.2).
    static void unanswered(Exchange x) {
        if (x.request().method() == Method.OTHER) {
            x.refuse(Status.NOT_IMPLEMENTED, Fields.EMPTY, "This method is not offered here.");
        } else {
            x.refuse(Status.NOT_FOUND, Fields.EMPTY, "There is nothing at this address.");
        }
    }

    /// What is known of the application code behind it.
    ///
    /// @param elsewhere of code behind no mount
    Mapping mapping(Mapping elsewhere) {
        @Nullable Route entered = route;
        return entered != null ? entered.mapping() : elsewhere;
    }
}
