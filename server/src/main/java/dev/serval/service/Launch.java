package dev.serval.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The command that starts a process like this one: the launcher that has started it, so that the
/// launcher, the Java runtime and the server may be of another version meanwhile, or else the command
/// of this process. Immutable.
///
/// @param command the program and its arguments
public record Launch(List<String> command) {
    /// The variable in which a launcher puts its own path.
    static final String VARIABLE = "SERVAL_LAUNCHER";

    private static final String CONFIG = "--config";
    private static final Path OWN = Path.of("/proc/self/cmdline");

    /// Copies the command.
    public Launch {
        command = List.copyOf(command);
    }

    /// Returns the command of this process.
    ///
    /// @param environment its variables
    /// @param arguments those of the server
    /// @param configuration the file with which the server was started, which is named in any case: it
    ///     may be missing now, and must not be passed over; null without a file
    /// @throws IOException if the system does not tell it
    public static Launch own(
            Map<String, String> environment, List<String> arguments, @Nullable Path configuration)
            throws IOException {
        @Nullable String launcher = environment.get(VARIABLE);
        List<String> command = new ArrayList<>();
        if (launcher == null || launcher.isEmpty()) {
            String words = Files.readString(OWN, UTF_8); // each ends with a zero byte
            command.addAll(List.of(words.split("\0", -1)).subList(0, count(words)));
        } else {
            command.add(launcher);
            command.addAll(arguments);
        }
        if (configuration != null && arguments.stream().noneMatch(Launch::namesConfiguration)) {
            command.add(CONFIG);
            command.add(configuration.toString());
        }
        return new Launch(command);
    }

    private static boolean namesConfiguration(String argument) {
        return argument.equals(CONFIG) || argument.startsWith(CONFIG + "=");
    }

    private static int count(String words) {
        return (int) words.chars().filter(c -> c == 0).count();
    }
}
