package dev.serval.servlet.security;

import dev.serval.servlet.request.AppRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Tells whether another site has made the browser send a request, as far as the browser says so.
/// Browsers send Sec-Fetch-Site to trustworthy URLs only (Fetch Metadata Request Headers §2.4), which
/// those of plain HTTP are not. Origin comes with each POST of a form (Fetch standard §3.2).
final class RequestOrigin {
    private RequestOrigin() {}

    /// Returns whether one of these fields names another site, or hides it.
    static boolean isForeign(AppRequest request) {
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return true;
        }
        @Nullable String origin = request.getHeader("Origin");
        return origin != null && !isOf(origin, request.head().authority());
    }

    /// Returns whether an origin has the host and the port of a request. A proxy may have ended its
    /// encryption, so the scheme does not count, and a port that is missing is that of the origin's
    /// scheme.
    ///
    /// @param origin the value of the field, such as `https://shop.example`
    /// @param authority host and port of the request
    static boolean isOf(String origin, String authority) {
        int end = origin.indexOf("://");
        if (end < 0) {
            return false; // such as null
        }
        String usual =
                switch (origin.substring(0, end).toLowerCase(Locale.ROOT)) {
                    case "http" -> ":80";
                    case "https" -> ":443";
                    default -> "";
                };
        String sent = without(origin.substring(end + 3), usual);
        return !sent.isEmpty() && sent.equalsIgnoreCase(without(authority, usual));
    }

    private static String without(String authority, String port) {
        return authority.endsWith(port)
                ? authority.substring(0, authority.length() - port.length())
                : authority;
    }
}
