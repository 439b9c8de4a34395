package dev.serval.exchange;

import dev.serval.handler.ConnectionFacts;
import dev.serval.http.FieldName;
import dev.serval.http.RequestHead;
import org.jspecify.annotations.Nullable;

/// Tells whether a request seems to be one of several of its client. What the server has done for the
/// others is in vain if this one is refused: it may be a picture of a page, or a step of a purchase. Any
/// client can pretend to it, so it must decide about a longer wait only. Stateless.
final class Visit {
    private static final String SCHEME_END = "://";

    private Visit() {}

    /// Returns whether the request has a cookie, or comes from a page of the same host (RFC 9110
    /// §10.1.3).
    static boolean goesOn(RequestHead request, ConnectionFacts connection) {
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
}
