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
    private int routedAgain; // times
    private boolean routing; // again, until a mount is entered
    private int resumeAt; // after that, if it is the same mount

    /// Resets the chain for another exchange.
    void restart() {
        route = null;
        chain = List.of();
        next = 0;
        started = false;
        routedAgain = 0;
        routing = false;
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

    /// Prepares for the page of an error, which is routed from the start.
    void startAgain() {
        route = null;
        chain = List.of();
        next = 0;
        started = false;
    }

    /// Enters a mount, whose first handler is next.
    ///
    /// @return false if the exchange is routed again and is in that mount already
    boolean enter(Route entered) {
        boolean stays = routing && entered.equals(route);
        routing = false;
        route = entered;
        chain = entered.chain();
        next = stays ? resumeAt : 0;
        return !stays;
    }

    /// Prepares for another look at the table of routes.
    ///
    /// @return whether the exchange may be routed again; if not, that happened `most` times
    boolean routeAgain(int most) {
        requireUntouched();
        routing = routedAgain++ < most;
        resumeAt = next;
        next = chain.size(); // if no mount is entered, nothing answers
        return routing;
    }

    /// Returns whether the exchange was routed again, so that it may leave a mount.
    boolean isRoutedAgain() {
        return routedAgain > 0;
    }

    /// Checks that neither content nor response was started.
    void requireUntouched() {
        if (started) {
            throw new IllegalStateException("Content or response was started already");
        }
    }

    /// Calls the next handler. Answers after the last one, and outside every mount.
    void pass(Exchange x) {
        Method method = x.request().method();
        @Nullable Handler called = next(method);
        if (called == null) {
            unanswered(x, method == Method.TRACE && hasSkippedTrace());
        } else {
            called.handle(x);
        }
    }

    private @Nullable Handler next(Method method) {
        requireUntouched();
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
