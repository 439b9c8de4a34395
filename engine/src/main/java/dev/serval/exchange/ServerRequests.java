package dev.serval.exchange;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Exchange;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.Target;
import org.jspecify.annotations.Nullable;

/// Answers the requests that concern the server and not one of its resources. Stateless.
final class ServerRequests {
    private static final Fields ALLOW_ALL =
            Fields.of(FieldName.ALLOW, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");

    /// For CONNECT, whose target is no resource of this server (RFC 9110 §9.3.6, §10.2.1).
    private static final Fields ALLOW_NOTHING = Fields.of(FieldName.ALLOW, "");

    private static final ResponseHead OPTIONS_ANSWER =
            new ResponseHead(Status.NO_CONTENT, ALLOW_ALL, 0);

    private ServerRequests() {}

    /// Answers a request that no handler gets: CONNECT to another server, which this server does not
    /// support, `OPTIONS *` (RFC 9110 §9.3.7), and a target `https://…` on a connection without TLS (§7.4): an
    /// answer without TLS must not pass for one of the secure origin. A trusted proxy may ask so, because
    /// it has the connection of the client.
    ///
    /// @return whether the request is answered
    static boolean answer(Exchange x, RequestHead request) {
        ConnectionFacts facts = x.connection();
        if (request.target().isHttps() && !facts.secure() && !(facts instanceof Forwarded)) {
            x.refuse(
                    Status.MISDIRECTED_REQUEST,
                    Fields.EMPTY,
                    "This connection is not secure, so it cannot answer for https. A proxy that"
                            + " may ask so is one of server.trusted-proxies.");
            return true;
        }
        return switch (request.method()) {
            case CONNECT -> {
                if (x.tunnel() instanceof TunnelRequest.ByConnect) {
                    yield false; // for a resource of this server (RFC 8441 §4)
                }
                x.refuse(
                        Status.METHOD_NOT_ALLOWED,
                        ALLOW_NOTHING,
                        "This server opens no tunnels to other servers.");
                yield true;
            }
            case GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH, TRACE, OTHER ->
                    answerAsterisk(x, request);
        };
    }

    /// Refuses TRACE for a resource whose methods are not known.
    static void refuseTrace(Exchange x) {
        x.refuse(Status.METHOD_NOT_ALLOWED, ALLOW_ALL, "TRACE is not supported by this server.");
    }

    private static boolean answerAsterisk(Exchange x, RequestHead request) {
        boolean concernsServer = concernsServer(request);
        if (concernsServer) {
            x.response().head(OPTIONS_ANSWER);
            x.response().end(Fields.EMPTY);
        }
        return concernsServer;
    }

    /// Returns whether OPTIONS asks about the server: by `*`, which the parser accepts with no other
    /// method, or by an absolute form with neither path nor query, which means the same (RFC 9112 §3.2.4).
    private static boolean concernsServer(RequestHead request) {
        Target target = request.target();
        return switch (target.form()) {
            case ASTERISK -> true;
            case ABSOLUTE ->
                    request.method() == Method.OPTIONS && target.originFrom() == target.originTo();
            case ORIGIN, AUTHORITY -> false;
        };
    }

    /// Returns a request's name for thread dumps.
    static String name(@Nullable RequestHead head) {
        return head == null
                ? "a request that could not be read"
                : head.methodText() + " " + head.target().text();
    }
}
