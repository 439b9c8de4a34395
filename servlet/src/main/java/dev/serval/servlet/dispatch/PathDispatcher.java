package dev.serval.servlet.dispatch;

import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.map.Match;
import dev.serval.servlet.request.Dispatches;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.servlet.request.View;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Dispatches to a path of an application (Servlet 6.1 §9). Immutable.
public final class PathDispatcher implements RequestDispatcher {
    private final AppRoutes app;
    private final Match<ServletSlot> match;
    private final String uri; // encoded, with the context path
    private final @Nullable String query;
    private final boolean byClient; // the path

    PathDispatcher(
            AppRoutes app,
            Match<ServletSlot> match,
            String uri,
            @Nullable String query,
            boolean byClient) {
        this.app = app;
        this.match = match;
        this.uri = uri;
        this.query = query;
        this.byClient = byClient;
    }

    /// Returns a dispatcher to the same servlet, for a request that returns to its path.
    ///
    /// @param otherUri the URI as it was there
    /// @param sent whether the client sent that path
    public PathDispatcher backTo(String otherUri, boolean sent) {
        return new PathDispatcher(app, match, otherUri, query, sent);
    }

    AppRoutes app() {
        return app;
    }

    @Override
    public void forward(ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        ServletExchange exchange = Unwrapped.exchange(request);
        View before = exchange.view();
        Map<String, Object> special = new ConcurrentHashMap<>(before.special());
        special.keySet().removeIf(name -> name.startsWith("jakarta.servlet.include."));
        if (!special.containsKey(FORWARD_REQUEST_URI)) {
            put(special, before, Names.FORWARD);
            if (request instanceof HttpServletRequestWrapper wrapper) {
                putSeen(special, wrapper);
            }
        }
        new Forward(exchange, request, response)
                .to(app, target(before, DispatcherType.FORWARD, special), match.servlet());
    }

    @Override
    public void include(ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        ServletExchange exchange = Unwrapped.exchange(request);
        View before = exchange.view();
        Map<String, Object> special = new ConcurrentHashMap<>(before.special());
        put(special, target(before, DispatcherType.INCLUDE, Map.of()), Names.INCLUDE);
        addQuery(special);
        View view = seen(before, DispatcherType.INCLUDE, special);
        Include.run(
                exchange,
                view,
                () ->
                        FilterWalk.call(
                                exchange,
                                app.chain(DispatcherType.INCLUDE, path(), match.servlet()),
                                match.servlet(),
                                request,
                                response));
    }

    /// Calls the page of an error (Servlet 6.1 §10.9).
    public void error(ServletExchange exchange, ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        View view = target(exchange.view(), DispatcherType.ERROR, new ConcurrentHashMap<>());
        call(exchange, view, request, response);
    }

    /// Returns how an asynchronous request looks that continues at this path. Its attributes describe the
    /// request that the first servlet received from the client, whatever has dispatched it since
    /// (Servlet 6.1 §9.7.2).
    ///
    /// @param reached how it looked to that servlet
    /// @param original how it looked when the processing started
    public View asyncView(View reached, View original) {
        Map<String, Object> special = new ConcurrentHashMap<>();
        put(special, reached, Names.ASYNC);
        @Nullable Object added = original.special().get(Dispatches.QUERY);
        if (added != null) {
            special.put(Dispatches.QUERY, added);
        }
        return target(original, DispatcherType.ASYNC, special);
    }

    /// Calls the filters and the servlet of this path.
    ///
    /// @param view how the request looks there
    public void call(
            ServletExchange exchange, View view, ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        exchange.view(view);
        FilterWalk.call(
                exchange,
                app.chain(view.type(), path(), match.servlet()),
                match.servlet(),
                request,
                response);
    }

    private String path() {
        @Nullable String info = match.pathInfo();
        return info == null ? match.servletPath() : match.servletPath() + info;
    }

    /// Returns how the request looks at this path.
    private View target(View before, DispatcherType type, Map<String, Object> special) {
        if (query != null && type != DispatcherType.INCLUDE) {
            addQuery(special);
        }
        return new View(
                app.scope(),
                type,
                uri,
                match.servletPath(),
                match.pathInfo(),
                match.mapping(),
                query == null && type != DispatcherType.INCLUDE ? before.query() : query,
                match.servlet().description(),
                special,
                byClient);
    }

    /// Returns how the request looks to an included servlet: as before, but for the attributes.
    private View seen(View before, DispatcherType type, Map<String, Object> special) {
        return new View(
                app.scope(),
                type,
                before.requestUri(),
                before.servletPath(),
                before.pathInfo(),
                before.mapping(),
                before.query(),
                match.servlet().description(),
                special,
                before.byClient());
    }

    /// Adds the parameters of this path's query before those of earlier dispatches.
    private void addQuery(Map<String, Object> special) {
        if (query != null) {
            @Nullable Object earlier = special.get(Dispatches.QUERY);
            special.put(Dispatches.QUERY, earlier == null ? query : query + "&" + earlier);
        }
    }

    /// Adds the attributes that describe a view.
    private static void put(Map<String, Object> special, View view, Names names) {
        special.put(names.uri, view.requestUri());
        special.put(names.contextPath, view.app().context().getContextPath());
        special.put(names.servletPath, view.servletPath());
        special.put(names.mapping, view.mapping());
        putOrRemove(special, names.pathInfo, view.pathInfo());
        putOrRemove(special, names.query, view.query());
    }

    /// Replaces the attributes of a forward by what the request says that the servlet passes on: a filter
    /// may have wrapped it, such as one that knows the path before a proxy (Servlet 6.1 §9.4.2).
    private static void putSeen(Map<String, Object> special, HttpServletRequest request) {
        putOrRemove(special, FORWARD_REQUEST_URI, request.getRequestURI());
        putOrRemove(special, FORWARD_CONTEXT_PATH, request.getContextPath());
        putOrRemove(special, FORWARD_SERVLET_PATH, request.getServletPath());
        putOrRemove(special, FORWARD_PATH_INFO, request.getPathInfo());
        putOrRemove(special, FORWARD_QUERY_STRING, request.getQueryString());
    }

    private static void putOrRemove(
            Map<String, Object> special, String name, @Nullable String value) {
        if (value == null) {
            special.remove(name);
        } else {
            special.put(name, value);
        }
    }

    /// The names of the attributes of a kind of dispatch.
    private enum Names {
        FORWARD(
                FORWARD_REQUEST_URI,
                FORWARD_CONTEXT_PATH,
                FORWARD_SERVLET_PATH,
                FORWARD_PATH_INFO,
                FORWARD_QUERY_STRING,
                FORWARD_MAPPING),
        INCLUDE(
                INCLUDE_REQUEST_URI,
                INCLUDE_CONTEXT_PATH,
                INCLUDE_SERVLET_PATH,
                INCLUDE_PATH_INFO,
                INCLUDE_QUERY_STRING,
                INCLUDE_MAPPING),
        ASYNC(
                AsyncContext.ASYNC_REQUEST_URI,
                AsyncContext.ASYNC_CONTEXT_PATH,
                AsyncContext.ASYNC_SERVLET_PATH,
                AsyncContext.ASYNC_PATH_INFO,
                AsyncContext.ASYNC_QUERY_STRING,
                AsyncContext.ASYNC_MAPPING);

        private final String uri;
        private final String contextPath;
        private final String servletPath;
        private final String pathInfo;
        private final String query;
        private final String mapping;

        Names(
                String uri,
                String contextPath,
                String servletPath,
                String pathInfo,
                String query,
                String mapping) {
            this.uri = uri;
            this.contextPath = contextPath;
            this.servletPath = servletPath;
            this.pathInfo = pathInfo;
            this.query = query;
            this.mapping = mapping;
        }
    }
}
