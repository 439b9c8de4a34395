package dev.serval.server;

import dev.serval.command.ControlCommand;
import dev.serval.control.ControlServer;
import dev.serval.site.DevWatch;
import dev.serval.site.LiveSite;
import dev.serval.site.SiteCommands;
import dev.serval.site.StatusScreen;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What attends to a server while it serves: the socket for commands, and with `--dev` the watch for
/// changes. Used by the main thread.
final class Attendance implements AutoCloseable {
    private final LiveSite site;
    private final @Nullable ControlServer control;
    private final @Nullable DevWatch watch;

    private Attendance(LiveSite site, @Nullable ControlServer control, @Nullable DevWatch watch) {
        this.site = site;
        this.control = control;
        this.watch = watch;
    }

    /// Starts to attend.
    ///
    /// @param dev whether to watch for changes
    static Attendance open(LiveSite site, boolean dev, PrintStream out, PrintStream err) {
        return new Attendance(site, control(site, err), dev ? DevWatch.start(site, out) : null);
    }

    /// Opens the socket for commands. The server runs without it if that fails.
    private static @Nullable ControlServer control(LiveSite site, PrintStream err) {
        StatusScreen status = new StatusScreen(site, System.nanoTime());
        try {
            return ControlServer.open(
                    ControlCommand.folder(),
                    name(site.serval().addresses()),
                    new SiteCommands(site, status));
        } catch (IOException | RuntimeException e) {
            err.println(
                    "serval: The commands deploy, undeploy and status cannot reach this server: "
                            + (e.getMessage() == null ? e.toString() : e.getMessage())
                            + ". It serves without them.");
            return null;
        }
    }

    /// Returns the name of a server's socket: its first port, or its process if it has none.
    private static String name(List<SocketAddress> addresses) {
        for (SocketAddress address : addresses) {
            if (address instanceof InetSocketAddress internet) {
                return Integer.toString(internet.getPort());
            }
        }
        return "pid-" + ProcessHandle.current().pid();
    }

    /// Ends the attendance. A change in progress is awaited for a moment.
    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        if (control != null) {
            control.close();
        }
        site.close();
    }
}
