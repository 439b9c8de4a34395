package dev.serval.command;

import dev.serval.config.Effective;
import dev.serval.config.KeyHelp;
import dev.serval.config.Reference;
import dev.serval.settings.ExitCodes;
import dev.serval.settings.Problems;
import dev.serval.settings.SettingsFile;
import dev.serval.settings.SystemLimits;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The commands that ask no server: `serval check`, `help`, `completion` and `version`. Stateless.
final class ConfigCommands {
    static final String CHECK = "check";
    static final String HELP = "help";
    static final String COMPLETION = "completion";

    private static final String DIFF = "--diff";
    private static final String QUIET = "--quiet";
    private static final String PAGE = "--page";

    private ConfigCommands() {}

    static CommandSpec check() {
        CommandSpec check = CommandSpec.create();
        check.addPositional(
                Options.arguments(
                        "[FILE]",
                        "The configuration. Default: that of --config, or ./serval.toml."));
        check.addOption(
                Options.flag(DIFF, "Show what a reload would change in the server that runs."));
        check.addOption(Options.flag(QUIET, "Print only what is wrong."));
        ControlSyntax.addOptions(check);
        check.usageMessage()
                .description(
                        "Checks a configuration, and prints it with the defaults that apply. The exit"
                                + " code is 0 if it is right, 2 if it is wrong, and 1 if this machine"
                                + " does not match it.");
        return check;
    }

    static CommandSpec help() {
        CommandSpec help = CommandSpec.create();
        help.addPositional(
                Options.arguments(
                        "[KEY]", "A key or table, such as mount.folder or limits; or a command."));
        help.addOption(Options.flag(PAGE, "Print the manual's page of all keys, as Markdown."));
        help.addOption(Options.help());
        help.usageMessage()
                .description(
                        "Tells what a key of the configuration means, or what a command does.");
        return help;
    }

    static CommandSpec completion() {
        CommandSpec completion = CommandSpec.create();
        completion.addPositional(Options.arguments("SHELL", "bash, zsh or fish."));
        completion.addOption(Options.help());
        completion
                .usageMessage()
                .description("Prints the script by which a shell completes the words of serval.");
        return completion;
    }

    static CommandSpec version() {
        CommandSpec version = CommandSpec.create();
        version.addOption(Options.help());
        version.usageMessage().description("Shows the version, as serval --version does.");
        return version;
    }

    static Invocation readCheck(ParseResult parsed) {
        Problems problems = new Problems();
        List<String> words = parsed.matchedPositionalValue(0, List.of());
        if (words.size() > 1) {
            problems.usage("serval check takes one file, not " + words.size() + ".");
            return Invocation.Refuse.of(problems);
        }
        @Nullable Path file =
                ConfigSyntax.path(
                        words.isEmpty()
                                ? parsed.matchedOptionValue(
                                        ControlSyntax.CONFIG, SettingsFile.USUAL_NAME)
                                : words.getFirst(),
                        problems);
        if (file == null) {
            return Invocation.Refuse.of(problems);
        }
        return parsed.hasMatchedOption(DIFF)
                ? ControlSyntax.diff(file, parsed)
                : new Check(file, parsed.hasMatchedOption(QUIET));
    }

    /// @param root has the commands, whose help is shown, too
    static Invocation readHelp(ParseResult parsed, CommandSpec root) {
        List<String> words = parsed.matchedPositionalValue(0, List.of());
        if (parsed.hasMatchedOption(PAGE)) {
            return new Invocation.Show(Reference.page());
        }
        if (words.isEmpty()) {
            return new Invocation.Show(KeyHelp.all());
        }
        String name = words.getFirst();
        @Nullable String key = KeyHelp.of(name);
        @Nullable CommandLine command = root.subcommands().get(name);
        if (command != null) {
            String usage = command.getUsageMessage(Ansi.OFF);
            return new Invocation.Show(key == null ? usage : usage + "\n" + key);
        }
        if (key != null) {
            return new Invocation.Show(key);
        }
        @Nullable String near = KeyHelp.nearest(name);
        Problems problems = new Problems();
        problems.usage(
                "There is no key "
                        + name
                        + (near == null ? "" : "; did you mean " + near + "?")
                        + (near == null ? ": " : " ")
                        + "serval help lists all keys.");
        return Invocation.Refuse.of(problems);
    }

    static Invocation readCompletion(ParseResult parsed, CommandSpec root) {
        List<String> words = parsed.matchedPositionalValue(0, List.of());
        if (words.size() == 1 && Completion.SHELLS.contains(words.getFirst())) {
            return new Invocation.Show(Completion.script(words.getFirst(), root));
        }
        Problems problems = new Problems();
        problems.usage("serval completion takes a shell: bash, zsh or fish.");
        return Invocation.Refuse.of(problems);
    }

    /// `serval check`: prints the configuration that applies, and warnings.
    ///
    /// @param quiet whether a configuration that is right is not printed
    record Check(Path file, boolean quiet) implements Invocation {
        @Override
        public int carryOut(PrintStream out, PrintStream err) {
            Problems problems = new Problems();
            @Nullable SettingsFile read = SettingsFile.read(file, System.getenv(), problems);
            problems.sentences().forEach(sentence -> err.println("serval: " + sentence));
            if (read == null || !problems.none()) {
                int count = problems.sentences().size();
                err.println(
                        "serval: "
                                + file
                                + (count == 1
                                        ? " has a mistake."
                                        : " has " + count + " mistakes."));
                return problems.exitCode();
            }
            if (!quiet) {
                out.print(Effective.text(read.values()));
            }
            problems.notes().forEach(note -> err.println("serval: Note: " + note));
            for (String warning : SystemLimits.warnings(read.options())) {
                err.println("serval: Warning: " + warning);
            }
            return ExitCodes.OK;
        }
    }
}
