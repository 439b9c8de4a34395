package dev.serval.route;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Route;
import dev.serval.http.RequestHead;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Sends each exchange into the mount that its host and path name. The table is one immutable value:
/// [#swap] changes all of it at once, and exchanges under way go on in the mount they entered.
public final class Router implements Handler {
    private volatile RouteTable table;

    /// Routes by that table.
    public Router(RouteTable table) {
        this.table = table;
    }

    /// Routes by another table from now on. Any thread.
    public void swap(RouteTable next) {
        table = next;
    }

    @Override
    public void handle(Exchange x) {
        @Nullable Route route = host(x.request()).route(x.request().target().path());
        if (route == null) {
            x.pass(); // to nobody
        } else {
            EngineExchange.of(x).enter(route);
        }
    }

    @Override
    public boolean takesOtherMethods() {
        return true; // mounts decide
    }

    private VirtualHost host(RequestHead head) {
        RouteTable now = table;
        if (now.hasOneHost()) {
            return now.fallback();
        }
        @Nullable String named = head.target().authority();
        if (named != null) { // rare: an absolute target wins over Host (RFC 9112 §3.2.2)
            byte[] bytes = named.getBytes(StandardCharsets.ISO_8859_1);
            return now.host(bytes, 0, nameEnd(bytes, 0, bytes.length));
        }
        int field = head.hostField();
        if (field < 0) {
            return now.fallback();
        }
        byte[] bytes = head.fields().buffer();
        int from = head.fields().valueAt(field);
        return now.host(bytes, from, nameEnd(bytes, from, head.fields().valueEnd(field)));
    }

    /// Where the host ends and its port begins; colons within brackets are an address's.
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
