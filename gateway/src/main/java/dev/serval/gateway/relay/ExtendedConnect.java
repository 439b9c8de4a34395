package dev.serval.gateway.relay;

import dev.serval.handler.Exchange;
import dev.serval.http.Fields;
import dev.serval.http.Status;

/// Refuses extended CONNECT (RFC 8441), which another handler of the server may take: the gateway has
/// no tunnels for it. As a request of HTTP/1.1, CONNECT would ask for another server, and a CGI
/// program would wait for content that has no end. Stateless.
public final class ExtendedConnect {
    private ExtendedConnect() {}

    /// Answers an exchange that asks for such a tunnel.
    ///
    /// @return whether it was answered
    public static boolean answers(Exchange x) {
        boolean asked = x.request().connectProtocol() != null;
        if (asked) {
            x.refuse(
                    Status.NOT_IMPLEMENTED,
                    Fields.EMPTY,
                    "The application at this address takes no tunnels by extended CONNECT.");
        }
        return asked;
    }
}
