package dev.serval.servlet.request;

import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionIds;
import dev.serval.servlet.session.SessionUrl;
import jakarta.servlet.http.Cookie;
import java.util.ArrayList;
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
    private volatile List<AppScope> absent = List.of(); // where the client's id has no session
    private List<Use> told = List.of(); // to the client, by a cookie of this response
    private Origin origin = Origin.UNKNOWN;
    private List<String> candidates = List.of(); // of several cookies, until one of them is chosen
    private @Nullable String requestedId;
    private String heldName = ""; // of what sessions hold that the request creates; empty for none
    private String heldValue = "";

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

    /// Returns the request's session in the application that received the request, which keeps the
    /// login whatever application is called now.
    ///
    /// @param create whether to create one if there is none
    public @Nullable SessionFacade ofHome(boolean create) {
        exchange.lifetime().check();
        return session(home, create);
    }

    private @Nullable SessionFacade session(AppScope app, boolean create) {
        @Nullable SessionFacade known = known(app);
        if (known != null) {
            if (known.isValid()) {
                return known;
            }
            forget(known);
        }
        @Nullable SessionFacade found = absent.contains(app) ? null : joined(app);
        return found == null && create ? create(app) : found;
    }

    /// Joins the session that the client named, and remembers if there is none. No session can get
    /// that id later, because the server draws the ids.
    ///
    /// @return null if there is none
    private @Nullable SessionFacade joined(AppScope app) {
        @Nullable String id = requestedId();
        @Nullable SessionFacade chosen = known(app);
        if (chosen != null) {
            return chosen;
        }
        @Nullable SessionFacade found = id == null ? null : app.sessions().join(id);
        if (found == null) {
            absent = Stream.concat(absent.stream(), Stream.of(app)).toList();
            return null;
        }
        return held(app, found);
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
        if (!heldName.isEmpty()) {
            created.hold(heldName, heldValue);
        }
        tell(app, created);
        return created;
    }

    /// Sets the cookie of a session that is new or has a new id.
    private void tell(AppScope app, SessionFacade session) {
        if (app.tracking().byCookie()) {
            Stream<Use> others = told.stream().filter(use -> !use.app().equals(app));
            told = Stream.concat(others, Stream.of(new Use(app, session))).toList();
            exchange.response().sessionCookie(app, session.getId());
        }
    }

    /// Sets the cookies of sessions again, after the fields of the response were removed.
    void tellAgain() {
        for (Use use : told) {
            if (use.session().isValid()) {
                exchange.response().sessionCookie(use.app(), use.session().getId());
            }
        }
    }

    /// Has each session that the request creates from now on hold a value.
    ///
    /// @param name empty for none
    public void holdWhenCreated(String name, String value) {
        heldName = name;
        heldValue = value;
    }

    /// Records that the request belongs to the client's session, although nothing of it is used, as for
    /// a file. So a session in memory is neither read from a database nor stored for each request.
    public void access() {
        @Nullable String id = requestedId();
        if (id != null && known(home) == null && !home.sessions().access(id)) {
            @Nullable SessionFacade _ = session(home, /* create */ false);
        }
    }

    /// Gives the session another id.
    ///
    /// @throws IllegalStateException if there is no session
    String changeId() {
        return changeId(exchange.view().app());
    }

    /// Gives the session of the application that received the request another id.
    ///
    /// @throws IllegalStateException if there is no session
    public void changeIdOfHome() {
        String _ = changeId(home);
    }

    private String changeId(AppScope app) {
        @Nullable SessionFacade present = session(app, false);
        if (present == null) {
            throw new IllegalStateException(
                    "The request has no session whose id could be changed: call getSession first");
        }
        String id = present.changeId();
        tell(app, present);
        return id;
    }

    /// Returns the id that the client named; null if it named none. Of several cookies, the first
    /// counts whose session exists, else the first.
    @Nullable String requestedId() {
        Origin _ = origin();
        if (!candidates.isEmpty()) {
            requestedId = chosen(candidates);
            candidates = List.of();
        }
        return requestedId;
    }

    private String chosen(List<String> ids) {
        for (String id : ids) {
            @Nullable SessionFacade found = home.sessions().join(id);
            if (found != null) {
                SessionFacade _ = held(home, found);
                return id;
            }
        }
        return ids.getFirst();
    }

    boolean isFromCookie() {
        return origin() == Origin.COOKIE;
    }

    boolean isFromUrl() {
        return origin() == Origin.URL;
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

    /// Returns the id that URLs must carry; null if they need none. A page asks for each of its
    /// links, so most requests are answered without a look-up.
    @Nullable String idForUrls() {
        AppScope app = exchange.view().app();
        if (!app.tracking().rewrites(isFromCookie())) {
            return null;
        }
        @Nullable SessionFacade present = known(app);
        if (present == null) {
            present = session(app, false);
        }
        return present != null && present.isValid() ? present.getId() : null;
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

    /// Returns where the id came from.
    private Origin origin() {
        if (origin == Origin.UNKNOWN) {
            origin = found(home);
        }
        return origin;
    }

    private Origin found(AppScope app) {
        if (app.tracking().byCookie()) {
            List<String> values = values(app.sessionCookie().name());
            List<String> ids = SessionIds.wellFormed(values);
            if (!values.isEmpty()) {
                requestedId = ids.isEmpty() ? values.getFirst() : ids.getFirst();
                candidates = ids.size() > 1 ? ids : List.of();
                return Origin.COOKIE;
            }
        }
        if (app.tracking().byUrl()) {
            SessionUrl url = app.sessionUrl();
            requestedId =
                    url.idOf(
                            exchange.lifetime()
                                    .own(RequestTarget.rawPath(exchange.request().head())));
        }
        return requestedId == null ? Origin.NONE : Origin.URL;
    }

    private List<String> values(String cookieName) {
        List<String> values = new ArrayList<>();
        for (Cookie cookie : exchange.request().cookies()) {
            if (cookie.getName().equals(cookieName)) {
                values.add(cookie.getValue());
            }
        }
        return values;
    }

    /// Ends the use of a session that has ended.
    ///
    /// @throws dev.serval.servlet.session.SessionUnavailableException if other servers still accept it
    private void forget(SessionFacade session) {
        if (taken(session)) {
            try {
                session.save();
            } finally {
                session.release();
            }
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
