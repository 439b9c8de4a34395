package dev.serval.exchange;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The handlers that one exchange passes through. They are those of the mount it entered, in order,
/// until one starts on content or response. It works for any protocol. Owned by the loop.
final class HandlerChain {
    private @Nullable Route route; // null until one is entered
    private List<Handler> chain = List.of(); // its handlers
    private int next;
    private boolean started; // content or response

    /// Resets the chain for another exchange.
    void restart() {
        route = null;
        chain = List.of();
        next = 0;
        started = false;
    }

    /// Marks that content or response was started, so that no handler may pass the exchange on.
    void start() {
        started = true;
    }

    /// Returns the mount that was entered.
    Route route() {
        if (route == null) {
            throw new IllegalStateException("No mount was entered");
        }
        return route;
    }

    /// Enters a mount, whose first handler is next.
    void enter(Route entered) {
        route = entered;
        chain = entered.chain();
        next = 0;
    }

    /// Returns the handler to call now; null after the last one, and outside every mount.
    @Nullable Handler next(Method method) {
        if (started) {
            throw new IllegalStateException("Content or response was started already");
        }
        while (next < chain.size()) {
            Handler handler = chain.get(next++);
            if (takes(handler, method)) {
                return handler;
            }
        }
        return null;
    }

    /// Returns whether the handler accepts that method.
    static boolean takes(Handler handler, Method method) {
        return switch (method) {
            case OTHER -> handler.takesOtherMethods();
            case TRACE -> handler.takesTrace();
            case GET, HEAD, POST, PUT, DELETE, CONNECT, OPTIONS, PATCH -> true;
        };
    }

    /// Answers an exchange that no handler of the mount answered.
    void unanswered(Exchange x) {
        unanswered(x, x.request().method() == Method.TRACE && hasSkippedTrace());
    }

    private boolean hasSkippedTrace() {
        for (Handler handler : chain) {
            if (!handler.takesTrace()) {
                return true;
            }
        }
        return false;
    }

    /// Answers an exchange that no handler answered. An unknown method gets 501 for any path (RFC
    /// 9110 §9.1, §15.6.2).
    ///
    /// @param skipped whether a handler does not take TRACE, if that is the method
    static void unanswered(Exchange x, boolean skipped) {
        Method method = x.request().method();
        if (method == Method.OTHER) {
            x.refuse(
                    Status.NOT_IMPLEMENTED,
                    Fields.EMPTY,
                    "The server does not support this method.");
        } else if (method == Method.TRACE && skipped) {
            ServerRequests.refuseTrace(x);
        } else {
            x.refuse(Status.NOT_FOUND, Fields.EMPTY, "There is nothing at this address.");
        }
    }

    /// Returns what the engine knows about the handler's code.
    ///
    /// @param elsewhere the mapping of code outside every mount
    Mapping mapping(Mapping elsewhere) {
        return route == null ? elsewhere : route.mapping();
    }
}
