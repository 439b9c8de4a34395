package dev.serval.app;

import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files of a folder, mounted in an application. Immutable.
final class FilesMount {
    private final String prefix;
    private final List<Handler> chain;
    private final Mapping mapping;
    private final Route atRoot;

    /// Creates a mount.
    ///
    /// @param prefix `/` or `/name[/name…]`, below the application's own mount
    /// @param files serves the files
    /// @param last answers for missing files; null for 404
    FilesMount(String prefix, Handler files, @Nullable Handler last) {
        this.prefix = prefix;
        this.chain = last == null ? List.of(files) : List.of(files, last);
        this.mapping = new Mapping("files at " + prefix);
        this.atRoot = new Route(prefix, chain, mapping);
    }

    /// Returns the route that an exchange enters.
    ///
    /// @param above the route of the application's own mount
    Route route(Route above) {
        if (above.prefix().equals("/")) {
            return atRoot;
        }
        String below = prefix.equals("/") ? "" : prefix;
        return new Route(above.prefix() + below, chain, mapping);
    }

    /// Returns what the engine learns about the filters that run for the mount.
    Mapping mapping() {
        return mapping;
    }

    @Override
    public String toString() {
        return "files at " + prefix;
    }
}
