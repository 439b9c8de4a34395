package dev.serval.servlet.login;

import dev.serval.servlet.request.Identity;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.session.SessionFacade;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps who has logged in with the session, as texts, so that any store of sessions can keep it.
/// A login gives the session a new id, because an attacker may have given the client the old one
/// (session fixation).
public final class SessionLogin {
    private static final String LOGIN = "login"; // scheme, name, roles
    private static final String OWNER = "owner"; // the name of the last user
    private static final int ROLES_AT = 2;

    private SessionLogin() {}

    /// Returns who has logged in.
    public static Identity find(ServletExchange exchange) {
        @Nullable SessionFacade session = session(exchange, false);
        if (session == null || !(session.held(LOGIN) instanceof String[] parts)) {
            return Identity.ANONYMOUS;
        }
        List<String> roles = Arrays.asList(parts).subList(ROLES_AT, parts.length);
        return new Identity(new UserPrincipal(parts[1]), Set.copyOf(roles), parts[0]);
    }

    /// Remembers a login for the next requests.
    public static void keep(ServletExchange exchange, Identity user) {
        @Nullable Principal principal = user.principal();
        @Nullable String scheme = user.scheme();
        if (principal == null || scheme == null) {
            throw new IllegalArgumentException("The user has not logged in");
        }
        boolean committed = exchange.response().isCommitted();
        @Nullable SessionFacade present = session(exchange, !committed);
        if (present == null) {
            return; // the client cannot learn of a session, so the login is for this request
        }
        if (!own(exchange, present, principal.getName())) {
            return; // as above
        }
        String[] parts = new String[ROLES_AT + user.roles().size()];
        parts[0] = scheme;
        parts[1] = principal.getName();
        int at = ROLES_AT;
        for (String role : user.roles()) {
            parts[at++] = role;
        }
        present.hold(LOGIN, parts);
    }

    /// Records that the session of the request, or the one that it creates, is used by a user who
    /// sends credentials with each request.
    static void use(ServletExchange exchange, Identity user) {
        @Nullable SessionFacade present = session(exchange, false);
        @Nullable Principal principal = user.principal();
        if (principal == null) {
            return;
        }
        if (present != null) {
            boolean _ = own(exchange, present, principal.getName());
        }
        // Only the client of this request will know its id, so the next request need not change it.
        exchange.sessions().holdWhenCreated(OWNER, principal.getName());
    }

    /// Gives a session that changes hands a new id.
    ///
    /// @return whether the session belongs to the user now; if not, the response is committed, so
    ///     that the client cannot learn of a new id
    private static boolean own(ServletExchange exchange, SessionFacade session, String name) {
        if (name.equals(session.held(OWNER))) {
            return true;
        }
        boolean known = exchange.request().getRequestedSessionId() != null; // the id, by a client
        if (known && exchange.response().isCommitted()) {
            return false;
        }
        // Of several requests, one changes the id: the client may get the answers in any order.
        if (session.claim(OWNER, name) && known) {
            exchange.sessions().changeIdOfHome();
        }
        return true;
    }

    /// Forgets the login.
    public static void drop(ServletExchange exchange) {
        exchange.sessions().holdWhenCreated("", "");
        @Nullable SessionFacade present = session(exchange, false);
        if (present != null) {
            present.hold(LOGIN, null);
            present.hold(OWNER, null);
        }
    }

    /// Returns the session that keeps the login: that of the application whose constraints count.
    static @Nullable SessionFacade session(ServletExchange exchange, boolean create) {
        return exchange.sessions().ofHome(create);
    }
}
