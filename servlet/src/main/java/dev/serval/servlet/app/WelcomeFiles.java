package dev.serval.servlet.app;

import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.dispatch.AppRoutes;
import dev.serval.servlet.map.Match;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds what answers a folder (Servlet 6.1 §10.10): the first welcome file that exists or that a
/// servlet takes. Immutable. Reads the disk, so it runs on a Worker.
///
/// @param names in the order of preference
/// @param files finds the file at a path
record WelcomeFiles(List<String> names, Function<String, @Nullable Path> files) {
    /// Returns whether a servlet may take a welcome file of any folder, so that the engine's file
    /// handler cannot decide alone.
    boolean involveServlets(AppRoutes routes) {
        return names.stream().anyMatch(routes::mayTakeInFolder);
    }

    /// Returns whether a servlet is mapped exactly to a welcome file of a folder. Reads no disk.
    ///
    /// @param folder from the context root, with a slash at the end
    boolean servletTakes(AppRoutes routes, String folder) {
        for (String name : names) {
            if (routes.exact(folder + name) != null) {
                return true;
            }
        }
        return false;
    }

    /// Returns the servlet for a folder; null if a file answers, or nothing.
    ///
    /// @param folder from the context root, with a slash at the end
    @Nullable Match<ServletSlot> servlet(AppRoutes routes, String folder) {
        for (String name : names) {
            String path = folder + name;
            boolean exists = files.apply(path) != null;
            if (routes.isMapped(path) && (exists || routes.exact(path) != null)) {
                return routes.match(path);
            }
            if (exists) {
                return null;
            }
        }
        return null;
    }

    /// Returns whether the engine's file handler finds the welcome file of a folder. It knows those in
    /// the folder itself, and no servlets.
    ///
    /// @param folder from the context root, with a slash at the end
    boolean isFile(AppRoutes routes, String folder) {
        List<String> found = answering(routes, folder);
        return !found.isEmpty()
                && routes.exact(found.getFirst()) == null
                && found.getFirst().lastIndexOf('/') == folder.length() - 1;
    }

    /// Returns the paths of all welcome files that a folder may have. Reads no disk.
    ///
    /// @param folder from the context root, with a slash at the end
    List<String> paths(String folder) {
        return names.stream().map(name -> folder + name).toList();
    }

    /// Returns the path of what answers a folder, as a list of one; empty if nothing does.
    ///
    /// @param folder from the context root, with a slash at the end
    List<String> answering(AppRoutes routes, String folder) {
        for (String path : paths(folder)) {
            if (files.apply(path) != null || routes.exact(path) != null) {
                return List.of(path);
            }
        }
        return List.of();
    }
}
