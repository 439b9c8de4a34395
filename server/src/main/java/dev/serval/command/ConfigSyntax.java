package dev.serval.command;

import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.settings.Problems;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SettingsFile;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The option `--config`, which names a configuration file. Stateless.
final class ConfigSyntax {
    private static final String CONFIG = "--config";

    private ConfigSyntax() {}

    /// Adds the option to a command.
    static void addTo(CommandSpec run) {
        run.addOption(
                Options.value(
                        CONFIG,
                        "FILE",
                        "A configuration file, which the other options override. Default, without"
                                + " any argument: ./serval.toml if there is one."));
    }

    /// Returns the file that the arguments name, or the usual one if there is no argument and it exists.
    ///
    /// @return null if there is none, or after a problem
    static @Nullable Path file(ParseResult parsed, Problems problems) {
        @Nullable String named = parsed.matchedOptionValue(CONFIG, null);
        if (named != null) {
            return path(named, problems);
        }
        Path usual = Path.of(SettingsFile.USUAL_NAME);
        boolean bare = parsed.matchedOptions().isEmpty() && parsed.matchedPositionals().isEmpty();
        return bare && Files.exists(usual) ? usual : null;
    }

    /// Returns what a file says, or the defaults without one; null after a problem.
    ///
    /// @param tree a configuration in place of that of the file; null for the file
    static @Nullable RunOptions read(
            @Nullable Path file, Node.@Nullable Table tree, Problems problems) {
        if (file == null) {
            return RunOptions.STANDARD;
        }
        if (tree == null) {
            @Nullable SettingsFile read = SettingsFile.read(file, System.getenv(), problems);
            return read == null ? null : read.options();
        }
        return SettingsFile.of(tree, file, "", new Mistakes(), problems).options();
    }

    /// Returns the path of a file; null after a problem.
    static @Nullable Path path(String text, Problems problems) {
        try {
            if (!text.isEmpty()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            // as if it were empty
        }
        problems.usage(CONFIG + " takes a file such as serval.toml, not \"" + text + "\".");
        return null;
    }
}
