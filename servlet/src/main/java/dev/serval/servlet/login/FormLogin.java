package dev.serval.servlet.login;

import dev.serval.http.RequestHead;
import dev.serval.servlet.descriptor.SecurityDescription.Login;
import dev.serval.servlet.password.Verdict;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.AppScope;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import dev.serval.servlet.session.SessionFacade;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// FORM: a page asks for name and password (Servlet 6.1 §13.6.3): the application's, or [LoginPage].
///
/// ```
///   request ──▶ saved, login page ──▶ POST j_security_check ──▶ 303 to the request's path
///                     ▲                     │ wrong                     │ GET
///                     └── error page ◀──────┘                           ▼
///                                                        the saved request continues
/// ```
///
/// Only the path of a request is kept that has no content, and of those whose content is too long
/// or that another site has made the browser send. They continue as a GET, and so
/// do those of a session whose id came from the URL, because an attacker may have made both.
public final class FormLogin implements Authenticator {
    public static final String SCHEME = "FORM";

    /// The last segment of the path that a login page posts to.
    public static final String ACTION = "/j_security_check";

    private static final String SAVED = "saved"; // target or, if it is long, nothing; key
    private static final String CONTINUES = "continues"; // the same, after the login
    private static final String NO_KEY = "";

    /// The longest target that a session keeps. Sessions outnumber the saved requests.
    private static final int TARGET_MAX_CHARS = 1_024;

    private final Verifier verifier;
    private final Login config;
    private final SavedRequests saved;
    private final Supplier<String> keys;

    public FormLogin(Verifier verifier, Login config, Supplier<String> keys) {
        this.verifier = verifier;
        this.config = config;
        this.keys = keys;
        this.saved = new SavedRequests(verifier.limits().savedAllMaxBytes());
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public boolean authenticate(
            ServletExchange exchange, HttpServletResponse response, boolean protects)
            throws ServletException, IOException {
        if (!exchange.identity().isAnonymous()) {
            return true;
        }
        if (isNavigation(exchange.request())) {
            save(exchange, protects);
        }
        show(config.loginPage(), exchange, response, false);
        return false;
    }

    /// Returns whether the browser shows the answer as a page, as far as it says so. The images of
    /// a login page must not take the place of the page that the user wants.
    private static boolean isNavigation(AppRequest request) {
        @Nullable String mode = request.getHeader("Sec-Fetch-Mode");
        return mode == null || mode.equals("navigate");
    }

    private void save(ServletExchange exchange, boolean protects) throws IOException {
        AppRequest request = exchange.request();
        String target = target(exchange);
        // The content of an unprotected path could not continue, because no check sees it. A
        // listener may
        // have read it before the login was asked for.
        boolean whole =
                protects
                        && !request.getMethod().equals("GET")
                        && !request.getMethod().equals("HEAD")
                        && !request.hasUsedContent()
                        && !isForeign(request);
        byte @Nullable [] content = whole ? content(request) : null;
        boolean isLong = target.length() > TARGET_MAX_CHARS;
        String key = content == null && !isLong ? NO_KEY : keys.get();
        if (content != null) {
            saved.put(
                    key,
                    new SavedRequest(
                            request.getMethod(),
                            target,
                            SavedRequest.kept(request.head().fields()),
                            content));
            request.replace(request.head(), content);
        } else if (isLong) {
            saved.put(key, SavedRequest.ofTarget(target));
        }
        @Nullable SessionFacade session = SessionLogin.session(exchange, true);
        if (session != null) {
            forget(session, SAVED);
            forget(session, CONTINUES);
            session.hold(SAVED, new String[] {isLong ? "" : target, key});
        }
    }

    /// Returns whether another site has made the browser send a request, as far as the browser says
    /// so. It sends Sec-Fetch-Site to trustworthy URLs only (Fetch Metadata Request Headers §2.4),
    /// which those of plain HTTP are not. Origin comes with each POST of a form (Fetch standard §3.2),
    /// but is null if the page has Referrer-Policy: no-referrer, so it decides only alone.
    private static boolean isForeign(AppRequest request) {
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        @Nullable String origin = request.getHeader("Origin");
        return origin != null && !isOf(origin, request.authority());
    }

    /// Returns whether an origin has the host and the port of a request. A proxy may have ended its
    /// encryption, so the scheme does not count, and a port that is missing is that of the origin's
    /// scheme.
    ///
    /// @param origin the value of the field, such as `https://shop.example`
    /// @param authority host and port of the request
    private static boolean isOf(String origin, String authority) {
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

    /// Returns the target of the request that waits for the login; null if it was dropped.
    private @Nullable String savedTarget(String[] parts) {
        return parts[0].isEmpty() ? saved.target(parts[1]) : parts[0];
    }

    private void forget(SessionFacade session, String name) {
        if (session.held(name) instanceof String[] before) {
            session.hold(name, null);
            SavedRequest _ = saved.take(before[1]);
        }
    }

    /// Returns path and query as the client sent them, even if a dispatch has led elsewhere, but
    /// without the id of a session, which the login changes. A path with two slashes at its beginning
    /// would be a URL of another server in a redirect.
    private static String target(ServletExchange exchange) {
        View reached = exchange.reached();
        AppScope app = reached.app();
        String sent = reached.requestUri();
        String path = app.tracking().byUrl() ? app.sessionUrl().withoutId(sent) : sent;
        int from = 0;
        while (from + 1 < path.length() && isSlash(path.charAt(from + 1))) {
            from++;
        }
        @Nullable String query = reached.query();
        return "/"
                + path.substring(Math.min(from + 1, path.length()))
                + (query == null ? "" : "?" + query);
    }

    private static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    /// Reads the whole content.
    ///
    /// @return null if it is longer than the limit
    private byte @Nullable [] content(AppRequest request) throws IOException {
        int max = verifier.limits().savedMaxBytes();
        if (request.getContentLengthLong() > max) {
            return null; // not read, so the login page may read it
        }
        byte[] content = request.getInputStream().readNBytes(max + 1);
        return content.length > max ? null : content;
    }

    /// Continues the saved request, if the request of the client is the one that the redirect
    /// after the login asked for. Another request that comes first ends this.
    public void replay(ServletExchange exchange) {
        AppRequest request = exchange.request();
        if (request.getRequestedSessionId() == null) {
            return;
        }
        @Nullable SessionFacade session = SessionLogin.session(exchange, false);
        if (session == null || !(session.held(CONTINUES) instanceof String[] parts)) {
            return;
        }
        session.hold(CONTINUES, null);
        @Nullable String waiting = savedTarget(parts);
        @Nullable SavedRequest found = saved.take(parts[1]);
        if (found == null
                || !found.hasContent()
                || !request.getMethod().equals("GET")
                || !target(exchange).equals(waiting)
                || exchange.identity().isAnonymous()) {
            return;
        }
        @Nullable RequestHead head = found.head(request.head());
        if (head != null) {
            request.replace(head, found.content());
        }
    }

    /// Lets the saved request of the session continue, because its user has logged in. If the
    /// session's id came from the URL, another client may have saved the request to have this user
    /// send it, so only its target is left.
    ///
    /// @return its target; null if there is none
    @Nullable
    public String proceed(ServletExchange exchange) {
        @Nullable SessionFacade session = SessionLogin.session(exchange, false);
        if (session == null || !(session.held(SAVED) instanceof String[] parts)) {
            return null;
        }
        @Nullable String waiting = savedTarget(parts);
        if (exchange.request().isRequestedSessionIdFromURL() || waiting == null) {
            forget(session, SAVED);
            return waiting;
        }
        session.hold(SAVED, null);
        if (!parts[1].equals(NO_KEY)) {
            session.hold(CONTINUES, parts);
        }
        return waiting;
    }

    /// Answers a POST of the login page.
    public void check(ServletExchange exchange) throws ServletException, IOException {
        AppRequest request = exchange.request();
        HttpServletResponse response = exchange.response();
        @Nullable String name = request.getParameter("j_username");
        @Nullable String password = request.getParameter("j_password");
        Verdict verdict =
                name == null || password == null
                        ? new Verdict.Rejected()
                        : verifier.verify(name, password, request.getRemoteAddr());
        @Nullable Identity user = Answers.identity(verdict, SCHEME);
        if (user == null) {
            if (!Answers.refused(verdict, response)) {
                show(config.errorPage(), exchange, response, true);
            }
            return;
        }
        exchange.identity(user);
        SessionLogin.keep(exchange, user);
        @Nullable String waiting = proceed(exchange);
        String target = waiting == null ? request.getContextPath() + "/" : waiting;
        response.setHeader("Cache-Control", "no-store");
        boolean old = request.getProtocol().equals("HTTP/1.0"); // which has no 303 (RFC 1945 §9.3)
        response.sendRedirect(
                response.encodeRedirectURL(target),
                old ? HttpServletResponse.SC_FOUND : HttpServletResponse.SC_SEE_OTHER,
                true);
    }

    /// Shows a page of the application, or the server's if it has none.
    private static void show(
            String page, ServletExchange exchange, HttpServletResponse response, boolean failed)
            throws ServletException, IOException {
        if (page.isEmpty()) {
            LoginPage.answer(exchange.request(), response, failed);
            return;
        }
        @Nullable RequestDispatcher dispatcher =
                exchange.request().getServletContext().getRequestDispatcher(page);
        if (dispatcher == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        response.setHeader("Cache-Control", "no-store"); // it stands in place of another page
        dispatcher.forward(new LoginPage.AsGet(exchange.request()), response);
    }
}
