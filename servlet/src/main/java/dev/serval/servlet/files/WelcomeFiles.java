package dev.serval.servlet.files;

import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.descriptor.JspDescription;
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
public record WelcomeFiles(List<String> names, Function<String, @Nullable Path> files) {
    /// Returns whether a servlet may take a welcome file of any folder, or one is in a folder below, so
    /// that the engine's file handler cannot decide alone.
    public boolean involveServlets(AppRoutes routes) {
        return names.stream()
                .anyMatch(name -> name.indexOf('/') >= 0 || routes.mayTakeInFolder(name));
    }

    /// Returns whether a servlet is mapped exactly to a welcome file of a folder. Reads no disk.
    ///
    /// @param folder from the context root, with a slash at the end
    public boolean servletTakes(AppRoutes routes, String folder) {
        for (String name : names) {
            if (routes.exact(folder + name) != null) {
                return true;
            }
        }
        return false;
    }

    /// What answers a folder.
    ///
    /// @param path of the welcome file, from the context root
    /// @param servlet the servlet that takes it; null if it is a file
    public record Answer(String path, @Nullable Match<ServletSlot> servlet) {}

    /// Returns what answers a folder; null if nothing does. First come files, and servlets with
    /// exactly that path, then servlets that take the path by another pattern, such as `*.xhtml`. The
    /// servlet of JSP pages is not one of these, because it takes every `index.jsp`.
    ///
    /// @param folder from the context root, with a slash at the end
    @Nullable
    public Answer find(AppRoutes routes, String folder) {
        for (String path : paths(folder)) {
            if (files.apply(path) != null || routes.exact(path) != null) {
                return new Answer(path, routes.isMapped(path) ? routes.match(path) : null);
            }
        }
        for (String path : paths(folder)) {
            @Nullable Match<ServletSlot> match = routes.isMapped(path) ? routes.match(path) : null;
            if (match != null
                    && !match.servlet().description().name().equals(JspDescription.SERVLET)) {
                return new Answer(path, match);
            }
        }
        return null;
    }

    /// Returns whether the engine's file handler finds the welcome file of a folder. It knows those in
    /// the folder itself, and no servlets.
    ///
    /// @param folder from the context root, with a slash at the end
    public static boolean isFile(Answer answer, String folder) {
        return answer.servlet() == null && answer.path().lastIndexOf('/') == folder.length() - 1;
    }

    /// Returns the paths of all welcome files that a folder may have. Reads no disk.
    ///
    /// @param folder from the context root, with a slash at the end
    public List<String> paths(String folder) {
        return names.stream().map(name -> folder + name).toList();
    }
}
