package dev.serval.settings;

import dev.serval.config.Node;
import dev.serval.config.Values;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The configuration file from which options come. Immutable.
///
/// @param file its absolute path
/// @param state the folder of the server's state; null for the usual one of the user
/// @param text what the file had when it was read
/// @param including whether it includes other files
/// @param tree what is in force, as a file would say it
/// @param values what that means
public record Origin(
        Path file,
        @Nullable Path state,
        String text,
        boolean including,
        Node.Table tree,
        Values values) {
    /// Returns this origin after a change of the file's text.
    public Origin withText(String other) {
        return new Origin(file, state, other, including, tree, values);
    }

    /// Returns this origin if the file is still as another one has read it.
    public Origin asReadFor(Origin other) {
        return new Origin(file, state, other.text, other.including, tree, values);
    }
}
