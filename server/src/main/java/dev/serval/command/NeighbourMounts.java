package dev.serval.command;

import dev.serval.settings.Complaints;
import dev.serval.settings.NeighbourMount;
import dev.serval.settings.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// Reads the mounts of a command line that name neighbours, and the option `--max-content`.
/// Stateless.
final class NeighbourMounts {
    private static final String MAX_CONTENT = "--max-content";
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kKmMgG]?)");

    private NeighbourMounts() {}

    /// Adds the option to a command.
    static void addTo(CommandSpec run) {
        run.addOption(
                OptionSpec.builder(MAX_CONTENT)
                        .paramLabel("SIZE")
                        .type(String.class)
                        .arity("1")
                        .description(
                                "The most content of one request, such as 200m; past it 413."
                                        + " Default: 10m.")
                        .build());
    }

    /// Returns what `--max-content` says, in bytes; -1 without the option, or after a problem.
    static long contentMaxBytes(ParseResult parsed, Complaints problems) {
        @Nullable String text = parsed.matchedOptionValue(MAX_CONTENT, null);
        if (text == null) {
            return -1;
        }
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            problems.usage(
                    MAX_CONTENT + " takes a size such as 500k, 200m or 2g, not \"" + text + "\".");
            return -1;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> number << 10;
            case "m" -> number << 20;
            case "g" -> number << 30;
            default -> number;
        };
    }

    /// Reads the arguments that name neighbours.
    ///
    /// @param prefix checks the prefix of an argument; null after a problem
    /// @param taken whether something else is served at a place
    static List<NeighbourMount> read(
            List<String> arguments,
            Function<String, @Nullable String> prefix,
            Predicate<Place> taken,
            Complaints problems) {
        List<NeighbourMount> mounts = new ArrayList<>();
        for (String argument : arguments) {
            if (!NeighbourMount.isNeighbour(argument)) {
                continue;
            }
            @Nullable String at = argument.startsWith("/") ? prefix.apply(argument) : "/";
            @Nullable NeighbourMount mount =
                    at == null ? null : NeighbourMount.read(Place.at(at), argument, problems);
            if (mount == null) {
                continue;
            }
            boolean twice = mounts.stream().anyMatch(one -> one.place().equals(mount.place()));
            if (twice || taken.test(mount.place())) {
                problems.usage(
                        "\""
                                + argument
                                + "\" would be served at "
                                + at
                                + ", where something else is served: give it another prefix, such as"
                                + " /api=http://127.0.0.1:9000.");
            }
            mounts.add(mount);
        }
        return mounts;
    }
}
