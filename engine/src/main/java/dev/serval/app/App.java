package dev.serval.app;

import dev.serval.blocking.BlockingHandler;
import dev.serval.exchange.EngineExchange;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Route;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.TargetPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An application: what answers which method of which path. Immutable; made by a [Builder], and
/// mounted by `Serval.builder().mount("/", app)`. Its paths are those below the mount.
///
/// A path matches exactly: `/hello` answers neither `/hello/` nor `/hello/any/thing`. `{name}` stands
/// for one segment that is not empty, and `{name...}` at the end for the rest of the path. Where
/// several paths match, the first segment in which they differ decides: a literal wins over a
/// parameter, a parameter over a rest. Files at a prefix count as a rest.
///
/// Paths are compared as [TargetPath] gives them: decoded, without empty and dot segments. An encoded
/// slash never makes a segment; the server refuses it with 400.
///
/// The path is matched first, then the method. GET answers HEAD too, and OPTIONS is answered by
/// itself; another method gets 405 with Allow. No filter is asked for these two answers. Where no
/// path matches, the next handler of the mount is asked; after the last the answer is 404.
public final class App implements Handler {
    private static final byte[] ROOT = {'/'};
    private static final Fields FILE_METHODS = Fields.of(FieldName.ALLOW, "GET, HEAD, OPTIONS");

    private final PathTree<PathRoutes> routes;
    private final List<PrefixFilter> filters;
    private final Map<Class<?>, ExceptionHandler<Exception>> exceptions;
    private final AppLimits limits;
    private final @Nullable Endpoint otherwise;

    private App(Builder builder) {
        this.routes = new PathTree<>();
        this.filters = List.copyOf(builder.filters);
        this.exceptions = Map.copyOf(builder.exceptions);
        this.limits = builder.limits;
        this.otherwise = builder.otherwise;
        for (Registration registration : builder.registrations) {
            registration.register(this);
        }
    }

    /// An empty builder.
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void handle(Exchange x) {
        TargetPath path = x.request().target().path();
        int from = path.from() + x.route().prefixLength();
        @Nullable PathRoutes found =
                from == path.to()
                        ? routes.find(ROOT, 0, 1) // the mount's own path
                        : routes.find(path.buffer(), from, path.to());
        if (found == null) {
            nothing(x, from);
            return;
        }
        @Nullable FilesMount files = found.files();
        if (files != null) {
            files(x, files, from);
            return;
        }
        @Nullable Endpoint endpoint = found.endpoint(x.request().method());
        if (endpoint == null) {
            otherMethod(x, found.allow());
        } else {
            start(x, endpoint, from);
        }
    }

    List<PrefixFilter> filters() {
        return filters;
    }

    AppLimits limits() {
        return limits;
    }

    /// The handler of the exception's type, or of the next type above it that has one; null if none
    /// has.
    @Nullable ExceptionHandler<Exception> exceptionHandler(Class<?> thrown) {
        @Nullable Class<?> type = thrown;
        while (type != null) {
            @Nullable ExceptionHandler<Exception> handler = exceptions.get(type);
            if (handler != null) {
                return handler;
            }
            type = type.getSuperclass();
        }
        return null;
    }

    private void start(Exchange x, Endpoint endpoint, int from) {
        Visit visit = new Visit(this, endpoint, x, from, true);
        if (endpoint.onLoop() && cover(x, from) != Cover.BLOCKING) {
            visit.handleOnLoop(x);
        } else {
            BlockingHandler.on(endpoint.mapping(), visit).handle(x);
        }
    }

    /// Files are the loop's; where filters cover them, these run first.
    private void files(Exchange x, FilesMount files, int from) {
        Route route = files.route(x.route());
        Cover cover = cover(x, from);
        if (cover == Cover.NONE) {
            EngineExchange.of(x).enter(route);
            return;
        }
        Method method = x.request().method();
        if (method != Method.GET && method != Method.HEAD) {
            otherMethod(x, FILE_METHODS); // whether the file exists or not: the filters decide that
            return;
        }
        Answer enter = Answer.of(y -> EngineExchange.of(y).enter(route));
        Endpoint endpoint =
                new Endpoint(
                        PathPattern.ROOT,
                        y -> y.draft().answer(enter),
                        cover == Cover.LOOP,
                        files.mapping());
        Visit visit = new Visit(this, endpoint, x, from, true);
        if (cover == Cover.LOOP) {
            visit.handleOnLoop(x);
        } else {
            EngineExchange.of(x).run(files.mapping(), visit);
        }
    }

    private void nothing(Exchange x, int from) {
        if (otherwise == null) {
            x.pass();
        } else {
            start(x, otherwise, from);
        }
    }

    /// For files that are not there, after filters were asked.
    private static void otherwise(App app, Endpoint endpoint, Exchange x) {
        TargetPath path = x.request().target().path();
        Visit visit = new Visit(app, endpoint, x, path.from(), false);
        if (endpoint.onLoop()) {
            visit.handleOnLoop(x);
        } else {
            BlockingHandler.on(endpoint.mapping(), visit).handle(x);
        }
    }

    /// OPTIONS (RFC 9110 §9.3.7), else 405 (§15.5.6).
    private static void otherMethod(Exchange x, Fields allow) {
        RequestHead head = x.request();
        if (head.method() == Method.OPTIONS) {
            x.response().send(new ResponseHead(Status.NO_CONTENT, allow, 0), Body.Empty.EMPTY);
            return;
        }
        x.refuse(
                Status.METHOD_NOT_ALLOWED,
                allow,
                "This address does not answer "
                        + head.method()
                        + ", but "
                        + allow.first(FieldName.ALLOW)
                        + ".");
    }

    /// Which filters cover a request.
    private enum Cover {
        NONE,
        /// None that may block.
        LOOP,
        BLOCKING
    }

    private Cover cover(Exchange x, int from) {
        TargetPath path = x.request().target().path();
        Cover cover = Cover.NONE;
        for (int i = 0; i < filters.size(); i++) {
            PrefixFilter filter = filters.get(i);
            if (filter.covers(path.buffer(), from, path.to())) {
                if (filter.mayBlock()) {
                    return Cover.BLOCKING;
                }
                cover = Cover.LOOP;
            }
        }
        return cover;
    }

    private void add(Method method, Endpoint endpoint) {
        routes.at(endpoint.pattern().segments(), PathRoutes::new).add(method, endpoint);
    }

    /// Files answer for their prefix itself, and for all below it.
    private void add(String prefix, Handler files) {
        @Nullable Endpoint last = otherwise;
        FilesMount mount =
                new FilesMount(prefix, files, last == null ? null : x -> otherwise(this, last, x));
        String below = prefix.equals("/") ? "" : prefix;
        routes.at(PathPattern.of(below + "/{path...}").segments(), PathRoutes::new).add(mount);
        if (!below.isEmpty()) {
            routes.at(PathPattern.of(prefix).segments(), PathRoutes::new).add(mount);
        }
    }

    /// Something that was registered, put in its place when the application is built.
    @FunctionalInterface
    private interface Registration {
        void register(App app);
    }

    /// Gathers what an application answers. Used by one thread; what it has built does not change
    /// any more.
    public static final class Builder {
        private final List<Registration> registrations = new ArrayList<>();
        private final List<PrefixFilter> filters = new ArrayList<>();
        private final Map<Class<?>, ExceptionHandler<Exception>> exceptions = new HashMap<>();
        private AppLimits limits = AppLimits.DEFAULT;
        private @Nullable Endpoint otherwise;

        private Builder() {}

        /// Answers GET, and HEAD with the same fields.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder get(String path, AppHandler handler) {
            return route(Method.GET, path, handler);
        }

        /// Answers POST.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder post(String path, AppHandler handler) {
            return route(Method.POST, path, handler);
        }

        /// Answers PUT.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder put(String path, AppHandler handler) {
            return route(Method.PUT, path, handler);
        }

        /// Answers PATCH.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder patch(String path, AppHandler handler) {
            return route(Method.PATCH, path, handler);
        }

        /// Answers DELETE.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder delete(String path, AppHandler handler) {
            return route(Method.DELETE, path, handler);
        }

        /// Answers one method of a path.
        ///
        /// @param path such as `/users`, `/users/{id}` or `/files/{path...}`, as it reads decoded
        /// @throws IllegalArgumentException for a path that is malformed, or CONNECT and TRACE, which
        ///     the server refuses
        public Builder route(Method method, String path, AppHandler handler) {
            if (method == Method.CONNECT || method == Method.TRACE) {
                throw new IllegalArgumentException(
                        "The server refuses " + method + ": it cannot be routed.");
            }
            PathPattern pattern = PathPattern.of(path);
            Endpoint endpoint = Endpoint.of(method + " " + path, pattern, handler);
            registrations.add(app -> app.add(method, endpoint));
            return this;
        }

        /// Serves the files of a folder, with types, validators and ranges. Filters that cover them
        /// run first, but what they set for the answer does not reach the files.
        ///
        /// @param prefix `/` or `/name[/name…]`
        /// @throws IllegalArgumentException if there is nothing to serve, or the prefix is malformed
        public Builder files(String prefix, Path folder) {
            return files(prefix, folder, FileOptions.DEFAULT);
        }

        /// Serves the files of a folder with other options.
        ///
        /// @param prefix `/` or `/name[/name…]`
        /// @throws IllegalArgumentException if there is nothing to serve, or the prefix is malformed
        public Builder files(String prefix, Path folder, FileOptions options) {
            PrefixFilter.requirePlain(prefix, "Files are served");
            Handler files = FileHandler.of(folder, options);
            registrations.add(app -> app.add(prefix, files));
            return this;
        }

        /// Runs `filter` around every handler. Filters run in the order of their registration.
        public Builder filter(AppFilter filter) {
            return filter("/", filter);
        }

        /// Runs `filter` around the handlers of all requests for `prefix` and below.
        ///
        /// @param prefix `/` or `/name[/name…]`, compared with the path of the request
        /// @throws IllegalArgumentException for a prefix that is malformed
        public Builder filter(String prefix, AppFilter filter) {
            filters.add(new PrefixFilter(prefix, filter));
            return this;
        }

        /// Answers requests whose handler or filter threw a `type`, unless a type below it has a
        /// handler of its own. InterruptedException, which stops a handler, is never handed over.
        public <E extends Exception> Builder exception(
                Class<E> type, ExceptionHandler<? super E> handler) {
            exceptions.put(type, (thrown, x) -> handler.handle(type.cast(thrown), x));
            return this;
        }

        /// Answers requests for which there is neither a route nor a file; 404 unless set. The handler
        /// sets the status.
        public Builder otherwise(AppHandler handler) {
            otherwise = Endpoint.of("otherwise", PathPattern.ROOT, handler);
            return this;
        }

        /// Keeps other bounds.
        public Builder limits(AppLimits other) {
            limits = other;
            return this;
        }

        /// Whether nothing was registered.
        public boolean isEmpty() {
            return registrations.isEmpty() && filters.isEmpty() && otherwise == null;
        }

        /// The application.
        ///
        /// @throws IllegalArgumentException if two routes match the same paths, naming both
        public App build() {
            return new App(this);
        }
    }
}
