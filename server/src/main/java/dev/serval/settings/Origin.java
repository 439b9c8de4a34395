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
/// @param tree what is in force, as a file would say it
/// @param values what that means
public record Origin(Path file, @Nullable Path state, String text, Node.Table tree, Values values) {
    /// Returns this origin after a change of the file's text.
    public Origin withText(String other) {
        return new Origin(file, state, other, tree, values);
    }
}
