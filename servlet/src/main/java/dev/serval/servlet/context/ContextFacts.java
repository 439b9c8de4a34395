package dev.serval.servlet.context;

import jakarta.servlet.SessionTrackingMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The properties of an application that the server determines. Immutable.
///
/// @param contextPath the path at which the application is mounted, percent-encoded; empty for the
///     root
/// @param serverInfo name and version of the server: `Serval/1.0`
/// @param virtualServer the name of the host that has the application
/// @param loader the application's class loader
/// @param temporaryFolder an existing folder of this application only
/// @param orderedLibs names of the jars in the order of their fragments; null if there is no order
/// @param tracking how the ids of sessions may travel
/// @param log the log of the application, named after it
public record ContextFacts(
        String contextPath,
        String serverInfo,
        String virtualServer,
        ClassLoader loader,
        Path temporaryFolder,
        @Nullable List<String> orderedLibs,
        Set<SessionTrackingMode> tracking,
        System.Logger log) {
    /// Copies the collections.
    public ContextFacts {
        orderedLibs = orderedLibs == null ? null : List.copyOf(orderedLibs);
        tracking = Set.copyOf(tracking);
    }
}
