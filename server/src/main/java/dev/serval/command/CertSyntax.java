package dev.serval.command;

import dev.serval.settings.Problems;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The grammar of `serval cert`. Stateless.
final class CertSyntax {
    static final String NAME = "cert";

    private static final String DEV = "dev";
    private static final Pattern HOST =
            Pattern.compile("(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?|[0-9A-Fa-f:]+");
    private static final int NAMES_MAX = 50;

    private CertSyntax() {}

    /// Returns the command with its one command.
    static CommandSpec spec() {
        CommandSpec cert = CommandSpec.create();
        cert.addOption(Options.help());
        cert.usageMessage()
                .description("Makes a certificate for development.")
                .footer("", "  serval cert dev", "  serval run --tls cert.pem,key.pem ./site");
        CommandSpec dev = CommandSpec.create();
        dev.addPositional(
                Options.arguments(
                        "[NAME...]",
                        "Names and addresses in addition to localhost, 127.0.0.1 and ::1."));
        dev.addOption(Options.help());
        dev.usageMessage()
                .description(
                        "Makes cert.pem and key.pem in the current folder: a certificate for a year that"
                                + " it signs itself. Browsers warn of it until they are told to trust"
                                + " it.");
        cert.addSubcommand(DEV, dev);
        return cert;
    }

    /// Returns what the arguments after `cert` ask for.
    static Invocation read(ParseResult cert) {
        Problems problems = new Problems();
        if (!cert.hasSubcommand()) {
            problems.usage("serval cert needs the word dev: see serval cert --help.");
            return Invocation.Refuse.of(problems);
        }
        List<String> names = cert.subcommand().matchedPositionalValue(0, List.of());
        for (String name : names) {
            if (!HOST.matcher(name).matches()) {
                problems.usage(
                        "\""
                                + name
                                + "\" is no name of a host: it must be such as example.test,"
                                + " *.example.test or 192.168.0.5.");
            }
        }
        if (names.size() > NAMES_MAX) {
            problems.usage("A certificate takes at most " + NAMES_MAX + " names here.");
        }
        return problems.none() ? new CertCommand(names) : Invocation.Refuse.of(problems);
    }
}
