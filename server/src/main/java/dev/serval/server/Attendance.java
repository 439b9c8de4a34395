package dev.serval.server;

import dev.serval.command.ControlCommand;
import dev.serval.control.Commands;
import dev.serval.control.ControlServer;
import dev.serval.settings.RunOptions;
import dev.serval.site.DevWatch;
import dev.serval.site.LiveSite;
import dev.serval.site.Reloads;
import dev.serval.site.SiteCommands;
import dev.serval.site.StatusScreen;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What attends to a server while it serves: the socket for commands, and with `--dev` the watch for
/// changes. Used by the main thread.
final class Attendance implements AutoCloseable {
    private final LiveSite site;
    private final @Nullable ControlServer control;
    private final @Nullable DevWatch watch;

    /// What to attend to.
    ///
    /// @param administration its listener; null for none
    record Wishes(RunOptions options, @Nullable Administration administration) {}

    private Attendance(LiveSite site, @Nullable ControlServer control, @Nullable DevWatch watch) {
        this.site = site;
        this.control = control;
        this.watch = watch;
    }

    /// Starts to attend.
    ///
    /// @param reloads reads the configuration again
    /// @param signals stops the server
    /// @param wishes what the configuration asks for
    static Attendance open(
            LiveSite site,
            Reloads reloads,
            StopSignals signals,
            Wishes wishes,
            PrintStream out,
            PrintStream err) {
        RunOptions options = wishes.options;
        @Nullable Administration administration = wishes.administration;
        if (options.origin() != null) {
            signals.onHangUp(() -> reload(reloads, out, err));
        }
        SiteCommands commands =
                new SiteCommands(
                        site, new StatusScreen(site, System.nanoTime()), reloads, signals::ask);
        if (administration != null) {
            try {
                administration.open(reloads, commands);
            } catch (IOException e) {
                err.println("serval: Administration is not possible (" + e + ").");
            }
        }
        return new Attendance(
                site,
                control(site, commands, options.state(), err),
                options.apps().dev() ? DevWatch.start(site, out) : null);
    }

    private static void reload(Reloads reloads, PrintStream out, PrintStream err) {
        try {
            reloads.reload(
                    new Commands.Answer() {
                        @Override
                        public void line(String text) {
                            out.println(text);
                            out.flush();
                        }

                        @Override
                        public void problem(String text) {
                            err.println("serval: " + text);
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e); // this answer throws none
        }
    }

    /// Opens the socket for commands. The server runs without it if that fails.
    private static @Nullable ControlServer control(
            LiveSite site, Commands commands, @Nullable Path state, PrintStream err) {
        try {
            return ControlServer.open(
                    ControlCommand.folder(state),
                    ControlCommand.name(site.serval().addresses()),
                    commands);
        } catch (IOException | RuntimeException e) {
            err.println(
                    "serval: Commands such as deploy, reload and status cannot reach this server: "
                            + (e.getMessage() == null ? e.toString() : e.getMessage())
                            + ". It serves without them.");
            return null;
        }
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
