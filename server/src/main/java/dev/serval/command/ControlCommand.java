package dev.serval.command;

import dev.serval.control.ControlClient;
import dev.serval.control.ControlFolder;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A command that a running server carries out: `serval deploy`, `undeploy` or `status`.
///
/// @param words the command and its arguments
/// @param server the name of the server's control socket; null for the only one
public record ControlCommand(List<String> words, @Nullable String server) implements Invocation {
    /// Starts an application. Its arguments are the prefix, or nothing to let the server choose, and
    /// the path.
    public static final String DEPLOY = "deploy";

    /// Ends an application. Its argument is the prefix.
    public static final String UNDEPLOY = "undeploy";

    /// Shows what the server does.
    public static final String STATUS = "status";

    /// Copies the words.
    public ControlCommand {
        words = List.copyOf(words);
    }

    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        return new ControlClient(folder(), out, err).send(server, words);
    }

    /// Returns where the control sockets of this user's servers are.
    public static ControlFolder folder() {
        return ControlFolder.ofUser(System.getenv(), Path.of(System.getProperty("user.home", "/")));
    }
}
