package dev.serval.command;

import dev.serval.servlet.database.DatabaseSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The options of `serval run` for sessions. Stateless.
final class SessionSyntax {
    private static final String SESSIONS = "--sessions";
    private static final String SESSION_TIMEOUT = "--session-timeout";
    private static final String SESSION_SAVE = "--session-save";
    private static final String SESSION_SYNC = "--session-sync";
    private static final String SESSION_ALLOW = "--session-allow";
    private static final int TIMEOUT_MAX_MILLIS = 1_800_000_000;
    private static final int MINUTE_MILLIS = 60_000;
    private static final String FILES = "files";
    private static final String CLASSES =
            "[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*(\\.\\*\\*?)?";

    private SessionSyntax() {}

    /// Adds the options to a command.
    static void addTo(CommandSpec run) {
        run.addOption(
                Options.value(
                        SESSIONS,
                        "STORE",
                        "Where sessions are kept: memory, files, files=FOLDER, or a jdbc: URL of H2"
                                + " or PostgreSQL. files and jdbc survive a restart. Default:"
                                + " memory."));
        run.addOption(
                Options.value(
                        SESSION_TIMEOUT,
                        "TIME",
                        "End sessions without a request for this time, such as 45m or 2h; 0 for"
                                + " never. Default: as the application declares, or 30m."));
        run.addOption(
                Options.value(
                        SESSION_SAVE,
                        "WHEN",
                        "Write session files at the end of each request, or at a stop: request or"
                                + " stop. Default: request."));
        run.addOption(
                Options.flag(
                        SESSION_SYNC, "Wait until the disk has a session file before answering."));
        run.addOption(
                Options.value(
                        SESSION_ALLOW,
                        "CLASSES",
                        "More classes that stored sessions may hold: com.acme.Cart, com.acme.**;"
                                + " separated by commas."));
    }

    /// Returns what the options say.
    static SessionChoice read(ParseResult parsed, Problems problems) {
        return new SessionChoice(
                place(parsed.matchedOptionValue(SESSIONS, null), problems),
                timeout(parsed.matchedOptionValue(SESSION_TIMEOUT, null), problems),
                onStop(parsed.matchedOptionValue(SESSION_SAVE, null), problems),
                parsed.hasMatchedOption(SESSION_SYNC),
                allowed(parsed.matchedOptionValue(SESSION_ALLOW, null), problems));
    }

    /// Returns the timeout of sessions; null without a text, or after a problem.
    private static @Nullable Duration timeout(@Nullable String text, Problems problems) {
        if (text == null) {
            return null;
        }
        @Nullable Duration time =
                text.equals("0") ? Duration.ZERO : Numbers.time(text, TIMEOUT_MAX_MILLIS);
        if (time == null || time.toMillis() % MINUTE_MILLIS != 0) {
            problems.usage(
                    "--session-timeout takes minutes or hours up to 500h, such as 45m or 2h, or 0"
                            + " for never, not \""
                            + text
                            + "\".");
            return null;
        }
        return time;
    }

    /// Returns the place of `memory`, `files`, `files=FOLDER` or a URL of JDBC; memory after a
    /// problem.
    ///
    /// @param text of the option; null if it was not given
    private static SessionChoice.Place place(@Nullable String text, Problems problems) {
        if (text == null || text.equals("memory")) {
            return new SessionChoice.Place.Memory();
        }
        if (text.equals(FILES)) {
            return new SessionChoice.Place.Files(UserFolders.state().resolve("sessions"));
        }
        if (text.startsWith("jdbc:")) {
            return new SessionChoice.Place.Database(text);
        }
        try {
            if (text.startsWith(FILES + "=") && text.length() > FILES.length() + 1) {
                Path folder = Path.of(text.substring(FILES.length() + 1));
                return new SessionChoice.Place.Files(folder.toAbsolutePath().normalize());
            }
        } catch (InvalidPathException e) {
            // as another text
        }
        problems.usage(
                "--sessions takes memory, files, files=FOLDER or a URL that begins with jdbc:, not"
                        + " \""
                        + DatabaseSettings.shown(text)
                        + "\".");
        return new SessionChoice.Place.Memory();
    }

    /// Returns whether sessions are stored only at a stop, of `request` or `stop`.
    private static boolean onStop(@Nullable String text, Problems problems) {
        if (text != null && !text.equals("request") && !text.equals("stop")) {
            problems.usage("--session-save takes request or stop, not \"" + text + "\".");
        }
        return "stop".equals(text);
    }

    /// Returns the classes of a list with commas.
    private static List<String> allowed(@Nullable String text, Problems problems) {
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
