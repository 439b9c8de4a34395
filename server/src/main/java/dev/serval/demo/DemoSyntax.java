package dev.serval.demo;

import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.settings.Complaints;
import dev.serval.settings.LrwpChoice;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// Parses the option `--demo`. Stateless.
public final class DemoSyntax {
    private static final String DEMO = "--demo";

    private DemoSyntax() {}

    /// Adds the option to a command.
    public static void addTo(CommandSpec run) {
        run.addOption(
                OptionSpec.builder(DEMO)
                        .type(boolean.class)
                        .arity("0")
                        .description(
                                "Also start an example that dials in from a process of its own"
                                        + " (LRWP) and serves "
                                        + Demo.PATH
                                        + ".")
                        .build());
    }

    /// Returns whether the demo is wanted.
    ///
    /// @param isMounted whether something else is to be served at a path
    /// @param lrwp what the command line says about other applications that dial in
    public static boolean read(
            ParseResult parsed, Predicate<String> isMounted, LrwpChoice lrwp, Complaints problems) {
        if (!parsed.hasMatchedOption(DEMO)) {
            return false;
        }
        if (isMounted.test(Demo.PATH)) {
            problems.usage(
                    "--demo serves its page at "
                            + Demo.PATH
                            + ", where something else is to be served: give that another prefix,"
                            + " or leave out --demo.");
        }
        @Nullable LrwpSettings settings = lrwp.settings();
        if (settings != null && settings.allowed().names().contains(Demo.NAME)) {
            problems.usage(
                    "--demo registers the name "
                            + Demo.NAME
                            + " with a passphrase of its own: leave out --lrwp-allow "
                            + Demo.NAME
                            + ", or --demo.");
        }
        if (settings != null && !settings.from().isEmpty()) {
            problems.usage(
                    "--demo dials in from this machine, which --lrwp-from may exclude: leave out"
                            + " --lrwp-from, or --demo.");
        }
        if (lrwp.tls() != null) {
            problems.usage(
                    "--demo dials in without TLS: leave out lrwp.tls in the configuration, or"
                            + " --demo.");
        }
        return true;
    }
}
