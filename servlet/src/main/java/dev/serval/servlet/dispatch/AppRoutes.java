package dev.serval.servlet.dispatch;

import dev.serval.handler.Mapping;
import dev.serval.http.PercentEncoding;
import dev.serval.servlet.context.AppContext;
import dev.serval.servlet.context.AppLifecycle;
import dev.serval.servlet.context.Dispatchers;
import dev.serval.servlet.context.FilterSlot;
import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.JspDescription;
import dev.serval.servlet.descriptor.ServletDescription;
import dev.serval.servlet.map.FilterTable;
import dev.serval.servlet.map.Match;
import dev.serval.servlet.map.NormalPath;
import dev.serval.servlet.map.ServletPaths;
import dev.serval.servlet.request.AppScope;
import dev.serval.servlet.request.View;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The servlets, filters and error pages of a running application. Immutable. Any thread.
public final class AppRoutes implements Dispatchers {
    private final AppScope scope;
    private final AppContext context;
    private final ServletPaths<ServletSlot> paths;
    private final FilterTable<FilterSlot> filters;
    private final ErrorPageTable errorPages;
    private final IdentityHashMap<Match<ServletSlot>, View> exactViews =
            new IdentityHashMap<>(); // read only
    private final Map<String, ServletSlot> servlets = new HashMap<>();
    private final Map<String, Mapping> profiles = new HashMap<>();
    private final Folders folders;

    /// Finds what answers a folder by its welcome file (Servlet 6.1 §10.10). Any thread that may block.
    @FunctionalInterface
    public interface Folders {
        /// Returns the servlet that takes the welcome file; null if the path is not that of a folder, or
        /// if no other servlet answers than the one that takes the path.
        @Nullable Match<ServletSlot> servlet(AppRoutes routes, Match<ServletSlot> match);
    }

    /// Creates the routes of an application that has started.
    ///
    /// @param fallback the name of the servlet that takes `/` if no other servlet does
    public AppRoutes(
            AppScope scope,
            AppContext context,
            AppDescription app,
            AppLifecycle lifecycle,
            String fallback,
            Folders folders) {
        this.scope = scope;
        this.context = context;
        this.folders = folders;
        ServletPaths.Builder<ServletSlot> table = ServletPaths.builder();
        for (ServletSlot slot : lifecycle.servlets()) {
            ServletDescription servlet = slot.description();
            servlets.put(servlet.name(), slot);
            profiles.put(
                    servlet.name(), new Mapping(context.getContextPath() + " " + servlet.name()));
            for (String pattern : servlet.urlPatterns()) {
                if (isOfPages(app.jsp(), servlet.name(), pattern)) {
                    table.mapPages(pattern, slot, servlet.name());
                } else {
                    table.map(pattern, slot, servlet.name());
                }
            }
        }
        @Nullable ServletSlot files = servlets.get(fallback);
        if (files != null && app.servlets().stream().noneMatch(AppRoutes::takesAll)) {
            table.map("/", files, fallback);
        }
        this.paths = table.build();
        this.filters =
                new FilterTable<>(app.filterMappings(), lifecycle::filter, servlets.keySet());
        this.errorPages = new ErrorPageTable(app.errorPages());
        for (Match<ServletSlot> match : paths.exactMatches()) {
            String uri = context.getContextPath() + encoded(match.servletPath());
            exactViews.put(match, newView(match, uri, null));
        }
    }

    private static boolean isOfPages(JspDescription declared, String servlet, String pattern) {
        return servlet.equals(JspDescription.SERVLET)
                && declared.groups().stream()
                        .anyMatch(group -> group.urlPatterns().contains(pattern));
    }

    private static boolean takesAll(ServletDescription servlet) {
        return servlet.urlPatterns().contains("/");
    }

    /// Returns the application as requests see it.
    public AppScope scope() {
        return scope;
    }

    /// Returns the application's context.
    public AppContext context() {
        return context;
    }

    public ErrorPageTable errorPages() {
        return errorPages;
    }

    /// Returns whether the application has a page for the status.
    public boolean hasErrorPage(int code) {
        return errorPages.page(code) != null;
    }

    /// Returns the servlet for a path from the context root in normal form; null if there is none.
    public @Nullable Match<ServletSlot> match(String path) {
        return paths.match(path);
    }

    /// Returns the servlet that has exactly this pattern; null if there is none.
    public @Nullable Match<ServletSlot> exact(String path) {
        return paths.exact(path);
    }

    /// Returns whether the path reaches a servlet other than the default one.
    public boolean isMapped(String path) {
        return paths.isMapped(path);
    }

    /// Returns whether a servlet may take a file of this name in a folder that it does not take.
    public boolean mayTakeInFolder(String name) {
        return paths.mayTakeInFolder(name);
    }

    /// Returns what the engine knows about the code of each servlet, by the servlet's name.
    public Map<String, Mapping> profiles() {
        return Collections.unmodifiableMap(profiles);
    }

    /// Returns what the engine knows about a servlet's code.
    public Mapping profile(ServletSlot slot) {
        @Nullable Mapping known = profiles.get(slot.description().name());
        if (known == null) {
            throw new IllegalStateException("Not a servlet of this application");
        }
        return known;
    }

    /// Returns the filters of a dispatch.
    ///
    /// @param path from the context root; null for a servlet that was reached by name
    public List<FilterSlot> chain(DispatcherType type, @Nullable String path, ServletSlot slot) {
        return filters.chain(type, path, slot.description().name());
    }

    /// Returns whether a request for the path runs no filter.
    public boolean isUnfiltered(String path, ServletSlot slot) {
        return chain(DispatcherType.REQUEST, path, slot).isEmpty();
    }

    /// Returns whether a request for any of the paths, which have the same servlet, runs no filter.
    public boolean areUnfiltered(Supplier<List<String>> all, ServletSlot slot) {
        return !filters.dependsOnPath(DispatcherType.REQUEST)
                || all.get().stream().allMatch(path -> isUnfiltered(path, slot));
    }

    /// Returns how a request from a client looks.
    ///
    /// @param uri the path as it was sent
    public View view(Match<ServletSlot> match, String uri, @Nullable String query) {
        @Nullable View usual = query == null ? exactViews.get(match) : null;
        return usual != null && usual.requestUri().equals(uri) ? usual : newView(match, uri, query);
    }

    private View newView(Match<ServletSlot> match, String uri, @Nullable String query) {
        return new View(
                scope,
                DispatcherType.REQUEST,
                uri,
                match.servletPath(),
                match.pathInfo(),
                match.mapping(),
                query,
                match.servlet().description(),
                Map.of(),
                true);
    }

    @Override
    public @Nullable RequestDispatcher forPath(String path) {
        return dispatcher(path);
    }

    /// Returns the dispatcher to a path, which may have a query; null if no servlet takes it. A folder is
    /// answered as for a client: by the servlet of its welcome file, such as a page.
    @Nullable
    public PathDispatcher dispatcher(String path) {
        int question = path.indexOf('?');
        String raw = question < 0 ? path : path.substring(0, question);
        @Nullable String query = question < 0 ? null : path.substring(question + 1);
        @Nullable String normal = NormalPath.normal(raw);
        @Nullable Match<ServletSlot> match = normal == null ? null : match(normal);
        if (normal == null || match == null) {
            return null;
        }
        @Nullable Match<ServletSlot> welcoming = folders.servlet(this, match);
        return new PathDispatcher(
                this,
                welcoming == null ? match : welcoming,
                context.getContextPath() + encoded(normal),
                query,
                false);
    }

    @Override
    public @Nullable RequestDispatcher named(String servlet) {
        @Nullable ServletSlot slot = servlets.get(servlet);
        return slot == null ? null : new NamedDispatcher(this, slot);
    }

    /// Returns a decoded path in the form of a URI.
    public static String encoded(String path) {
        return PercentEncoding.path(path);
    }
}
