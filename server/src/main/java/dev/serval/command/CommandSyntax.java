package dev.serval.command;

import dev.serval.config.Nearest;
import dev.serval.settings.NeighbourMount;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Parses command lines: arguments in, [Invocation] out. Stateless.
///
/// The grammar is built by calls, and values are plain texts. Annotations would be read by
/// reflection at every start, and this project's own checks give better messages than "could not
/// convert".
public final class CommandSyntax {
    static final String VERSION = "--version";
    private static final String VERSION_COMMAND = "version";

    /// What other servers call some options.
    private static final Map<String, String> ELSEWHERE =
            Map.of(
                    "-p", "--port",
                    "-c", "--config",
                    "-b", "--host",
                    "--bind", "--host",
                    "--listen", "--port",
                    "--address", "--host");

    private static final List<String> SCRIPT_COMMANDS =
            List.of("verify", "bench", "soak", "stress", "package", "tck", "osp");

    private CommandSyntax() {}

    /// Returns the invocation that the arguments describe.
    ///
    /// @param running makes the invocation of `serval run` from its checked options, and from what
    ///     reads them again
    public static Invocation read(
            String[] arguments, BiFunction<RunOptions, Rereading, Invocation> running) {
        if (arguments.length > 0 && ofTheScript(arguments[0])) {
            return refuse(
                    "\"serval "
                            + arguments[0]
                            + "\" belongs to the script ./serval of the source tree: run it there.");
        }
        // The other commands cost time, which a start of the server need not spend.
        boolean runs = arguments.length > 0 && arguments[0].equals(RunSyntax.NAME);
        CommandLine syntax = new CommandLine(serval(runs));
        ParseResult parsed;
        try {
            parsed = syntax.parseArgs(arguments);
        } catch (ParameterException e) {
            return refuse(explained(e));
        }
        if (parsed.hasMatchedOption(VERSION)) {
            return version();
        }
        if (parsed.hasMatchedOption(Options.HELP)) {
            return new Invocation.Show(syntax.getUsageMessage(Ansi.OFF));
        }
        if (!parsed.hasSubcommand()) {
            return refuse("There is no command: try serval run FOLDER, or serval --help.");
        }
        for (ParseResult one = parsed.subcommand(); one != null; one = one.subcommand()) {
            if (one.hasMatchedOption(Options.HELP)) {
                return new Invocation.Show(
                        one.commandSpec().commandLine().getUsageMessage(Ansi.OFF));
            }
        }
        ParseResult command = parsed.subcommand();
        return switch (command.commandSpec().name()) {
            case ControlCommand.DEPLOY -> ControlSyntax.deploy(command);
            case ControlCommand.UNDEPLOY -> ControlSyntax.undeploy(command);
            case ControlCommand.STATUS,
                    ControlCommand.RELOAD,
                    ControlCommand.STOP,
                    ControlCommand.REOPEN,
                    ControlCommand.UPGRADE ->
                    ControlSyntax.bare(command.commandSpec().name(), command);
            case ControlCommand.DRAIN, ControlCommand.LOAD_MODE ->
                    ControlSyntax.word(command.commandSpec().name(), command);
            case ConfigCommands.CHECK -> ConfigCommands.readCheck(command);
            case ConfigCommands.HELP -> ConfigCommands.readHelp(command, syntax.getCommandSpec());
            case ConfigCommands.COMPLETION ->
                    ConfigCommands.readCompletion(command, syntax.getCommandSpec());
            case UserSyntax.NAME -> UserSyntax.read(command);
            case CertSyntax.NAME -> CertSyntax.read(command);
            case VERSION_COMMAND -> version();
            default -> RunSyntax.read(command, running);
        };
    }

    private static Invocation version() {
        return new Invocation.Show("serval " + Version.TEXT + "\n");
    }

    private static boolean ofTheScript(String command) {
        return SCRIPT_COMMANDS.contains(command);
    }

    private static Invocation refuse(String usage) {
        return new Invocation.Refuse(List.of(usage), Invocation.USAGE);
    }

    private static String explained(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().getFirst();
            boolean option = argument.startsWith("-");
            CommandSpec command = e.getCommandLine().getCommandSpec();
            @Nullable String near = ELSEWHERE.get(argument);
            if (near == null || !command.optionsMap().containsKey(near)) {
                near =
                        Nearest.to(
                                argument,
                                option
                                        ? command.optionsMap().keySet()
                                        : command.subcommands().keySet());
            }
            if (near == null
                    && command.subcommands().containsKey(RunSyntax.NAME)
                    && serves(argument)) {
                return "There is no command "
                        + argument
                        + ": to serve it, write serval run "
                        + argument
                        + ".";
            }
            return (option ? "There is no option " : "There is no command ")
                    + argument
                    + (near == null ? ": " : "; did you mean " + near + "? ")
                    + "serval --help and serval run --help list the options.";
        }
        String command = e.getCommandLine().getCommandSpec().qualifiedName(" ");
        return e.getMessage() + ": see " + command + " --help.";
    }

    /// Returns whether an argument names something that `serval run` takes.
    private static boolean serves(String argument) {
        try {
            return Files.exists(Path.of(argument)) || NeighbourMount.isNeighbour(argument);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static CommandSpec serval(boolean runs) {
        CommandSpec serval = CommandSpec.create().name("serval");
        serval.addOption(Options.help());
        serval.addOption(Options.flag(VERSION, "Show the version and exit.", "-v", "-V"));
        serval.addSubcommand(RunSyntax.NAME, RunSyntax.spec());
        if (!runs) {
            serval.addSubcommand(ControlCommand.DEPLOY, ControlSyntax.deploy());
            serval.addSubcommand(ControlCommand.UNDEPLOY, ControlSyntax.undeploy());
            serval.addSubcommand(ConfigCommands.CHECK, ConfigCommands.check());
            serval.addSubcommand(
                    ControlCommand.RELOAD,
                    ControlSyntax.bare(
                            "Has a running server read its configuration again and apply what has"
                                    + " changed. A wrong file changes nothing."));
            serval.addSubcommand(
                    ControlCommand.STATUS,
                    ControlSyntax.bare(
                            "Shows what a running server does: its applications and sessions, the"
                                    + " slowest servlets, and requests in progress with their"
                                    + " stacks."));
            serval.addSubcommand(
                    ControlCommand.STOP,
                    ControlSyntax.bare(
                            "Ends a running server, as SIGTERM does, after its stop-delay, and"
                                    + " returns when it has ended."));
            addOperation(serval);
            serval.addSubcommand(
                    ControlCommand.REOPEN,
                    ControlSyntax.bare(
                            "Has a running server open its log files again, after a program has moved"
                                    + " them."));
            serval.addSubcommand(
                    ControlCommand.UPGRADE,
                    ControlSyntax.bare(
                            "Replaces a running server by a new process, such as after an update of"
                                    + " the package, without a failed request. Needs epoll."));
            serval.addSubcommand(ConfigCommands.HELP, ConfigCommands.help());
            serval.addSubcommand(ConfigCommands.COMPLETION, ConfigCommands.completion());
            serval.addSubcommand(UserSyntax.NAME, UserSyntax.spec());
            serval.addSubcommand(CertSyntax.NAME, CertSyntax.spec());
            serval.addSubcommand(VERSION_COMMAND, ConfigCommands.version());
        }
        serval.usageMessage()
                .header("Serval, a web server.")
                .synopsisHeading("%nUsage: ")
                .optionListHeading("%n")
                .commandListHeading("%nCommands:%n")
                .footer(
                        "",
                        "In the source tree the script ./serval also has:",
                        "  verify [--strict]  Build, and run every check and test.",
                        "  bench NAME         Run a benchmark; bench --list shows the names.",
                        "  soak [NAME]        Load a server for long, and check every answer.",
                        "  stress             Run the concurrency tests.",
                        "  package            Build the Debian package.",
                        "  tck SUITE          Run an official test suite of Jakarta EE.",
                        "  osp                Run the OSP server of the examples.");
        return serval;
    }

    /// Adds the commands that tell a running server how to treat requests.
    private static void addOperation(CommandSpec serval) {
        serval.addSubcommand(
                ControlCommand.DRAIN,
                ControlSyntax.word(
                        "[on|off]",
                        "on, which is the default, or off.",
                        "Has a running server answer 503 at its path for readiness, so that load"
                                + " balancers send no more requests. It still serves."));
        serval.addSubcommand(
                ControlCommand.LOAD_MODE,
                ControlSyntax.word(
                        "MODE",
                        "light, normal, heavy or critical, or auto for that of the load.",
                        "Forces the load mode of a running server."));
    }
}
