package dev.serval.servlet.app;

import dev.serval.file.FileOptions;
import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.kept.SessionPlan;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An application that is to be deployed. Immutable.
///
/// @param host the virtual host that it belongs to; empty for the default one
/// @param contextPath empty for the root, or `/name`; not percent-encoded
/// @param files a WAR, or a folder that has WEB-INF; null for an application that code declares
/// @param loader the loader of the application's classes if it has no files
/// @param timeLimitMillis for a request; 0 for none, -1 for that of the container
/// @param sessions how its sessions are kept; null for the plan of the container
/// @param served how its files are served; their index files, links and lists do not count
/// @param declared adds what code declares, after the descriptors and annotations
public record AppSpec(
        String host,
        String contextPath,
        @Nullable Path files,
        ClassLoader loader,
        long timeLimitMillis,
        @Nullable SessionPlan sessions,
        FileOptions served,
        Consumer<AppDraft> declared) {
    /// Returns the name for people, logs and stored sessions, which no application at another place
    /// has: `ROOT` for the root, and the path with its first slash only for `/ROOT`. The name of a
    /// virtual host stands before it, with an `@`, which no host has.
    String name() {
        return host.isEmpty() ? nameOfPath() : host + "@" + nameOfPath();
    }

    /// Returns where the application is, for look-ups: the host and the context path.
    String address() {
        return host + contextPath;
    }

    private String nameOfPath() {
        return switch (contextPath) {
            case "" -> "ROOT";
            case "/ROOT" -> contextPath;
            default -> contextPath.substring(1);
        };
    }
}
