package dev.serval.app;

import dev.serval.handler.Mapping;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The handlers registered for paths of one shape: one for each method, or files. The builder of
/// the application fills it; afterwards all loops share it.
final class PathRoutes {
    private final Map<Method, Endpoint> endpoints = new EnumMap<>(Method.class);
    private final Mapping mapping = new Mapping("methods without a route");
    private @Nullable FilesMount files;
    private Fields allow = Fields.EMPTY;

    /// Adds a handler.
    ///
    /// @throws IllegalArgumentException if the method has a handler already, or files are
    ///     registered
    void add(Method method, Endpoint endpoint) {
        if (files != null) {
            throw ambiguous(method + " " + endpoint.pattern(), files.toString());
        }
        @Nullable Endpoint known = endpoints.putIfAbsent(method, endpoint);
        if (known != null) {
            throw ambiguous(method + " " + endpoint.pattern(), method + " " + known.pattern());
        }
        allow = Fields.of(FieldName.ALLOW, methods());
    }

    /// Adds files.
    ///
    /// @throws IllegalArgumentException if a handler or files are registered already
    void add(FilesMount mount) {
        if (files != null) {
            throw ambiguous(mount.toString(), files.toString());
        }
        if (!endpoints.isEmpty()) {
            Map.Entry<Method, Endpoint> known = endpoints.entrySet().iterator().next();
            throw ambiguous(mount.toString(), known.getKey() + " " + known.getValue().pattern());
        }
        files = mount;
    }

    /// Returns the files, or null.
    @Nullable FilesMount files() {
        return files;
    }

    /// Returns the handler of a method, or null. HEAD without a handler has that of GET.
    @Nullable Endpoint endpoint(Method method) {
        @Nullable Endpoint own = endpoints.get(method);
        return own == null && method == Method.HEAD ? endpoints.get(Method.GET) : own;
    }

    /// Returns what the engine learns about the filters that run for methods without a handler.
    Mapping mapping() {
        return mapping;
    }

    /// Returns the Allow field (RFC 9110 §10.2.1).
    Fields allow() {
        return allow;
    }

    /// Returns the methods that are answered, for Allow.
    String methods() {
        StringJoiner names = new StringJoiner(", ");
        for (Method method : Method.values()) {
            if (endpoint(method) != null || method == Method.OPTIONS) {
                names.add(method.name());
            }
        }
        return names.toString();
    }

    private static IllegalArgumentException ambiguous(String one, String other) {
        return new IllegalArgumentException(
                one.equals(other)
                        ? one + " is registered twice: each method of a path has one handler."
                        : one
                                + " and "
                                + other
                                + " match the same paths, and neither is more specific: remove one.");
    }
}
