package dev.serval.app;

import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A folder within an application. Immutable.
final class FilesMount {
    private final String prefix;
    private final List<Handler> chain;
    private final Mapping mapping;
    private final Route atRoot;

    /// A folder.
    ///
    /// @param prefix `/` or `/name[/name…]`, below the application's own mount
    /// @param files serves it
    /// @param last answers for what is not there; null for 404
    FilesMount(String prefix, Handler files, @Nullable Handler last) {
        this.prefix = prefix;
        this.chain = last == null ? List.of(files) : List.of(files, last);
        this.mapping = new Mapping("files at " + prefix);
        this.atRoot = new Route(prefix, chain, mapping);
    }

    /// The mount that an exchange enters.
    ///
    /// @param above the application's own
    Route route(Route above) {
        if (above.prefix().equals("/")) {
            return atRoot;
        }
        String below = prefix.equals("/") ? "" : prefix;
        return new Route(above.prefix() + below, chain, mapping);
    }

    /// What is learned of the filters that run for it.
    Mapping mapping() {
        return mapping;
    }

    @Override
    public String toString() {
        return "files at " + prefix;
    }
}
