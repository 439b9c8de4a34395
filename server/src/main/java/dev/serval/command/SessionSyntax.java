package dev.serval.command;

import dev.serval.servlet.database.DatabaseSettings;
import dev.serval.settings.Numbers;
import dev.serval.settings.Problems;
import dev.serval.settings.SessionChoice;
import dev.serval.settings.UserFolders;
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

    /// Returns what the options say, and what `base` says about the rest.
    static SessionChoice read(ParseResult parsed, SessionChoice base, Problems problems) {
        @Nullable String place = parsed.matchedOptionValue(SESSIONS, null);
        @Nullable String timeout = parsed.matchedOptionValue(SESSION_TIMEOUT, null);
        @Nullable String save = parsed.matchedOptionValue(SESSION_SAVE, null);
        @Nullable String allowed = parsed.matchedOptionValue(SESSION_ALLOW, null);
        return new SessionChoice(
                place == null ? base.place() : place(place, problems),
                timeout == null ? base.timeout() : timeout(timeout, problems),
                save == null ? base.onStop() : onStop(save, problems),
                base.sync() || parsed.hasMatchedOption(SESSION_SYNC),
                allowed == null ? base.allowed() : allowed(allowed, problems));
    }

    /// Returns the timeout of sessions; null after a problem.
    private static @Nullable Duration timeout(String text, Problems problems) {
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
    private static SessionChoice.Place place(String text, Problems problems) {
        SessionChoice.@Nullable Place place =
                SessionChoice.Place.of(text, UserFolders.state(), Path.of(""));
        if (place != null) {
            return place;
        }
        problems.usage(
                "--sessions takes memory, files, files=FOLDER or a URL that begins with jdbc:, not"
                        + " \""
                        + DatabaseSettings.shown(text)
                        + "\".");
        return new SessionChoice.Place.Memory();
    }

    /// Returns whether sessions are stored only at a stop, of `request` or `stop`.
    private static boolean onStop(String text, Problems problems) {
        if (!text.equals("request") && !text.equals("stop")) {
            problems.usage("--session-save takes request or stop, not \"" + text + "\".");
        }
        return text.equals("stop");
    }

    /// Returns the classes of a list with commas.
    private static List<String> allowed(String text, Problems problems) {
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
