package dev.serval.command;

import dev.serval.servlet.database.DatabaseSettings;
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
    /// In memory, as applications declare.
    public static final SessionChoice STANDARD =
            new SessionChoice(new Place.Memory(), null, false, false, List.of());

    private static final String FILES = "files";
    private static final String CLASSES =
            "[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*(\\.\\*\\*?)?";

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

    /// Returns the place of `memory`, `files`, `files=FOLDER` or a URL of JDBC; memory after a
    /// problem.
    ///
    /// @param text of the option; null if it was not given
    static Place place(@Nullable String text, Problems problems) {
        if (text == null || text.equals("memory")) {
            return new Place.Memory();
        }
        if (text.equals(FILES)) {
            return new Place.Files(AppOptions.stateFolder().resolve("sessions"));
        }
        if (text.startsWith("jdbc:")) {
            return new Place.Database(text);
        }
        try {
            if (text.startsWith(FILES + "=") && text.length() > FILES.length() + 1) {
                Path folder = Path.of(text.substring(FILES.length() + 1));
                return new Place.Files(folder.toAbsolutePath().normalize());
            }
        } catch (InvalidPathException e) {
            // as another text
        }
        problems.usage(
                "--sessions takes memory, files, files=FOLDER or a URL that begins with jdbc:, not"
                        + " \""
                        + DatabaseSettings.shown(text)
                        + "\".");
        return new Place.Memory();
    }

    /// Returns whether sessions are stored only at a stop, of `request` or `stop`.
    static boolean onStop(@Nullable String text, Problems problems) {
        if (text != null && !text.equals("request") && !text.equals("stop")) {
            problems.usage("--session-save takes request or stop, not \"" + text + "\".");
        }
        return "stop".equals(text);
    }

    /// Returns the classes of a list with commas.
    static List<String> allowed(@Nullable String text, Problems problems) {
        if (text == null) {
            return List.of();
        }
        List<String> all = List.of(text.split(",", -1));
        for (String each : all) {
            if (!each.matches(CLASSES)) {
                problems.usage(
                        "--session-allow takes classes such as com.acme.Cart, com.acme.* or"
                                + " com.acme.**, separated by commas, not \""
                                + each
                                + "\".");
            }
        }
        return all;
    }
}
