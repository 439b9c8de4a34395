package dev.serval.exchange;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.http.FieldName;
import dev.serval.http.RequestHead;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadRow;
import org.jspecify.annotations.Nullable;

/// Decides for how long a request may wait for its first Worker, and refuses it if that is not long
/// enough. Work of a request that has begun may always wait, because the time that was spent on it
/// would be lost. Stateless. On the loop.
final class WorkerWait {
    private static final String SCHEME_END = "://";

    private WorkerWait() {}

    /// Returns whether a request would have to wait for longer than the load mode allows.
    ///
    /// @param waitNanos how long it would have to wait
    static boolean isTooLong(ServerExchange exchange, long waitNanos) {
        LoadRow row = exchange.service().loadRow();
        return waitNanos > row.waitNanos() && waitNanos > mostNanos(exchange, row, row.waitNanos());
    }

    /// Returns for how long a request may have waited when the load becomes critical. A load that another
    /// mode is forced for never does.
    static long mostInCriticalNanos(ServerExchange exchange) {
        Limits.Loads load = exchange.service().limits().load();
        return load.forced() == null
                ? mostNanos(exchange, load.critical(), load.critical().delayNanos())
                : Long.MAX_VALUE;
    }

    /// @param ofNewClients how long a request of a client that is new may wait
    private static long mostNanos(ServerExchange exchange, LoadRow row, long ofNewClients) {
        return seemsToReturn(exchange.request(), exchange.connection())
                ? Math.max(row.returningNanos(), ofNewClients)
                : ofNewClients;
    }

    /// Returns whether a request seems to come from a client that has sent others before: it has a
    /// cookie, or comes from a page of the same host (RFC 9110 §10.1.3). What the server has done for
    /// those is in vain if this one is refused: it may be a picture of a page, or a step of a purchase.
    /// Any client can pretend to that, so it must decide about a longer wait only.
    static boolean seemsToReturn(RequestHead request, ConnectionFacts connection) {
        return request.fields().contains(FieldName.COOKIE)
                || comesFromPage(request, connection.authority(request));
    }

    private static boolean comesFromPage(RequestHead request, String host) {
        @Nullable String page = request.fields().first(FieldName.REFERER);
        if (page == null) {
            return false;
        }
        int from = page.indexOf(SCHEME_END) + SCHEME_END.length();
        int to = from + host.length();
        return from > SCHEME_END.length()
                && !host.isEmpty()
                && page.regionMatches(/* ignoreCase= */ true, from, host, 0, host.length())
                && (to == page.length() || page.charAt(to) == '/');
    }

    /// Refuses a request, because it would have to wait too long.
    static void refuse(ServerExchange exchange) {
        exchange.notes().refused(Counter.REQUESTS_REFUSED_LOAD);
        exchange.service().exchanges().load().refused();
        if (exchange.service().limits().load().resets()) {
            exchange.sink().breakOff(Fault.OVERLOAD);
        } else {
            exchange.giveUp(Fault.OVERLOAD);
        }
    }
}
