package dev.serval.server;

import dev.serval.command.ControlCommand;
import dev.serval.control.Commands;
import dev.serval.control.ControlFolder;
import dev.serval.control.ControlServer;
import dev.serval.service.Supervisor;
import dev.serval.service.Upgrade;
import dev.serval.settings.RunOptions;
import dev.serval.site.DevWatch;
import dev.serval.site.LiveSite;
import dev.serval.site.Readiness;
import dev.serval.site.Reloads;
import dev.serval.site.SiteCommands;
import dev.serval.site.StatusScreen;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What attends to a server while it serves: the socket for commands, and with `--dev` the watch for
/// changes. Used by the main thread.
final class Attendance implements AutoCloseable {
    /// The process, and the streams of its terminal.
    ///
    /// @param signals stop it
    /// @param supervisor learns its state
    /// @param succession the processes before and after it
    /// @param readiness whether it wants requests
    record Host(
            StopSignals signals,
            Supervisor supervisor,
            Succession succession,
            Readiness readiness,
            PrintStream out,
            PrintStream err) {}

    private final LiveSite site;
    private final @Nullable ControlServer control;
    private final @Nullable DevWatch watch;
    private final Upgrade upgrade;
    private final @Nullable Administration administration;

    private Attendance(
            LiveSite site,
            @Nullable ControlServer control,
            @Nullable DevWatch watch,
            Upgrade upgrade,
            @Nullable Administration administration) {
        this.site = site;
        this.control = control;
        this.watch = watch;
        this.upgrade = upgrade;
        this.administration = administration;
    }

    /// Starts to attend.
    ///
    /// @param reloads reads the configuration again
    /// @param administration its listener; null for none
    static Attendance open(
            LiveSite site,
            Reloads reloads,
            Host host,
            RunOptions options,
            @Nullable Administration administration) {
        SiteCommands ofSite =
                new SiteCommands(
                        site,
                        new StatusScreen(site, host.readiness(), System.nanoTime()),
                        reloads,
                        host.readiness(),
                        options.engine().readiness().delay(),
                        host.signals()::ask);
        Upgrade upgrade =
                new Upgrade(
                        site.serval(),
                        site.listening().inherited(),
                        host.succession().launching(),
                        ControlCommand.folder(options.state()).path(),
                        pid -> {
                            host.supervisor().succeeded(pid);
                            host.signals().ask();
                        });
        Commands commands = new ServiceCommands(ofSite, upgrade, reloads, host.supervisor());
        if (options.origin() != null) {
            host.signals().onHangUp(() -> carryOut(ControlCommand.RELOAD, commands, host));
        }
        host.signals().onUser1(() -> carryOut(ControlCommand.REOPEN, commands, host));
        if (administration != null) {
            administration.open(site, reloads, commands);
        }
        return new Attendance(
                site,
                control(site, commands, options.state(), host),
                options.apps().dev() ? DevWatch.start(site, host.out()) : null,
                upgrade,
                administration);
    }

    /// Begins the stop of the server.
    ///
    /// @return the number of the process that has taken over; 0 if none has, and none will
    long stop() {
        return upgrade.stop();
    }

    private static void carryOut(String command, Commands commands, Host host) {
        try {
            int _ =
                    commands.carryOut(
                            List.of(command),
                            new Commands.Answer() {
                                @Override
                                public void line(String text) {
                                    host.out().println(text);
                                    host.out().flush();
                                }

                                @Override
                                public void problem(String text) {
                                    host.err().println("serval: " + text);
                                }
                            });
        } catch (IOException e) {
            host.err().println("serval: " + e.getMessage());
        }
    }

    /// Opens the socket for commands. The server runs without it if that fails.
    private static @Nullable ControlServer control(
            LiveSite site, Commands commands, @Nullable Path state, Host host) {
        ControlFolder folder = ControlCommand.folder(state);
        String name = ControlCommand.name(site.serval().addresses());
        try {
            return host.succession().predecessor() == null
                    ? ControlServer.open(folder, name, commands)
                    : ControlServer.succeed(folder, name, commands);
        } catch (IOException | RuntimeException e) {
            host.err()
                    .println(
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
        if (administration != null) {
            administration.close();
        }
        site.close();
    }
}
