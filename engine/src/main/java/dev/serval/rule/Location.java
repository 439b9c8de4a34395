package dev.serval.rule;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Answers with the address of a redirect (RFC 9110 §10.2.2): a path, or a URL whose host the rule
/// names. Immutable.
final class Location {
    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);
    private static final String HOST = "$host";
    private static final String OF_URL =
            "https?://(\\$host|[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?";
    private static final Pattern URL = Pattern.compile(OF_URL + "([/?#].*)?");
    private static final Pattern URL_AND_MORE = Pattern.compile(OF_URL + "[/?#].*");

    private final Status status;

    /// @param status 301, 302, 303, 307 or 308
    Location(int status) {
        this.status = Status.of(status);
    }

    /// Refuses an address that is none, as an argument.
    static void checkAddress(String to) {
        check(isPath(to) || (URL.matcher(to).matches() && isPlain(to)), to);
    }

    /// Refuses an address of which a request decides what follows `fixed`, if that could be the host.
    ///
    /// @param to the whole address, for the message
    static void checkBegin(String fixed, String to) {
        check(isPath(fixed) || URL_AND_MORE.matcher(fixed).matches(), to);
        check(isPlain(to), to);
    }

    private static void check(boolean right, String to) {
        if (!right) {
            throw new IllegalArgumentException(
                    "A redirect leads to a path that begins with one /, or to a URL such as"
                            + " https://www.example.org/, with blanks, \" and letters beyond ASCII encoded"
                            + " (%20), but this one to \""
                            + to
                            + "\"");
        }
    }

    /// Refuses an address to which no query can be appended.
    static void checkQuery(String to, boolean keepsQuery) {
        if (keepsQuery && to.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "A redirect that keeps the query leads to an address without #, but this one"
                            + " to \""
                            + to
                            + "\"");
        }
    }

    /// Refuses the status of another answer.
    static void checkStatus(int status) {
        if (!STATUSES.contains(status)) {
            throw new IllegalArgumentException(
                    "A redirect has the status 301, 302, 303, 307 or 308, but this one \""
                            + status
                            + "\"");
        }
    }

    private static boolean isPath(String to) {
        // Browsers read a backslash as a slash, so "/\" begins a host, too.
        return to.startsWith("/") && !to.startsWith("//") && isPlain(to);
    }

    private static boolean isPlain(String to) {
        return to.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\' && c != '"');
    }

    /// Returns an address with the query of a request at its end.
    static String withQuery(String to, @Nullable String query) {
        return query == null ? to : to + (to.indexOf('?') < 0 ? '?' : '&') + query;
    }

    /// Answers. `$host` as the host of a URL is the name in the request, without its port.
    void send(Exchange x, String to) {
        String address = to;
        int hostAt = to.indexOf("://") + 3;
        if (!to.startsWith("/") && to.startsWith(HOST, hostAt)) {
            String host = host(x.connection().authority(x.request()));
            if (host.isEmpty()) {
                x.refuse(
                        Status.BAD_REQUEST,
                        Fields.EMPTY,
                        "This address needs a request with the field Host.");
                return;
            }
            address = to.substring(0, hostAt) + host + to.substring(hostAt + HOST.length());
        }
        Fields fields = Fields.of(FieldName.LOCATION, address);
        x.response().send(new ResponseHead(status, fields, 0), Body.Empty.EMPTY);
    }

    /// Returns the host without its port. The codec has checked its characters.
    private static String host(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon < 0 || authority.indexOf(']', colon) >= 0
                ? authority
                : authority.substring(0, colon);
    }
}
