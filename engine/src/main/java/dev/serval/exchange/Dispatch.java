package dev.serval.exchange;

import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;

/// Calls the listener's handler for an exchange: at its start, and after a rule of a mount has
/// rewritten its target. Stateless.
final class Dispatch {
    /// The most times that one exchange is routed again. The rules of a site may send a target back
    /// and forth.
    static final int AGAIN_MAX = 10;

    private Dispatch() {}

    /// Starts the exchange.
    static void start(ServerExchange x, RequestHead request) {
        x.service().exchanges().load().requested();
        if (!MountEntry.keepsRate(x, x.service().service().rate())) {
            return;
        }
        Handler handler = x.service().settings().handler();
        if (!HandlerChain.takes(handler, request.method())) {
            HandlerChain.unanswered(x, true);
            return;
        }
        x.call(handler);
        x.dispatched();
    }

    /// Routes the exchange by its rewritten target. It stays in its mount, and the next handler of
    /// the chain continues, if the target is of the same mount.
    static void again(ServerExchange x, HandlerChain chain) {
        Handler handler = x.service().settings().handler();
        if (!chain.routeAgain(AGAIN_MAX)) {
            x.service().metrics().count(Counter.HANDLER_FAULTS);
            x.service()
                    .report(
                            "The rules of a site rewrite a target again and again",
                            new IllegalStateException(
                                    x.request().received().target().text()
                                            + " was routed "
                                            + AGAIN_MAX
                                            + " times; the last target is "
                                            + x.request().target().text()));
            x.refuse(Status.INTERNAL_SERVER_ERROR, Fields.EMPTY, "");
        } else if (HandlerChain.takes(handler, x.request().method())) {
            handler.handle(x);
        } else {
            HandlerChain.unanswered(x, true);
        }
    }
}
