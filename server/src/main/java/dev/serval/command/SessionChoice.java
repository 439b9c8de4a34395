package dev.serval.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the options of `serval run` say about sessions. Immutable.
///
/// @param place where they are kept
/// @param timeout in place of what applications declare; null for that
/// @param onStop whether files are written only when sessions leave the memory or at a stop
/// @param sync whether the disk must have what is written
/// @param allowed classes that sessions may hold besides the usual ones
public record SessionChoice(
        Place place,
        @Nullable Duration timeout,
        boolean onStop,
        boolean sync,
        List<String> allowed) {
    /// In memory, as applications declare.
    public static final SessionChoice STANDARD =
            new SessionChoice(new Place.Memory(), null, false, false, List.of());

    /// Where sessions are kept.
    public sealed interface Place {
        /// In memory, and in temporary files if there are many.
        record Memory() implements Place {}

        /// In files.
        record Files(Path folder) implements Place {}

        /// In a database.
        record Database(String url) implements Place {}
    }

    /// Copies the patterns.
    public SessionChoice {
        allowed = List.copyOf(allowed);
    }
}
