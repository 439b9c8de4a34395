package dev.serval.servlet.request;

import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionUrl;
import jakarta.servlet.http.Cookie;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The sessions of a request: one for each application that it is dispatched to (Servlet 6.1 §7.3).
/// Finds the session that the client named, and creates sessions.
///
/// Owned as its exchange. The request may end while a thread of the application waits for a session
/// here, so a short lock guards the uses: each of them is released once, by the thread that takes it
/// from the list or cannot add it any more.
public final class RequestSessions {
    /// Where the id came from.
    private enum Origin {
        UNKNOWN,
        NONE,
        COOKIE,
        URL
    }

    /// A session and its application.
    private record Use(AppScope app, SessionFacade session) {}

    private final ServletExchange exchange;
    private final AppScope home;
    private volatile List<Use> uses = List.of(); // never changed; replaced under the lock
    private Origin origin = Origin.UNKNOWN;
    private @Nullable String requestedId;

    /// Creates the sessions of a request that has none yet.
    ///
    /// @param home the application that received the request
    RequestSessions(ServletExchange exchange, AppScope home) {
        this.exchange = exchange;
        this.home = home;
    }

    /// Returns the request's session in the application that is called now.
    ///
    /// @param create whether to create one if there is none
    @Nullable SessionFacade session(boolean create) {
        return session(exchange.view().app(), create);
    }

    private @Nullable SessionFacade session(AppScope app, boolean create) {
        @Nullable SessionFacade known = known(app);
        if (known != null) {
            if (known.isValid()) {
                return known;
            }
            forget(known);
        }
        @Nullable String id = requestedId();
        @Nullable SessionFacade found = id == null ? null : app.sessions().join(id);
        if (found != null) {
            return held(app, found);
        }
        return create ? create(app) : null;
    }

    /// Holds a use until the request ends.
    ///
    /// @throws IllegalStateException if the request has ended while the session was looked up
    private SessionFacade held(AppScope app, SessionFacade session) {
        if (!added(new Use(app, session))) {
            session.release(); // here, because the end of the request has passed by
            exchange.lifetime().check();
        }
        return session;
    }

    private synchronized boolean added(Use use) {
        if (exchange.lifetime().hasEnded()) {
            return false;
        }
        List<Use> present = uses;
        uses =
                present.isEmpty()
                        ? List.of(use)
                        : Stream.concat(present.stream(), Stream.of(use)).toList();
        return true;
    }

    private SessionFacade create(AppScope app) {
        if (exchange.response().isCommitted()) {
            throw new IllegalStateException(
                    "A session cannot be created after the response was committed, because the"
                            + " client would not learn of it");
        }
        if (!app.equals(home)) {
            // The client returns the cookie of the application that received the request.
            @Nullable SessionFacade first = session(home, true);
            if (first != null) {
                return held(app, app.sessions().createShared(first.getId()));
            }
        }
        SessionFacade created = held(app, app.sessions().create());
        if (app.tracking().byCookie()) {
            exchange.response().sessionCookie(app, created.getId());
        }
        return created;
    }

    /// Gives the session another id.
    ///
    /// @throws IllegalStateException if there is no session
    String changeId() {
        @Nullable SessionFacade present = session(false);
        if (present == null) {
            throw new IllegalStateException(
                    "The request has no session whose id could be changed: call getSession first");
        }
        String id = present.changeId();
        AppScope app = exchange.view().app();
        if (app.tracking().byCookie()) {
            exchange.response().sessionCookie(app, id);
        }
        return id;
    }

    /// Returns the id that the client named; null if it named none.
    @Nullable String requestedId() {
        if (origin == Origin.UNKNOWN) {
            find(home);
        }
        return requestedId;
    }

    boolean isFromCookie() {
        return requestedId() != null && origin == Origin.COOKIE;
    }

    boolean isFromUrl() {
        return requestedId() != null && origin == Origin.URL;
    }

    /// Returns whether the id that the client named is that of a live session.
    boolean isRequestedIdValid() {
        @Nullable String id = requestedId();
        if (id == null) {
            return false;
        }
        @Nullable SessionFacade present = session(false);
        return present != null && present.getId().equals(id);
    }

    /// Returns the id that URLs must carry; null if they need none.
    @Nullable String idForUrls() {
        @Nullable SessionFacade present = known(exchange.view().app());
        if (present == null) {
            present = session(false);
        }
        return present != null
                        && present.isValid()
                        && exchange.view().app().tracking().rewrites(isFromCookie())
                ? present.getId()
                : null;
    }

    /// Stores the request's sessions, if their stores do so at the end of requests.
    void save() {
        uses.forEach(use -> use.session().save());
    }

    /// Ends the request's use of its sessions. The lifetime of the request must have ended before, so
    /// that no use is added later.
    void release() {
        takeAll().forEach(use -> use.session().release());
    }

    private synchronized List<Use> takeAll() {
        List<Use> taken = uses;
        uses = List.of();
        return taken;
    }

    private void find(AppScope app) {
        origin = Origin.NONE;
        if (app.tracking().byCookie()) {
            String name = app.sessionCookie().name();
            for (Cookie cookie : exchange.request().cookies()) {
                if (cookie.getName().equals(name)) {
                    requestedId = cookie.getValue();
                    origin = Origin.COOKIE;
                    // The path is the more specific one of two cookies, and it comes first.
                    return;
                }
            }
        }
        if (app.tracking().byUrl()) {
            SessionUrl url = app.sessionUrl();
            requestedId =
                    url.idOf(
                            exchange.lifetime()
                                    .own(RequestTarget.rawPath(exchange.request().head())));
            origin = requestedId == null ? Origin.NONE : Origin.URL;
        }
    }

    private void forget(SessionFacade session) {
        if (taken(session)) {
            session.release();
        }
    }

    private synchronized boolean taken(SessionFacade session) {
        List<Use> others = uses.stream().filter(use -> !use.session().equals(session)).toList();
        boolean found = others.size() < uses.size();
        uses = others;
        return found;
    }

    private @Nullable SessionFacade known(AppScope app) {
        for (Use use : uses) {
            if (use.app().equals(app)) {
                return use.session();
            }
        }
        return null;
    }
}
