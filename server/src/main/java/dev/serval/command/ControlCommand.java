package dev.serval.command;

import dev.serval.control.ControlClient;
import dev.serval.control.ControlFolder;
import dev.serval.control.ServerSearch;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A command that a running server carries out, such as `serval deploy` or `serval reload`.
///
/// @param words the command and its arguments
/// @param server the name of the server's control socket; null for that of the configuration
/// @param configuration the absolute path of the file with which the server runs, if `server` is null;
///     null for the only server
/// @param state the folder of the server's state; null for the usual one
public record ControlCommand(
        List<String> words,
        @Nullable String server,
        @Nullable Path configuration,
        @Nullable Path state)
        implements Invocation {
    /// Starts an application. Its arguments are the prefix, or nothing to let the server choose, and
    /// the path.
    public static final String DEPLOY = "deploy";

    /// Ends an application. Its argument is the prefix.
    public static final String UNDEPLOY = "undeploy";

    /// Shows what the server does.
    public static final String STATUS = "status";

    /// Reads the configuration file again, and applies what has changed.
    public static final String RELOAD = "reload";

    /// Shows what a reload would change. Its argument is the file.
    public static final String DIFF = "diff";

    /// Ends the server.
    public static final String STOP = "stop";

    /// Replaces the process of the server by a new one, without a failed request.
    public static final String UPGRADE = "upgrade";

    /// Opens the log files again, after a program has moved them.
    public static final String REOPEN = "reopen";

    /// Tells load balancers not to send requests. Its argument is `on` or `off`.
    public static final String DRAIN = "drain";

    /// Forces a load mode. Its argument is the mode, or `auto`.
    public static final String LOAD_MODE = "load-mode";

    /// Copies the words.
    public ControlCommand {
        words = List.copyOf(words);
    }

    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        ControlClient client = new ControlClient(folder(state), out, err);
        return server == null && configuration != null
                ? client.sendToServerOf(configuration, words)
                : client.send(server, words);
    }

    /// Returns whether the server runs, as far as that can be seen.
    boolean mayReach() {
        ControlFolder folder = folder(state);
        try {
            return server != null
                    ? Files.exists(folder.socket(server))
                    : configuration != null
                            && new ServerSearch(folder).serverOf(configuration) != null;
        } catch (IOException e) {
            return false; // another user's folder
        }
    }

    /// Returns the name of a server's control socket: its first port, or its process if it has none.
    public static String name(List<SocketAddress> addresses) {
        for (SocketAddress address : addresses) {
            if (address instanceof InetSocketAddress internet) {
                return Integer.toString(internet.getPort());
            }
        }
        return "pid-" + ProcessHandle.current().pid();
    }

    /// Returns where control sockets are.
    ///
    /// @param state the folder of a server's state; null for the usual folder of this user
    public static ControlFolder folder(@Nullable Path state) {
        if (state != null) {
            return new ControlFolder(state.resolve("run"));
        }
        return ControlFolder.ofUser(System.getenv(), Path.of(System.getProperty("user.home", "/")));
    }
}
