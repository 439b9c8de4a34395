package dev.serval.command;

import dev.serval.settings.Complaints;
import dev.serval.settings.LrwpChoice;
import dev.serval.settings.LrwpReader;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// Parses the options `--lrwp`, `--lrwp-allow` and `--lrwp-from`. Stateless.
final class LrwpSyntax {
    private static final String LRWP = "--lrwp";
    private static final String ALLOW = "--lrwp-allow";
    private static final String FROM = "--lrwp-from";
    private static final LrwpReader.Names NAMES = new LrwpReader.Names(LRWP, ALLOW, FROM);

    private LrwpSyntax() {}

    /// Adds the options to a command.
    static void addTo(CommandSpec run) {
        run.addOption(
                list(
                        LRWP,
                        "[ADDR:]PORT",
                        "Let applications in other processes dial in here (LRWP) and serve the"
                                + " paths that they register. The usual port is 1081. Without"
                                + " ADDR: 127.0.0.1. Also unix:PATH. May be given several"
                                + " times."));
        run.addOption(
                list(
                        ALLOW,
                        "NAME[=FILE]",
                        "Let only this name be registered, by peers that know the passphrase in"
                                + " FILE if one is given. May be given several times. Default, if"
                                + " only this machine can dial in: any name that takes no path from"
                                + " a web application or an upstream."));
        run.addOption(
                list(
                        FROM,
                        "ADDR[/BITS]",
                        "Let only peers with this address, or an address of this range such as"
                                + " 10.0.0.0/8, dial in. May be given several times. Default: any"
                                + " address that reaches "
                                + LRWP
                                + "."));
    }

    /// Returns what the options say. With an address, they take the place of all that `base` says.
    static LrwpChoice read(ParseResult parsed, LrwpChoice base, Complaints problems) {
        List<String> listen = parsed.matchedOptionValue(LRWP, List.of());
        List<String> allow = parsed.matchedOptionValue(ALLOW, List.of());
        List<String> from = parsed.matchedOptionValue(FROM, List.of());
        if (!listen.isEmpty()) {
            return LrwpReader.read(NAMES, listen, allow, from, Path.of(""), problems);
        }
        if (!allow.isEmpty() || !from.isEmpty()) {
            problems.usage(
                    (allow.isEmpty() ? FROM : ALLOW)
                            + " has no effect without "
                            + LRWP
                            + ": add "
                            + LRWP
                            + " 1081.");
        }
        return base;
    }

    private static OptionSpec list(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .description(description)
                .build();
    }
}
