package dev.serval.command;

import dev.serval.servlet.database.DatabaseSettings;
import dev.serval.settings.AppChoice;
import dev.serval.settings.Numbers;
import dev.serval.settings.Problems;
import java.nio.charset.Charset;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The options of `serval run` for web applications. Stateless.
final class AppSyntax {
    private static final String DEV = "--dev";
    private static final String PRECOMPILE = "--precompile";
    private static final String APP_LOGS = "--app-logs";
    private static final String TIME_LIMIT = "--request-time-limit";
    private static final String ENCODING = "--encoding";
    private static final String USERS = "--users";
    private static final String DATA_SOURCE = "--data-source";
    private static final String NONE = "none"; // instead of a folder for logs, or a charset

    private static final int LIMIT_MAX_MILLIS = 86_400_000;
    private static final Pattern SOURCE_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_./:-]{0,199}");

    private AppSyntax() {}

    /// Adds the options to a command.
    static void addTo(CommandSpec run) {
        run.addOption(
                Options.flag(
                        DEV,
                        "Show clients why an application failed, with its code's lines, and show"
                                + " the logs of applications here too. Only for development."));
        run.addOption(
                Options.flag(
                        PRECOMPILE,
                        "Compile the JSP pages of applications at the start, and refuse an"
                                + " application with a wrong page."));
        run.addOption(
                Options.value(
                        APP_LOGS,
                        "FOLDER",
                        "Where each application has its log, such as shop.log; none to print here."
                                + " Default: serval/logs in $XDG_STATE_HOME or ~/.local/state."));
        run.addOption(
                Options.value(
                        TIME_LIMIT,
                        "TIME",
                        "End requests of applications that take longer: 30s, 500ms, 2m. Default:"
                                + " no limit."));
        run.addOption(
                Options.value(
                        ENCODING,
                        "CHARSET",
                        "The encoding of requests, responses and JSP pages of applications that"
                                + " declare none; none for ISO-8859-1 as in the specification."
                                + " Default: UTF-8."));
        run.addOption(
                Options.value(
                        USERS,
                        "FILE",
                        "The users who may log in to applications: serval user add writes the"
                                + " file. Default: none, so protected pages are refused."));
        run.addOption(
                Options.values(
                        DATA_SOURCE,
                        "NAME=URL",
                        "A database for applications, such as"
                                + " jdbc/shop=jdbc:postgresql://db/shop. User and password are in"
                                + " SERVAL_JDBC_SHOP_USER and SERVAL_JDBC_SHOP_PASSWORD. May be"
                                + " given several times."));
        SessionSyntax.addTo(run);
    }

    /// Returns what the options say, and what `base` says about the rest.
    static AppChoice read(ParseResult parsed, AppChoice base, Problems problems) {
        @Nullable String logs = parsed.matchedOptionValue(APP_LOGS, null);
        @Nullable String limit = parsed.matchedOptionValue(TIME_LIMIT, null);
        @Nullable String users = parsed.matchedOptionValue(USERS, null);
        @Nullable String encoding = parsed.matchedOptionValue(ENCODING, null);
        return new AppChoice(
                base.dev() || parsed.hasMatchedOption(DEV),
                base.precompile() || parsed.hasMatchedOption(PRECOMPILE),
                logs == null ? base.logs() : logs(logs, problems),
                limit == null ? base.requestTimeLimit() : timeLimit(limit, problems),
                users == null ? base.users() : UserSyntax.file(users, problems),
                together(base.sources(), parsed, problems),
                SessionSyntax.read(parsed, base.sessions(), problems),
                encoding == null ? base.encoding() : encoding(encoding, problems),
                base.forms());
    }

    /// Returns the data sources of the command line, and those of the file that have other names.
    private static List<DatabaseSettings> together(
            List<DatabaseSettings> base, ParseResult parsed, Problems problems) {
        List<DatabaseSettings> all =
                new ArrayList<>(
                        sources(
                                parsed.matchedOptionValue(DATA_SOURCE, List.of()),
                                System.getenv(),
                                problems));
        Set<String> names = new HashSet<>();
        all.forEach(source -> names.add(source.name()));
        base.stream().filter(source -> !names.contains(source.name())).forEach(all::add);
        return all;
    }

    /// Returns the time of `30s`, `500ms`, `2m` or `1h`; zero after a problem.
    private static Duration timeLimit(String text, Problems problems) {
        @Nullable Duration time = Numbers.time(text, LIMIT_MAX_MILLIS);
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

    /// Returns the charset of applications that declare none; null for `none`, or after a problem.
    private static @Nullable Charset encoding(String text, Problems problems) {
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
    private static @Nullable Path logs(String text, Problems problems) {
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
