package dev.serval.command;

import dev.serval.accesslog.LogChoice;
import dev.serval.log.LogFormat;
import dev.serval.log.LogSettings;
import dev.serval.settings.Problems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The option of `serval run` for the access log. Stateless.
final class LogSyntax {
    private static final String ACCESS_LOG = "--access-log";
    private static final String USUAL_FORMAT = "combined";
    private static final List<String> FORMATS = List.of("common", USUAL_FORMAT, "json");

    private LogSyntax() {}

    /// Adds the option to a command.
    static void addTo(CommandSpec run) {
        run.addOption(
                Options.value(
                        ACCESS_LOG,
                        "FILE[,FORMAT]",
                        "Write a line for each request. FORMAT is common, combined or json."
                                + " Default: combined; without this option, no log."));
    }

    /// Returns the logs that the option and `base` say. The option takes the place of the log
    /// without a name.
    static List<LogChoice> read(ParseResult parsed, List<LogChoice> base, Problems problems) {
        @Nullable String text = parsed.matchedOptionValue(ACCESS_LOG, null);
        if (text == null) {
            return base;
        }
        int comma = text.lastIndexOf(',');
        String last = text.substring(comma + 1);
        boolean named = comma > 0 && FORMATS.contains(last);
        String format = named ? last : USUAL_FORMAT;
        if (comma > 0 && !named && last.matches("[a-z]+")) {
            problems.usage(
                    "There is no format "
                            + last
                            + " of the access log: write "
                            + text.substring(0, comma)
                            + ",combined, or common or json in its place.");
            return base;
        }
        @Nullable Path file = path(named ? text.substring(0, comma) : text, problems);
        if (file == null) {
            return base;
        }
        @Nullable String obstacle = LogChoice.obstacle(file);
        if (obstacle != null) {
            problems.environment(obstacle);
        }
        LogSettings settings = new LogSettings(file, LogFormat.of(format, LogChoice.zone()));
        return new LogChoice(LogChoice.SERVER, settings).in(base);
    }

    private static @Nullable Path path(String text, Problems problems) {
        try {
            if (!text.isBlank()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            // as if it were empty
        }
        problems.usage(
                ACCESS_LOG
                        + " takes a file such as access.log, or access.log,common, not \""
                        + text
                        + "\".");
        return null;
    }
}
