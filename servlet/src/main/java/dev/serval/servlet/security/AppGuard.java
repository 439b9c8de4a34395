package dev.serval.servlet.security;

import dev.serval.servlet.login.Answers;
import dev.serval.servlet.login.Authenticator;
import dev.serval.servlet.login.CertificateLogin;
import dev.serval.servlet.login.FormLogin;
import dev.serval.servlet.login.SessionLogin;
import dev.serval.servlet.password.Verdict;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.Guard;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks the requests of one application: the connection, the user, the roles (Servlet 6.1
/// §13.8.3). Only requests of clients are checked, not what a servlet forwards to or includes
/// (§13.2). Immutable. [#admission] runs on a loop, all else on the request's thread.
public final class AppGuard implements Guard {
    private static final int HTTPS_PORT = 443;

    private final @Nullable ConstraintTable table;
    private final Authenticator authenticator;
    private final @Nullable Verifier verifier;
    private final Set<String> roles;
    private final int httpsPort;

    /// Creates a guard.
    ///
    /// @param table null if there are no constraints
    /// @param authenticator the login that the application declares, or that it declares none
    /// @param verifier null if the server has no users
    /// @param roles all roles of the application
    /// @param httpsPort to which requests are redirected that need encryption; 0 to refuse them
    AppGuard(
            @Nullable ConstraintTable table,
            Authenticator authenticator,
            @Nullable Verifier verifier,
            Set<String> roles,
            int httpsPort) {
        this.table = table;
        this.authenticator = authenticator;
        this.verifier = verifier;
        this.roles = Set.copyOf(roles);
        this.httpsPort = httpsPort;
    }

    /// Returns the check of a request; null if it needs none. Reads no more than a table, so a loop
    /// may call it.
    ///
    /// @param path from the context root in normal form, as the servlet was found by it
    public @Nullable Admission admission(String path) {
        if (authenticator instanceof FormLogin form && path.endsWith(FormLogin.ACTION)) {
            return exchange -> loginOrAdmit(form, path, exchange);
        }
        @Nullable Protection one = protection(path);
        return one == null ? null : exchange -> admit(one, exchange);
    }

    /// Returns the check of a request for a folder, which a welcome file answers. The constraints of
    /// both apply, because clients reach the file by both paths.
    public @Nullable Admission admission(String path, List<String> welcomePaths) {
        List<Protection> all = new ArrayList<>();
        @Nullable Protection own = protection(path);
        if (own != null) {
            all.add(own);
        }
        for (String welcome : welcomePaths) {
            @Nullable Protection one = protection(welcome);
            if (one != null) {
                all.add(one);
            }
        }
        return all.isEmpty() ? null : exchange -> admit(all, exchange);
    }

    /// Returns whether the application has constraints.
    public boolean hasConstraints() {
        return table != null;
    }

    private @Nullable Protection protection(String path) {
        return table == null ? null : table.protection(path);
    }

    /// A login page posts to its own folder, whatever roles its constraints demand (§13.6.3.1). But
    /// they apply to the connection, which carries the password.
    private boolean loginOrAdmit(FormLogin form, String path, ServletExchange exchange)
            throws ServletException, IOException {
        @Nullable Protection one = protection(path);
        String method = exchange.request().getMethod();
        if (!method.equals("POST")) {
            return one == null || admit(one, exchange);
        }
        if (one == null || isEncryptedEnough(one.access(method), exchange)) {
            form.check(exchange);
        }
        return false;
    }

    private boolean admit(List<Protection> all, ServletExchange exchange)
            throws ServletException, IOException {
        for (Protection one : all) {
            if (!admit(one, exchange)) {
                return false;
            }
        }
        return true;
    }

    private boolean admit(Protection one, ServletExchange exchange)
            throws ServletException, IOException {
        if (authenticator instanceof FormLogin form) {
            form.replay(exchange);
        }
        return admit(one.access(exchange.request().getMethod()), exchange);
    }

    private boolean admit(Access access, ServletExchange exchange)
            throws ServletException, IOException {
        HttpServletResponse response = exchange.response();
        if (!isEncryptedEnough(access, exchange)) {
            return false;
        }
        if (access.needsUser() && !isKnown(exchange, response)) {
            return false;
        }
        if (!access.allows(exchange.identity().roles())) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return false;
        }
        if (access.needsUser()) {
            // A shared cache knows only the field Authorization, not sessions (RFC 9111 §3.5).
            response.setHeader("Cache-Control", "private");
        }
        return true;
    }

    /// Returns whether the connection may carry the request; if not, answers it.
    private boolean isEncryptedEnough(Access access, ServletExchange exchange) throws IOException {
        if (access.confidential() && !exchange.request().isSecure()) {
            encrypt(exchange);
            return false;
        }
        return true;
    }

    private boolean isKnown(ServletExchange exchange, HttpServletResponse response)
            throws ServletException, IOException {
        if (!exchange.identity().isAnonymous()) {
            return true; // by the session, or by another constraint of this request
        }
        return authenticator.authenticate(exchange, response, true);
    }

    /// Redirects a request to the encrypted port. A request with content has already been sent in
    /// the clear, so it is refused, and its author can learn of that.
    private void encrypt(ServletExchange exchange) throws IOException {
        AppRequest request = exchange.request();
        String method = request.getMethod();
        if (httpsPort == 0 || !(method.equals("GET") || method.equals("HEAD"))) {
            exchange.response()
                    .sendError(
                            HttpServletResponse.SC_FORBIDDEN,
                            "This page is only served over HTTPS.");
            return;
        }
        @Nullable String query = request.getQueryString();
        exchange.response()
                .sendRedirect(
                        "https://"
                                + request.getServerName()
                                + (httpsPort == HTTPS_PORT ? "" : ":" + httpsPort)
                                + request.getRequestURI()
                                + (query == null ? "" : "?" + query));
    }

    // For the application

    @Override
    public Identity remembered(ServletExchange exchange) {
        return verifier == null || exchange.request().getRequestedSessionId() == null
                ? Identity.ANONYMOUS
                : SessionLogin.find(exchange);
    }

    @Override
    public boolean isInRole(ServletExchange exchange, Identity user, String role) {
        if (user.isAnonymous() || role.equals(Access.ALL_ROLES)) {
            return false; // Javadoc of isUserInRole
        }
        String linked = exchange.view().servlet().roleLinks().getOrDefault(role, role);
        if (linked.equals(Access.ALL_USERS) && !roles.contains(Access.ALL_USERS)) {
            return true;
        }
        return user.roles().contains(linked);
    }

    @Override
    public boolean authenticate(ServletExchange exchange, HttpServletResponse response)
            throws ServletException, IOException {
        if (authenticator instanceof Authenticator.Undeclared) {
            throw new ServletException(
                    "The application declares no way to log in: add a login-config to web.xml");
        }
        if (response.isCommitted()) {
            throw new IllegalStateException(
                    "The response is committed, so it cannot ask the client to log in");
        }
        return authenticator.authenticate(exchange, response, false);
    }

    @Override
    public void login(ServletExchange exchange, @Nullable String name, @Nullable String password)
            throws ServletException {
        if (!exchange.identity().isAnonymous()) {
            throw new ServletException(
                    "A user has logged in already: call logout before another login");
        }
        boolean takesPasswords =
                !(authenticator instanceof Authenticator.NoLogin
                        || authenticator instanceof CertificateLogin);
        if (verifier == null || !takesPasswords) {
            throw new ServletException(
                    "No user can log in by name and password: start the server with users, such as"
                            + " serval run --users FILE, and declare BASIC, DIGEST or FORM");
        }
        String address = exchange.request().getRemoteAddr();
        Verdict verdict =
                name == null || password == null
                        ? new Verdict.Rejected()
                        : verifier.verify(name, password, address);
        @Nullable Identity user = Answers.identity(verdict, authenticator.scheme());
        if (user == null) {
            throw new ServletException(
                    switch (verdict) {
                        case Verdict.Accepted _, Verdict.Rejected _, Verdict.Stale _ ->
                                "The name or the password is wrong";
                        case Verdict.Refused _, Verdict.Unavailable _ ->
                                "The password cannot be checked now: try again later";
                    });
        }
        SessionLogin.keep(exchange, user);
        exchange.identity(user);
        if (authenticator instanceof FormLogin form) {
            @Nullable String _ = form.proceed(exchange);
        }
    }

    @Override
    public void logout(ServletExchange exchange) {
        SessionLogin.drop(exchange);
        exchange.identity(Identity.ANONYMOUS);
    }
}
