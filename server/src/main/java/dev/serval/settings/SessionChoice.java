package dev.serval.settings;

import java.nio.file.InvalidPathException;
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
    private static final String FILES = "files";

    /// In memory, as applications declare.
    public static final SessionChoice STANDARD =
            new SessionChoice(new Place.Memory(), null, false, false, List.of());

    /// Where sessions are kept.
    public sealed interface Place {
        /// Returns the place that `memory`, `files`, `files=FOLDER` or a URL of JDBC names; null for
        /// another text.
        ///
        /// @param state where `files` alone has its folder
        /// @param base what a relative folder is relative to
        static @Nullable Place of(String text, Path state, Path base) {
            if (text.equals("memory")) {
                return new Memory();
            }
            if (text.equals(FILES)) {
                return new Files(state.resolve("sessions"));
            }
            if (text.startsWith("jdbc:")) {
                return new Database(text);
            }
            try {
                if (text.startsWith(FILES + "=") && text.length() > FILES.length() + 1) {
                    Path folder = base.resolve(text.substring(FILES.length() + 1));
                    return new Files(folder.toAbsolutePath().normalize());
                }
            } catch (InvalidPathException e) {
                // as another text
            }
            return null;
        }

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
