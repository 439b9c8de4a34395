package dev.serval.servlet.map;

import dev.serval.servlet.descriptor.FilterMapping;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds the filters of a request (Servlet 6.1 §6.2.4): first those whose pattern matches the path,
/// then those that name the servlet, each group in the order of declaration, and each filter once.
/// Immutable, because a loop asks it, too. Any thread.
///
/// @param <T> what stands for a filter
public final class FilterTable<T> {
    private static final String ANY_PATH = "/";

    /// A mapping and its filter.
    private record Entry<T>(T filter, FilterMapping.Target target) {}

    /// The mappings for one kind of dispatch.
    private static final class Dispatch<T> {
        private final List<Entry<T>> patterns = new ArrayList<>();
        private final List<Entry<T>> names = new ArrayList<>();
        private boolean dependsOnPath; // a pattern does not match every path
        private Map<String, List<T>> byServlet = Map.of(); // if it does not depend on the path
    }

    private final Map<DispatcherType, Dispatch<T>> dispatches = new EnumMap<>(DispatcherType.class);

    /// Creates the table.
    ///
    /// @param mappings in the order of declaration
    /// @param filter the filter of a name; null for filters that are not used
    /// @param servlets the names of all servlets
    public FilterTable(
            List<FilterMapping> mappings,
            Function<String, @Nullable T> filter,
            Collection<String> servlets) {
        for (DispatcherType type : DispatcherType.values()) {
            dispatches.put(type, new Dispatch<>());
        }
        for (FilterMapping mapping : mappings) {
            @Nullable T found = filter.apply(mapping.filter());
            if (found != null) {
                mapping.dispatchers().forEach(type -> add(type, found, mapping.target()));
            }
        }
        for (Dispatch<T> dispatch : dispatches.values()) {
            if (!dispatch.dependsOnPath) {
                Map<String, List<T>> byServlet = new HashMap<>();
                servlets.forEach(name -> byServlet.put(name, find(dispatch, ANY_PATH, name)));
                dispatch.byServlet = Map.copyOf(byServlet);
            }
        }
    }

    private void add(DispatcherType type, T filter, FilterMapping.Target target) {
        Dispatch<T> dispatch = of(type);
        switch (target) {
            case FilterMapping.Target.Pattern pattern -> {
                dispatch.patterns.add(new Entry<>(filter, target));
                dispatch.dependsOnPath |= !pattern.urlPattern().equals("/*");
            }
            case FilterMapping.Target.Servlet _ -> dispatch.names.add(new Entry<>(filter, target));
        }
    }

    /// Returns the filters for a request, in the order of their calls.
    ///
    /// @param path from the context root; null for a servlet that was reached by name
    /// @param servlet the servlet's name
    public List<T> chain(DispatcherType type, @Nullable String path, String servlet) {
        Dispatch<T> dispatch = of(type);
        if (dispatch.patterns.isEmpty() && dispatch.names.isEmpty()) {
            return List.of();
        }
        @Nullable List<T> known = path == null ? null : dispatch.byServlet.get(servlet);
        return known == null ? find(dispatch, path, servlet) : known;
    }

    /// Returns whether requests for one servlet run other filters if their paths differ.
    public boolean dependsOnPath(DispatcherType type) {
        return of(type).dependsOnPath;
    }

    private Dispatch<T> of(DispatcherType type) {
        @Nullable Dispatch<T> dispatch = dispatches.get(type);
        if (dispatch == null) {
            throw new IllegalStateException("The table has no entry for " + type);
        }
        return dispatch;
    }

    private static <T> List<T> find(Dispatch<T> dispatch, @Nullable String path, String servlet) {
        Set<T> chain = new LinkedHashSet<>();
        if (path != null) {
            for (Entry<T> entry : dispatch.patterns) {
                if (entry.target() instanceof FilterMapping.Target.Pattern pattern
                        && matches(pattern.urlPattern(), path)) {
                    chain.add(entry.filter());
                }
            }
        }
        for (Entry<T> entry : dispatch.names) {
            if (entry.target() instanceof FilterMapping.Target.Servlet named
                    && (named.name().equals("*") || named.name().equals(servlet))) {
                chain.add(entry.filter());
            }
        }
        return List.copyOf(chain);
    }

    /// Returns whether the pattern of a filter matches the path.
    static boolean matches(String pattern, String path) {
        if (pattern.endsWith("/*")) {
            int prefix = pattern.length() - 2;
            return path.startsWith(pattern.substring(0, prefix))
                    && (path.length() == prefix || path.charAt(prefix) == '/');
        }
        if (pattern.startsWith("*.")) {
            return path.endsWith(pattern.substring(1))
                    && path.lastIndexOf('/') < path.length() - pattern.length() + 1;
        }
        // The empty pattern is the context root; "/" is that path and no other (§12.2).
        return pattern.isEmpty() ? path.equals("/") : path.equals(pattern);
    }
}
