package dev.serval.backend;

import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import java.util.ArrayList;
import java.util.List;

/// What is at one place of a running server. Immutable.
///
/// @param chain the handlers, in order
/// @param settings what holds for all of them
public record Mounted(List<Handler> chain, MountSettings settings) {
    /// Copies the chain.
    public Mounted {
        chain = List.copyOf(chain);
    }

    /// Creates one without settings.
    public Mounted(Handler... chain) {
        this(List.of(chain), MountSettings.NONE);
    }

    /// Returns this with handlers before the others.
    public Mounted after(List<Handler> first, MountSettings others) {
        List<Handler> all = new ArrayList<>(first);
        all.addAll(chain);
        return new Mounted(all, others);
    }

    /// Returns the handlers as an array.
    public Handler[] handlers() {
        return chain.toArray(Handler[]::new);
    }
}
