package dev.serval.command;

import dev.serval.servlet.database.DatabaseSettings;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Parses the options of `serval run` for applications. Stateless.
final class AppOptions {
    /// The word instead of a folder for logs, or a charset.
    static final String NONE = "none";

    private static final int LIMIT_MAX_MILLIS = 86_400_000;
    private static final int TIMEOUT_MAX_MILLIS = 1_800_000_000;
    private static final int MINUTE_MILLIS = 60_000;
    private static final Map<String, Integer> UNIT_MILLIS =
            Map.of("ms", 1, "s", 1_000, "m", MINUTE_MILLIS, "h", 3_600_000);

    private static final Pattern SOURCE_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_./:-]{0,199}");

    private AppOptions() {}

    /// Returns the time of `30s`, `500ms`, `2m` or `1h`; zero without a text, or after a problem.
    static Duration timeLimit(@Nullable String text, Problems problems) {
        if (text == null) {
            return Duration.ZERO;
        }
        @Nullable Duration time = time(text, LIMIT_MAX_MILLIS);
        if (time == null) {
            problems.usage(
                    "--request-time-limit takes a time from 1ms to 24h, such as 30s, 500ms or 2m,"
                            + " not \""
                            + text
                            + "\".");
            return Duration.ZERO;
        }
        return time;
    }

    /// Returns the timeout of sessions; null without a text, or after a problem.
    static @Nullable Duration sessionTimeout(@Nullable String text, Problems problems) {
        if (text == null) {
            return null;
        }
        @Nullable Duration time = text.equals("0") ? Duration.ZERO : time(text, TIMEOUT_MAX_MILLIS);
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

    private static @Nullable Duration time(String text, int maxMillis) {
        int unitAt = 0;
        while (unitAt < text.length() && Character.isDigit(text.charAt(unitAt))) {
            unitAt++;
        }
        int unitMillis = UNIT_MILLIS.getOrDefault(text.substring(unitAt), 0);
        int number =
                unitMillis == 0
                        ? -1
                        : Numbers.read(text.substring(0, unitAt), maxMillis / unitMillis);
        return number < 1 ? null : Duration.ofMillis((long) number * unitMillis);
    }

    /// Returns the charset of applications that declare none; null for `none`, or after a problem.
    ///
    /// @param text of the option; null if it was not given
    static @Nullable Charset encoding(@Nullable String text, Problems problems) {
        if (text == null) {
            return StandardCharsets.UTF_8;
        }
        if (text.equals(NONE)) {
            return null;
        }
        try {
            return Charset.forName(text);
        } catch (IllegalArgumentException e) { // no such name, or no such charset
            problems.usage(
                    "--encoding takes a charset, such as UTF-8 or ISO-8859-1, or none, not \""
                            + text
                            + "\".");
            return null;
        }
    }

    /// Returns the folder for logs of applications; null for none, or after a problem.
    ///
    /// @param text of the option; null if it was not given
    static @Nullable Path logs(@Nullable String text, Problems problems) {
        if (text == null) {
            return standardLogs();
        }
        if (text.equals(NONE)) {
            return null;
        }
        try {
            if (!text.isEmpty()) {
                return Path.of(text).toAbsolutePath().normalize();
            }
        } catch (InvalidPathException e) {
            // as if it were empty
        }
        problems.usage("--app-logs takes a folder, or none, not \"" + text + "\".");
        return null;
    }

    private static Path standardLogs() {
        return stateFolder().resolve("logs");
    }

    /// Returns the server's folder in the user's folder for logs and other state (XDG Base Directory
    /// Specification).
    static Path stateFolder() {
        @Nullable String state = System.getenv("XDG_STATE_HOME");
        Path parent =
                state != null && state.startsWith("/")
                        ? Path.of(state)
                        : Path.of(System.getProperty("user.home", "/"), ".local", "state");
        return parent.resolve("serval");
    }

    /// Parses `NAME=URL` of each data source, such as `jdbc/shop=jdbc:h2:mem:shop`.
    ///
    /// @param environment has the users and passwords
    static List<DatabaseSettings> sources(
            List<String> texts, Map<String, String> environment, Problems problems) {
        List<DatabaseSettings> sources = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            String url = equals < 0 ? "" : text.substring(equals + 1);
            if (!SOURCE_NAME.matcher(name).matches() || !url.startsWith("jdbc:")) {
                problems.usage(
                        "--data-source takes a name and a URL, such as"
                                + " jdbc/shop=jdbc:postgresql://db/shop, not \""
                                + DatabaseSettings.shown(text)
                                + "\".");
            } else if (!names.add(name)) {
                problems.usage("--data-source " + name + " is given twice: once is enough.");
            } else {
                sources.add(withUser(DatabaseSettings.of(name, url), environment));
            }
        }
        return sources;
    }

    private static DatabaseSettings withUser(
            DatabaseSettings settings, Map<String, String> environment) {
        String prefix =
                "SERVAL_" + settings.name().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        @Nullable String user = environment.get(prefix + "_USER");
        @Nullable String password = environment.get(prefix + "_PASSWORD");
        return settings.as(user, password);
    }
}
