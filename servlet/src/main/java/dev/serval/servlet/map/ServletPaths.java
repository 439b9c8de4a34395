package dev.serval.servlet.map;

import jakarta.servlet.http.MappingMatch;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the servlet for a path by the rules of Servlet 6.1 §12.1, in this order:
///
/// 1. the exact path, or the context root for `/`
/// 2. the longest prefix `/name/*`
/// 3. the extension `*.name` of the last segment
/// 4. the default servlet `/`
///
/// A prefix of pages takes no folder, and its whole path is the servlet path, as if each page had an
/// exact pattern.
///
/// Immutable. A [Builder] creates it.
///
/// @param <T> what stands for a servlet
public final class ServletPaths<T> {
    private static final String WILDCARD = "/*";

    /// A pattern and its servlet. The mapping is complete if the pattern leaves nothing open.
    private record Entry<T>(T servlet, PathMapping mapping) {}

    private final Map<String, Match<T>> exact; // by path
    private final Map<String, Entry<T>> prefixes; // by prefix, without its slash and star
    private final Set<String> ofPages; // prefixes
    private final Map<String, Entry<T>> extensions; // by extension, without its dot
    private final @Nullable Entry<T> fallback;

    private ServletPaths(Builder<T> builder) {
        this.exact = Map.copyOf(builder.exact);
        this.prefixes = Map.copyOf(builder.prefixes);
        this.ofPages = Set.copyOf(builder.ofPages);
        this.extensions = Map.copyOf(builder.extensions);
        this.fallback = builder.fallback;
    }

    /// Returns an empty builder.
    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    /// Returns the match for a path.
    ///
    /// @param path from the context root, decoded and in normal form, with its leading slash
    /// @return null if no servlet takes the path
    public @Nullable Match<T> match(String path) {
        @Nullable Match<T> found = exact(path);
        if (found == null) {
            found = prefix(path);
        }
        if (found == null) {
            found = extension(path);
        }
        return found != null || fallback == null
                ? found
                : new Match<>(fallback.servlet(), path, null, fallback.mapping());
    }

    /// Returns the match for a path by an exact pattern alone.
    public @Nullable Match<T> exact(String path) {
        return exact.get(path);
    }

    /// Returns the matches of all exact patterns. The same objects are found by their paths.
    public Collection<Match<T>> exactMatches() {
        return exact.values();
    }

    /// Returns whether the path reaches a servlet other than the default one.
    public boolean isMapped(String path) {
        return exact.containsKey(path) || prefix(path) != null || extension(path) != null;
    }

    /// Returns whether a prefix or an extension may take a file of this name in a folder that it
    /// does not take. An exact pattern takes the file of one folder, for which [#exact] is asked.
    ///
    /// @param name the name, or a path without a slash at its beginning
    public boolean mayTakeInFolder(String name) {
        if (extension("/" + name) != null || !ofPages.isEmpty()) {
            return true;
        }
        for (int end = name.length(); end > 0; end = name.lastIndexOf('/', end - 1)) {
            String start = "/" + name.substring(0, end);
            if (prefixes.keySet().stream().anyMatch(prefix -> prefix.endsWith(start))) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Match<T> prefix(String path) {
        if (prefixes.isEmpty()) {
            return null;
        }
        for (int end = path.length(); end >= 0; end = path.lastIndexOf('/', end - 1)) {
            String prefix = path.substring(0, end);
            @Nullable Entry<T> entry = prefixes.get(prefix);
            if (entry != null) {
                @Nullable String info = end == path.length() ? null : path.substring(end);
                PathMapping mapping = with(entry, info == null ? "" : info.substring(1));
                if (!ofPages.contains(prefix)) {
                    return new Match<>(entry.servlet(), prefix, info, mapping);
                }
                boolean folder = info == null || info.endsWith("/");
                return folder ? null : new Match<>(entry.servlet(), path, null, mapping);
            }
            if (end == 0) {
                return null;
            }
        }
        return null;
    }

    private @Nullable Match<T> extension(String path) {
        int dot = path.lastIndexOf('.');
        if (dot < 0 || extensions.isEmpty() || path.indexOf('/', dot) >= 0) {
            return null;
        }
        @Nullable Entry<T> entry = extensions.get(path.substring(dot + 1));
        return entry == null
                ? null
                : new Match<>(entry.servlet(), path, null, with(entry, path.substring(1, dot)));
    }

    private static PathMapping with(Entry<?> entry, String value) {
        PathMapping mapping = entry.mapping();
        return new PathMapping(
                mapping.getMappingMatch(), value, mapping.getPattern(), mapping.getServletName());
    }

    /// Collects patterns. It can build only once.
    public static final class Builder<T> {
        private final Map<String, Match<T>> exact = new HashMap<>();
        private final Map<String, Entry<T>> prefixes = new HashMap<>();
        private final Set<String> ofPages = new HashSet<>();
        private final Map<String, Entry<T>> extensions = new HashMap<>();
        private @Nullable Entry<T> fallback;

        private Builder() {}

        /// Maps a pattern, which the descriptor has checked, to a servlet.
        ///
        /// @param pattern an exact path, `/prefix/*`, `*.extension`, `/`, or empty for the context
        ///   root
        /// @param name the servlet's name
        public Builder<T> map(String pattern, T servlet, String name) {
            if (pattern.isEmpty()) {
                PathMapping root = new PathMapping(MappingMatch.CONTEXT_ROOT, "", "", name);
                exact.put("/", new Match<>(servlet, "", "/", root));
            } else if (pattern.equals("/")) {
                fallback =
                        new Entry<>(servlet, new PathMapping(MappingMatch.DEFAULT, "", "/", name));
            } else if (pattern.endsWith(WILDCARD)) {
                prefixes.put(
                        prefix(pattern),
                        new Entry<>(
                                servlet, new PathMapping(MappingMatch.PATH, "", pattern, name)));
            } else if (pattern.startsWith("*.")) {
                extensions.put(
                        pattern.substring(2),
                        new Entry<>(
                                servlet,
                                new PathMapping(MappingMatch.EXTENSION, "", pattern, name)));
            } else {
                String value = pattern.substring(1);
                PathMapping mapping = new PathMapping(MappingMatch.EXACT, value, pattern, name);
                exact.put(pattern, new Match<>(servlet, pattern, null, mapping));
            }
            return this;
        }

        /// Maps the pattern of a group of pages to their servlet (Pages 4.0 §3.3.1).
        ///
        /// @param pattern as for [#map]
        public Builder<T> mapPages(String pattern, T servlet, String name) {
            if (pattern.endsWith(WILDCARD)) {
                ofPages.add(prefix(pattern));
            }
            return map(pattern, servlet, name);
        }

        private static String prefix(String pattern) {
            return pattern.substring(0, pattern.length() - WILDCARD.length());
        }

        /// Returns the table.
        public ServletPaths<T> build() {
            return new ServletPaths<>(this);
        }
    }
}
