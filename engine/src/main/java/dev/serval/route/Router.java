package dev.serval.route;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.http.TargetPath;
import java.util.Set;

/// Passes each exchange to the mount for its host and path. [#swap] replaces the immutable table at
/// once; exchanges in progress continue in the mount that they entered.
public final class Router implements Handler {
    private volatile RouteTable table;

    /// Creates a router with that table.
    public Router(RouteTable table) {
        this.table = table;
    }

    /// Replaces the table for all later exchanges. Any thread.
    public void swap(RouteTable next) {
        table = next;
    }

    @Override
    public void handle(Exchange x) {
        VirtualHost host = host(x.request());
        TargetPath path = x.request().target().path();
        int index = host.indexOf(path);
        if (index < 0) {
            x.pass(); // no mount matches: 404 or 501
        } else if (host.hidesMount(path, index)) {
            // An application may drop parameters, so the rules of the other mount would not apply.
            x.refuse(
                    Status.BAD_REQUEST,
                    Fields.EMPTY,
                    "The path has parameters (;) before the end of the path of a mount.");
        } else {
            EngineExchange.of(x).enter(host.route(index));
        }
    }

    @Override
    public boolean takesOtherMethods() {
        return true; // each mount decides
    }

    @Override
    public boolean takesTrace() {
        return true; // likewise
    }

    /// Returns those of the handlers of all mounts.
    @Override
    public Set<String> connectProtocols() {
        return table.connectProtocols();
    }

    private VirtualHost host(RequestHead head) {
        RouteTable now = table;
        if (now.hasOneHost()) {
            return now.fallback();
        }
        int from = head.authorityFrom();
        int to = head.authorityTo();
        if (from == to) {
            return now.fallback();
        }
        byte[] bytes = head.fields().buffer();
        return now.host(bytes, from, nameEnd(bytes, from, to));
    }

    /// Returns the end of the host, before its port. Colons within brackets belong to an address.
    private static int nameEnd(byte[] bytes, int from, int to) {
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] == ':') {
                return i;
            }
            if (bytes[i] < '0' || bytes[i] > '9') {
                return to;
            }
        }
        return to;
    }
}
