package dev.serval.servlet.session;

import dev.serval.servlet.descriptor.SessionDescription;
import jakarta.servlet.SessionTrackingMode;
import java.util.EnumSet;
import java.util.Set;

/// How the id of a session travels (Servlet 6.1 §7.1). Immutable.
///
/// Cookie and URL are both on unless the application declares its modes. §7.1.4 requires sessions
/// for clients without cookies, and applications that call `encodeURL` expect them. A URL shows the
/// id to logs and other sites. So [#rewrites] limits it to clients that sent no cookie, and
/// [SessionUrl] limits it to URLs of the application.
///
/// @param byCookie whether a cookie carries the id
/// @param byUrl whether a path parameter of the URL carries the id
public record SessionTracking(boolean byCookie, boolean byUrl) {
    /// Returns the tracking that the application declares.
    ///
    /// @throws IllegalArgumentException if it declares tracking by the TLS session, which is not
    ///     supported
    public static SessionTracking of(SessionDescription description) {
        Set<SessionTrackingMode> modes = description.tracking();
        if (modes.contains(SessionTrackingMode.SSL)) {
            throw new IllegalArgumentException(
                    "The tracking mode SSL in session-config is not supported; declare COOKIE or"
                            + " URL");
        }
        return modes.isEmpty()
                ? new SessionTracking(true, true)
                : new SessionTracking(
                        modes.contains(SessionTrackingMode.COOKIE),
                        modes.contains(SessionTrackingMode.URL));
    }

    /// Returns the modes in effect, as ServletContext reports them.
    public Set<SessionTrackingMode> modes() {
        Set<SessionTrackingMode> modes = EnumSet.noneOf(SessionTrackingMode.class);
        if (byCookie) {
            modes.add(SessionTrackingMode.COOKIE);
        }
        if (byUrl) {
            modes.add(SessionTrackingMode.URL);
        }
        return modes;
    }

    /// Returns whether URLs of the response carry the id.
    ///
    /// @param cameByCookie whether the request carried a session's id in a cookie, valid or not
    public boolean rewrites(boolean cameByCookie) {
        return byUrl && !cameByCookie;
    }
}
