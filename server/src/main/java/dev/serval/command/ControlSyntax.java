package dev.serval.command;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The syntax of the commands to a running server. Stateless.
final class ControlSyntax {
    private static final String SERVER = "--server";

    private ControlSyntax() {}

    static CommandSpec deploy() {
        CommandSpec deploy =
                command(
                        "[/PREFIX=]APP",
                        "A WAR, or a folder that has WEB-INF. Without a prefix, it replaces the"
                                + " application of the same path or file name, or is served at its"
                                + " name.");
        deploy.usageMessage()
                .description(
                        "Starts an application in a running server. The version that runs at the"
                                + " same prefix serves until the new one takes its requests, and"
                                + " then ends after its last request.");
        return deploy;
    }

    static CommandSpec undeploy() {
        CommandSpec undeploy = command("/PREFIX", "Where the application is served.");
        undeploy.usageMessage()
                .description("Ends an application of a running server after its last request.");
        return undeploy;
    }

    static CommandSpec status() {
        CommandSpec status = CommandSpec.create();
        addOptions(status);
        status.usageMessage()
                .description(
                        "Shows what a running server does: its applications and sessions, the"
                                + " slowest servlets, and requests in progress with their stacks.");
        return status;
    }

    private static CommandSpec command(String label, String description) {
        CommandSpec command = CommandSpec.create();
        command.addPositional(Options.arguments(label, description));
        addOptions(command);
        return command;
    }

    private static void addOptions(CommandSpec command) {
        command.addOption(
                Options.value(
                        SERVER,
                        "PORT",
                        "The server's first port, or the path of its control socket. Default: the"
                                + " only server of this user."));
        command.addOption(Options.help());
        command.usageMessage().synopsisHeading("Usage: ").parameterListHeading("%n");
    }

    static Invocation deploy(ParseResult parsed) {
        Problems problems = new Problems();
        @Nullable String argument = only(parsed, "deploy takes one application", problems);
        @Nullable Mount mount = argument == null ? null : Mount.read(argument, true, problems);
        if (argument == null || mount == null) {
            return problems.refusal();
        }
        if (!mount.application()) {
            problems.environment(
                    mount.path()
                            + " is not an application: give a WAR, or a folder that has WEB-INF.");
            return problems.refusal();
        }
        String prefix = Mount.hasPrefix(argument) ? mount.prefix() : "";
        return new ControlCommand(
                List.of(ControlCommand.DEPLOY, prefix, mount.path().toString()), server(parsed));
    }

    static Invocation undeploy(ParseResult parsed) {
        Problems problems = new Problems();
        @Nullable String prefix = only(parsed, "undeploy takes one prefix", problems);
        if (prefix == null) {
            return problems.refusal();
        }
        if (!prefix.startsWith("/")) {
            problems.usage("A prefix begins with a slash: write /" + prefix + ".");
            return problems.refusal();
        }
        // As for deploy, a slash at the end does not count.
        String name =
                prefix.length() > 1 && prefix.endsWith("/")
                        ? prefix.substring(0, prefix.length() - 1)
                        : prefix;
        return new ControlCommand(List.of(ControlCommand.UNDEPLOY, name), server(parsed));
    }

    static Invocation status(ParseResult parsed) {
        return new ControlCommand(List.of(ControlCommand.STATUS), server(parsed));
    }

    private static @Nullable String server(ParseResult parsed) {
        return parsed.matchedOptionValue(SERVER, null);
    }

    private static @Nullable String only(ParseResult parsed, String takes, Problems problems) {
        List<String> arguments = parsed.matchedPositionalValue(0, List.of());
        if (arguments.size() == 1) {
            return arguments.getFirst();
        }
        problems.usage("serval " + takes + ", not " + arguments.size() + ".");
        return null;
    }
}
