package dev.serval.command;

import dev.serval.file.FileOptions;
import dev.serval.settings.Mount;
import dev.serval.settings.Problems;
import dev.serval.settings.SettingsFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The syntax of the commands to a running server. Stateless.
final class ControlSyntax {
    private static final String SERVER = "--server";
    static final String CONFIG = "--config";

    private ControlSyntax() {}

    static CommandSpec deploy() {
        CommandSpec deploy =
                command(
                        "[[HOST]/PREFIX=]APP",
                        "A WAR, or a folder that has WEB-INF. Without a prefix, it replaces the"
                                + " application of the same path or file name, or is served at its"
                                + " name. HOST is the name of a [[host]] of the configuration.");
        deploy.usageMessage()
                .description(
                        "Starts an application in a running server. The version that runs at the"
                                + " same prefix serves until the new one takes its requests, and"
                                + " then ends after its last request.");
        return deploy;
    }

    static CommandSpec undeploy() {
        CommandSpec undeploy =
                command(
                        "[HOST]/PREFIX",
                        "Where the application is served. HOST is the name of a [[host]] of the"
                                + " configuration.");
        undeploy.usageMessage()
                .description("Ends an application of a running server after its last request.");
        return undeploy;
    }

    private static CommandSpec command(String label, String description) {
        CommandSpec command = CommandSpec.create();
        command.addPositional(Options.arguments(label, description));
        addOptions(command);
        return command;
    }

    /// Adds the options that say which server is meant.
    static void addOptions(CommandSpec command) {
        command.addOption(
                Options.value(
                        SERVER,
                        "PORT",
                        "The server's first port, or the path of its control socket. Default: that"
                                + " of ./serval.toml if it runs, or the only server of this user."));
        command.addOption(
                Options.value(CONFIG, "FILE", "The configuration with which the server runs."));
        command.addOption(Options.help());
        command.usageMessage().synopsisHeading("Usage: ").parameterListHeading("%n");
    }

    static Invocation deploy(ParseResult parsed) {
        Problems problems = new Problems();
        @Nullable String argument = only(parsed, "deploy takes one application", problems);
        String host = argument == null || argument.indexOf('=') < 0 ? "" : Mount.host(argument);
        @Nullable String local = argument == null ? null : argument.substring(host.length());
        @Nullable Mount mount =
                local == null ? null : Mount.read(local, true, FileOptions.DEFAULT, problems);
        if (local == null || mount == null) {
            return Invocation.Refuse.of(problems);
        }
        if (!mount.application()) {
            problems.environment(
                    mount.path()
                            + " is not an application: give a WAR, or a folder that has WEB-INF.");
            return Invocation.Refuse.of(problems);
        }
        String prefix = Mount.hasPrefix(local) ? host + mount.prefix() : "";
        return toServer(List.of(ControlCommand.DEPLOY, prefix, mount.path().toString()), parsed);
    }

    static Invocation undeploy(ParseResult parsed) {
        Problems problems = new Problems();
        @Nullable String place = only(parsed, "undeploy takes one prefix", problems);
        if (place == null) {
            return Invocation.Refuse.of(problems);
        }
        String host = Mount.host(place);
        String prefix = place.substring(host.length());
        if (!prefix.startsWith("/")) {
            problems.usage("A prefix begins with a slash: write /" + prefix + ".");
            return Invocation.Refuse.of(problems);
        }
        // As for deploy, a slash at the end does not count.
        String name =
                prefix.length() > 1 && prefix.endsWith("/")
                        ? prefix.substring(0, prefix.length() - 1)
                        : prefix;
        return toServer(List.of(ControlCommand.UNDEPLOY, host + name), parsed);
    }

    /// Returns the command of a name that has no arguments.
    static Invocation bare(String name, ParseResult parsed) {
        return toServer(List.of(name), parsed);
    }

    /// Returns the syntax of a command with one word.
    static CommandSpec word(String label, String argument, String description) {
        CommandSpec command = command(label, argument);
        command.usageMessage().description(description);
        return command;
    }

    /// Returns the command of a name that has one word; without it, `on`.
    static Invocation word(String name, ParseResult parsed) {
        List<String> arguments = parsed.matchedPositionalValue(0, List.of());
        if (arguments.isEmpty() && name.equals(ControlCommand.DRAIN)) {
            return toServer(List.of(name, "on"), parsed);
        }
        Problems problems = new Problems();
        String words = String.join(", ", Completion.arguments(name));
        @Nullable String word = only(parsed, name + " takes one word of " + words, problems);
        return word == null
                ? Invocation.Refuse.of(problems)
                : toServer(List.of(name, word), parsed);
    }

    /// Returns the command that shows what a reload of a file would change.
    static Invocation diff(Path file, ParseResult parsed) {
        return toServer(
                List.of(ControlCommand.DIFF, file.toAbsolutePath().normalize().toString()),
                parsed,
                file);
    }

    static CommandSpec bare(String description) {
        CommandSpec command = CommandSpec.create();
        addOptions(command);
        command.usageMessage().description(description);
        return command;
    }

    private static Invocation toServer(List<String> words, ParseResult parsed) {
        return toServer(words, parsed, Path.of(SettingsFile.USUAL_NAME));
    }

    /// @param usual without `--config`, the server of this configuration is meant if there is one
    private static Invocation toServer(List<String> words, ParseResult parsed, Path usual) {
        @Nullable String config = parsed.matchedOptionValue(CONFIG, null);
        @Nullable String server = parsed.matchedOptionValue(SERVER, null);
        if (config == null) {
            @Nullable ControlCommand there = command(words, server, usual, new Problems());
            return there != null && there.mayReach()
                    ? there
                    : new ControlCommand(words, server, null, null);
        }
        Problems problems = new Problems();
        @Nullable Path file = ConfigSyntax.path(config, problems);
        @Nullable ControlCommand command =
                file == null ? null : command(words, server, file, problems);
        return command == null ? Invocation.Refuse.of(problems) : command;
    }

    /// Returns the command to the server of a configuration; null if the file cannot be read.
    private static @Nullable ControlCommand command(
            List<String> words, @Nullable String server, Path file, Problems problems) {
        @Nullable SettingsFile read = SettingsFile.readable(file, System.getenv(), problems);
        return read == null
                ? null
                : new ControlCommand(
                        words, server, file.toAbsolutePath().normalize(), read.options().state());
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
