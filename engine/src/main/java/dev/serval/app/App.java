package dev.serval.app;

import dev.serval.blocking.BlockingHandler;
import dev.serval.exchange.EngineExchange;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
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

/// An application: a [Handler] that routes requests by path and method. Immutable; made by a
/// [Builder], and mounted by `Serval.builder().mount("/", app)`. Its paths are relative to the
/// mount.
///
/// A path matches exactly: `/hello` matches neither `/hello/` nor `/hello/any/thing`. `{name}`
/// matches one segment that is not empty, and `{name...}` at the end matches the rest of the path.
/// If several patterns match, the first segment in which they differ decides: a literal wins over a
/// parameter, and a parameter over a rest. Files at a prefix count as a rest.
///
/// Paths are compared as [TargetPath] returns them: decoded, without empty and dot segments. An
/// encoded slash never separates segments, because the server refuses it with 400.
///
/// The path is matched first, then the method:
///
/// - A route for GET also answers HEAD.
/// - If the method has no route, the application itself answers OPTIONS, and any other method with
///   405 and Allow. The filters of the path run before. If the application has registered a handler for
///   [HttpException], that one writes the answer with 405.
/// - If no path matches, the exchange passes to the next handler of the mount. After the last
///   handler the response is 404.
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

    /// Returns an empty builder.
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public boolean takesTrace() {
        return true; // and refuses it
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
            otherMethod(x, found.allow(), found.mapping(), from);
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

    /// Returns the handler for the exception's type, or for its nearest supertype that has one;
    /// null if there is none.
    @Nullable ExceptionHandler<Exception> exceptionHandler(Class<?> thrown) {
        for (@Nullable Class<?> type = thrown; type != null; type = type.getSuperclass()) {
            @Nullable ExceptionHandler<Exception> handler = exceptions.get(type);
            if (handler != null) {
                return handler;
            }
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

    /// Enters the files on the loop, after the filters that cover them.
    private void files(Exchange x, FilesMount files, int from) {
        Route route = files.route(x.route());
        Cover cover = cover(x, from);
        if (cover == Cover.NONE) {
            EngineExchange.of(x).enter(route);
            return;
        }
        Method method = x.request().method();
        if (method != Method.GET && method != Method.HEAD) {
            otherMethod(x, FILE_METHODS, files.mapping(), from);
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
        if (otherwise == null || x.request().method() == Method.TRACE) {
            x.pass();
        } else {
            start(x, otherwise, from);
        }
    }

    /// Answers for a missing file, after the filters ran.
    private static void otherwise(App app, Endpoint endpoint, Exchange x) {
        TargetPath path = x.request().target().path();
        Visit visit = new Visit(app, endpoint, x, path.from(), false);
        if (endpoint.onLoop()) {
            visit.handleOnLoop(x);
        } else {
            BlockingHandler.on(endpoint.mapping(), visit).handle(x);
        }
    }

    /// Answers a method without a route, after the filters that cover the path.
    private void otherMethod(Exchange x, Fields allow, Mapping mapping, int from) {
        Cover cover = cover(x, from);
        @Nullable ExceptionHandler<Exception> mapped = exceptions.get(HttpException.class);
        if (mapped != null && x.request().method() != Method.OPTIONS) {
            refuseMethod(x, allow, mapped, mapping, from);
            return;
        }
        if (cover == Cover.NONE) {
            otherMethod(x, allow);
            return;
        }
        Answer answer = Answer.of(y -> otherMethod(y, allow));
        AppHandler handler = y -> y.draft().answer(answer);
        start(x, new Endpoint(PathPattern.ROOT, handler, cover == Cover.LOOP, mapping), from);
    }

    /// Answers 405 as the application answers its own exceptions.
    private void refuseMethod(
            Exchange x,
            Fields allow,
            ExceptionHandler<Exception> mapped,
            Mapping mapping,
            int from) {
        HttpException refused =
                new HttpException(Status.METHOD_NOT_ALLOWED, otherMethodText(x.request(), allow));
        AppHandler handler =
                y -> {
                    y.field("Allow", String.valueOf(allow.first(FieldName.ALLOW)));
                    mapped.handle(refused, y);
                };
        start(x, new Endpoint(PathPattern.ROOT, handler, false, mapping), from);
    }

    private static String otherMethodText(RequestHead head, Fields allow) {
        return "This address does not answer "
                + head.method()
                + ", but "
                + allow.first(FieldName.ALLOW)
                + ".";
    }

    /// Answers OPTIONS (RFC 9110 §9.3.7), and every other method with 405 (§15.5.6).
    private static void otherMethod(Exchange x, Fields allow) {
        RequestHead head = x.request();
        if (head.method() == Method.OPTIONS) {
            x.response().send(new ResponseHead(Status.NO_CONTENT, allow, 0), Body.Empty.EMPTY);
            return;
        }
        x.refuse(Status.METHOD_NOT_ALLOWED, allow, otherMethodText(head, allow));
    }

    /// The filters that cover a request.
    private enum Cover {
        NONE,
        /// Only filters that never block.
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

    /// Adds files at the prefix itself and at all paths below it.
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

    /// A registration, which the constructor adds to the routes.
    @FunctionalInterface
    private interface Registration {
        void register(App app);
    }

    /// Collects the routes and filters of an application. Not thread-safe. An application that was
    /// built does not change any more.
    public static final class Builder {
        private final List<Registration> registrations = new ArrayList<>();
        private final List<PrefixFilter> filters = new ArrayList<>();
        private final Map<Class<?>, ExceptionHandler<Exception>> exceptions = new HashMap<>();
        private AppLimits limits = AppLimits.DEFAULT;
        private @Nullable Endpoint otherwise;

        private Builder() {}

        /// Adds a route for GET, which also answers HEAD with the same fields.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder get(String path, AppHandler handler) {
            return route(Method.GET, path, handler);
        }

        /// Adds a route for POST.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder post(String path, AppHandler handler) {
            return route(Method.POST, path, handler);
        }

        /// Adds a route for PUT.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder put(String path, AppHandler handler) {
            return route(Method.PUT, path, handler);
        }

        /// Adds a route for PATCH.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder patch(String path, AppHandler handler) {
            return route(Method.PATCH, path, handler);
        }

        /// Adds a route for DELETE.
        ///
        /// @throws IllegalArgumentException for a path that is malformed
        public Builder delete(String path, AppHandler handler) {
            return route(Method.DELETE, path, handler);
        }

        /// Adds a route for one method of a path.
        ///
        /// @param path such as `/users`, `/users/{id}` or `/files/{path...}`, written decoded
        /// @throws IllegalArgumentException for a path that is malformed, or for CONNECT and TRACE,
        ///     which the server refuses
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
        /// run first, and the response fields that they set are sent with the files.
        ///
        /// @param prefix `/` or `/name[/name…]`
        /// @throws IllegalArgumentException if there is nothing to serve, or the prefix is
        ///     malformed
        public Builder files(String prefix, Path folder) {
            return files(prefix, folder, FileOptions.DEFAULT);
        }

        /// Serves the files of a folder with other options.
        ///
        /// @param prefix `/` or `/name[/name…]`
        /// @throws IllegalArgumentException if there is nothing to serve, or the prefix is
        ///     malformed
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

        /// Answers requests whose handler or filter threw a `type`. A handler registered for a
        /// subtype takes precedence. The engine itself handles an InterruptedException, an
        /// [dev.serval.blocking.ExchangeAbortedException], and any exception after the response has
        /// started.
        public <E extends Exception> Builder exception(
                Class<E> type, ExceptionHandler<? super E> handler) {
            exceptions.put(type, (thrown, x) -> handler.handle(type.cast(thrown), x));
            return this;
        }

        /// Answers requests that match neither a route nor a file; 404 unless set. The handler sets
        /// the status.
        public Builder otherwise(AppHandler handler) {
            otherwise = Endpoint.of("otherwise", PathPattern.ROOT, handler);
            return this;
        }

        /// Sets the limits; [AppLimits#DEFAULT] unless set.
        public Builder limits(AppLimits other) {
            limits = other;
            return this;
        }

        /// Returns whether nothing was registered.
        public boolean isEmpty() {
            return registrations.isEmpty() && filters.isEmpty() && otherwise == null;
        }

        /// Builds the application.
        ///
        /// @throws IllegalArgumentException if two routes match the same paths, naming both
        public App build() {
            return new App(this);
        }
    }
}
