package dev.serval.settings;

import dev.serval.config.Node;
import org.jspecify.annotations.Nullable;

/// Reads the options of a running server again: its file, and the command line that overrides it.
@FunctionalInterface
public interface Rereading {
    /// Returns the options.
    ///
    /// @param tree a configuration in place of that of the file; null for the file
    /// @return null after a problem that leaves nothing to look at
    @Nullable RunOptions read(Node.@Nullable Table tree, Problems problems);
}
