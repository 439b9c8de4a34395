package dev.serval.servlet.app;

import dev.serval.blocking.BlockingExchange;
import dev.serval.blocking.BlockingHandler;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.PercentEncoding;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.http.Target;
import dev.serval.servlet.archive.AppFiles;
import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.dispatch.AppRoutes;
import dev.serval.servlet.files.WelcomeFiles;
import dev.serval.servlet.files.WelcomeMemory;
import dev.serval.servlet.map.Match;
import dev.serval.servlet.map.NormalPath;
import dev.serval.servlet.request.Guard;
import dev.serval.servlet.request.View;
import dev.serval.servlet.run.RequestRun;
import dev.serval.servlet.security.AppGuard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Receives the requests of one application on the loop: finds the servlet, and starts the Worker
/// that runs it. A file that no filter wants goes on to the engine's file handler at once. Runs on
/// the loop, so it calls no code of the application.
final class AppHandler implements Handler {
    /// The version that replaces this one.
    ///
    /// @param route for the requests that the loop has
    /// @param first for those that a Worker has
    record Successor(Route route, AppHandler first) {}

    private final Deployment deployment;
    private final AppRoutes routes;
    private final AppGuard guard;
    private final WelcomeFiles welcome;
    private final boolean servletsWelcome;
    private final WelcomeMemory memory;

    AppHandler(
            Deployment deployment,
            AppRoutes routes,
            AppGuard guard,
            WelcomeFiles welcome,
            WelcomeMemory memory) {
        this.deployment = deployment;
        this.routes = routes;
        this.guard = guard;
        this.welcome = welcome;
        this.memory = memory;
        this.servletsWelcome = welcome.involveServlets(routes);
    }

    @Override
    public boolean takesOtherMethods() {
        return true; // HttpServlet answers methods that it does not know with 501
    }

    @Override
    public boolean takesTrace() {
        return true; // no servlet gets it
    }

    @Override
    public void handle(Exchange x) {
        if (!deployment.isRunning()) {
            leave(x);
            return;
        }
        RequestHead head = x.request();
        @Nullable String path = path(head.target(), x.route().prefix());
        if (path == null) {
            x.refuse(
                    Status.BAD_REQUEST,
                    Fields.EMPTY,
                    "The path has parameters in a place that makes it ambiguous.");
            return;
        }
        if (path.isEmpty()) {
            redirectToRoot(x, head.target());
            return;
        }
        @Nullable Match<ServletSlot> match = routes.match(path);
        if (match == null) {
            x.pass();
            return;
        }
        boolean byDefault = Deployment.isDefault(match.servlet());
        RunKind kind = RunKind.of(match);
        if (kind == RunKind.NOT_FOUND) {
            run(x, routes.profile(match.servlet()), match, kind);
        } else if (byDefault && isPlainFile(head, path, match)) {
            x.pass();
        } else {
            run(x, profile(path, match), match, kind);
        }
    }

    /// Returns what the engine knows about the code of the servlet that answers. For a folder, that
    /// is the servlet of the welcome file, as far as it is known.
    private Mapping profile(String path, Match<ServletSlot> match) {
        @Nullable Match<ServletSlot> welcoming = path.endsWith("/") ? memory.servlet(path) : null;
        return routes.profile((welcoming == null ? match : welcoming).servlet());
    }

    /// Returns whether the engine's file handler answers a path of the default servlet as well.
    private boolean isPlainFile(RequestHead head, String path, Match<ServletSlot> match) {
        return !mayHavePageOf405(head.method())
                && !isConstrained(path)
                && !(path.endsWith("/") && mayBeOfServlet(path))
                && rawPath(head.target()).indexOf(';') < 0 // unknown to the file handler
                && isUnfiltered(path, match.servlet())
                && !deployment.listensToRequests()
                && deployment.touchSession(head);
    }

    /// Returns whether the application has a page for the refusal of the method (§10.9.2). One that the
    /// server does not know gets 501 from the engine.
    private boolean mayHavePageOf405(Method method) {
        return !method.safe()
                && method != Method.OTHER
                && routes.hasErrorPage(Status.METHOD_NOT_ALLOWED.code());
    }

    /// Returns whether a file or a folder has no filter. Those of a folder are the ones of its welcome
    /// file (§10.10), which only a Worker looks up.
    private boolean isUnfiltered(String path, ServletSlot slot) {
        return routes.isUnfiltered(path, slot)
                && (!path.endsWith("/") || routes.areUnfiltered(() -> welcome.paths(path), slot));
    }

    /// Returns whether a Worker must find out what answers a folder.
    private boolean mayBeOfServlet(String folder) {
        return (servletsWelcome || welcome.servletTakes(routes, folder)) && !memory.isFile(folder);
    }

    /// Returns whether a request for a file or a folder must be checked, which a Worker does.
    private boolean isConstrained(String path) {
        return guard.admission(path) != null
                || (path.endsWith("/")
                        && guard.hasConstraints()
                        && guard.admission(path, welcome.paths(path)) != null);
    }

    /// What a Worker does for a request.
    private enum RunKind {
        SERVLET,
        FOLDER,
        NOT_FOUND;

        static RunKind of(Match<ServletSlot> match) {
            String path = match.path();
            boolean hidden =
                    Deployment.isDefault(match.servlet())
                            ? AppFiles.isProtected(path)
                            : AppFiles.isInPrivateFolder(path);
            if (hidden) {
                return NOT_FOUND;
            }
            return Deployment.isFolder(match) ? FOLDER : SERVLET;
        }
    }

    private void run(Exchange x, Mapping profile, Match<ServletSlot> match, RunKind kind) {
        String uri = rawPath(x.request().target());
        BlockingHandler.run(x, profile, y -> run(y, uri, match, kind));
    }

    /// Runs a request on its Worker.
    private void run(BlockingExchange x, String uri, Match<ServletSlot> match, RunKind kind)
            throws Exception {
        if (!deployment.enter()) {
            @Nullable Successor next = deployment.successor();
            if (next == null) {
                x.then(AppHandler::refuse, () -> {});
            } else {
                next.first().take(x, uri);
            }
            return;
        }
        RequestRun run;
        Guard.@Nullable Admission admission;
        try {
            run = begun(x, uri, match, kind);
            admission = kind == RunKind.NOT_FOUND ? null : admission(kind, match);
        } catch (RuntimeException | Error e) {
            deployment.leave();
            throw e;
        }
        if (kind == RunKind.NOT_FOUND) {
            run.refuse(Status.NOT_FOUND.code());
        } else {
            run.begin(admission);
        }
    }

    /// Takes a request from the Worker of the former version. It cannot go through the handlers again,
    /// because its content may have been read.
    private void take(BlockingExchange x, String uri) throws Exception {
        @Nullable String path = path(x.request().target(), x.route().prefix());
        @Nullable Match<ServletSlot> match = path == null ? null : routes.match(path);
        if (path == null || match == null) {
            x.then(
                    y ->
                            y.refuse(
                                    Status.NOT_FOUND,
                                    Fields.EMPTY,
                                    "There is nothing at this address."),
                    () -> {});
        } else {
            run(x, uri, match, RunKind.of(match));
        }
    }

    /// Returns the check of a request; null if it needs none. The path is that of the mapping, so
    /// the constraints apply however it was spelled.
    private Guard.@Nullable Admission admission(RunKind kind, Match<ServletSlot> match) {
        String path = match.path();
        if (kind != RunKind.FOLDER || !guard.hasConstraints()) {
            return guard.admission(path);
        }
        WelcomeFiles.@Nullable Answer found = answer(match);
        return guard.admission(path, found == null ? List.of() : List.of(found.path()));
    }

    private RequestRun begun(
            BlockingExchange x, String uri, Match<ServletSlot> match, RunKind kind) {
        @Nullable Match<ServletSlot> welcoming = kind == RunKind.FOLDER ? welcoming(match) : null;
        Match<ServletSlot> chosen = welcoming == null ? match : welcoming;
        View view = routes.view(chosen, uri, x.request().target().query());
        return new RequestRun(deployment, routes, view, chosen.servlet(), x);
    }

    /// Returns the servlet that answers a folder, with the path of the welcome file, so that a request
    /// for the folder looks as one for that file (§10.10). Null if no other than the one of `match` does.
    private @Nullable Match<ServletSlot> welcoming(Match<ServletSlot> match) {
        String folder = match.path();
        WelcomeFiles.@Nullable Answer found = answer(match);
        if (found != null && (found.servlet() != null || WelcomeFiles.isFile(found, folder))) {
            memory.note(folder, found.servlet());
        } else {
            memory.forget(folder);
        }
        if (found == null) {
            return null;
        }
        return found.servlet() == null ? routes.match(found.path()) : found.servlet();
    }

    /// Returns what answers a folder; null if nothing does. An application's own servlet at `/` gets a
    /// folder itself, unless another servlet takes the welcome file, such as that of JSP pages.
    private WelcomeFiles.@Nullable Answer answer(Match<ServletSlot> match) {
        String folder = match.path();
        boolean own = !Deployment.isDefault(match.servlet());
        if (own && !servletsWelcome && !welcome.servletTakes(routes, folder)) {
            return null; // without a look at the disk
        }
        WelcomeFiles.@Nullable Answer found = welcome.find(routes, folder);
        return own && found != null && found.servlet() == null ? null : found;
    }

    /// Passes a request of a stopped application to the version that replaces it, or refuses it.
    private void leave(Exchange x) {
        @Nullable Successor next = deployment.successor();
        if (next == null) {
            refuse(x);
        } else {
            EngineExchange.of(x).enter(next.route());
        }
    }

    private static void refuse(Exchange x) {
        x.refuse(
                Status.SERVICE_UNAVAILABLE,
                Fields.EMPTY,
                "The application is being stopped or replaced.");
    }

    /// Returns a handler that answers what neither a servlet nor a file has answered, with the
    /// application's page.
    Handler missing() {
        return new Missing();
    }

    /// Stands after the handlers of files.
    private final class Missing implements Handler {
        @Override
        public boolean takesOtherMethods() {
            return true;
        }

        @Override
        public boolean takesTrace() {
            return true;
        }

        @Override
        public void handle(Exchange x) {
            notFound(x);
        }
    }

    /// A method that the server does not know comes here for a file, too, and gets 501.
    private void notFound(Exchange x) {
        @Nullable Match<ServletSlot> match = routes.match("/");
        if (match == null
                || x.request().method() == Method.OTHER
                || !routes.hasErrorPage(Status.NOT_FOUND.code())) {
            x.pass();
            return;
        }
        run(x, routes.profile(match.servlet()), match, RunKind.NOT_FOUND);
    }

    /// Redirects `/app` to `/app/`, so that relative links of the first page work (§10.10).
    private static void redirectToRoot(Exchange x, Target target) {
        @Nullable String query = target.query();
        String folder = PercentEncoding.path(x.route().prefix()) + "/";
        Redirect.send(x, folder + (query == null ? "" : "?" + query));
    }

    /// Returns the path from the context root; empty for the context path without a slash, null for
    /// a path that must be refused.
    private static @Nullable String path(Target target, String mount) {
        String text = target.path().text();
        int prefix = mount.length() == 1 ? 0 : mount.length();
        String raw = rawPath(target);
        if (raw.indexOf(';') < 0) {
            return text.substring(prefix);
        }
        // The router keeps parameters, so "/app/;x/../y" came here. Without them it is "/y".
        @Nullable String normal = NormalPath.normal(raw);
        return normal == null || !isBelow(mount, prefix, normal) ? null : normal.substring(prefix);
    }

    private static boolean isBelow(String folder, int length, String path) {
        return length == 0
                || (path.startsWith(folder)
                        && (path.length() == length || path.charAt(length) == '/'));
    }

    /// Returns the path as it was sent, without the query.
    private static String rawPath(Target target) {
        if (target.path().isAsSent()) {
            return target.path().text();
        }
        String text = target.text();
        int from = 0;
        if (target.form() == Target.Form.ABSOLUTE) {
            int authority = text.indexOf("://") + 3;
            int slash = text.indexOf('/', authority);
            from = slash < 0 ? text.length() : slash;
        }
        int query = text.indexOf('?');
        return query < 0 ? text.substring(from) : text.substring(Math.min(from, query), query);
    }
}
