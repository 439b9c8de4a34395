package dev.serval.servlet.request;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.servlet.cookie.SetCookie;
import dev.serval.servlet.session.SessionCookie;
import jakarta.servlet.http.Cookie;

/// The field Set-Cookie that tells a client the id of its session (Servlet 6.1 §7.1.1). Stateless.
final class SessionCookieField {
    private SessionCookieField() {}

    /// Returns the fields with the cookie, in place of a session cookie that was set before.
    static Fields replaced(Fields fields, SessionCookie session, String id, long nowSeconds) {
        String prefix = session.name() + "=";
        Fields kept = new Fields();
        for (int i = 0; i < fields.size(); i++) {
            boolean replaced =
                    FieldName.SET_COOKIE.equals(fields.known(i))
                            && fields.value(i).startsWith(prefix);
            if (!replaced) {
                kept.add(fields.name(i), fields.value(i));
            }
        }
        return kept.add(FieldName.SET_COOKIE, SetCookie.text(cookie(session, id), nowSeconds));
    }

    private static Cookie cookie(SessionCookie session, String id) {
        Cookie cookie = new Cookie(session.name(), id);
        cookie.setPath(session.path());
        if (session.domain() != null) {
            cookie.setDomain(session.domain());
        }
        cookie.setMaxAge(session.maxAgeSeconds());
        cookie.setSecure(session.secure());
        cookie.setHttpOnly(session.httpOnly());
        cookie.setAttribute("SameSite", session.sameSite());
        session.others().forEach(cookie::setAttribute);
        return cookie;
    }
}
