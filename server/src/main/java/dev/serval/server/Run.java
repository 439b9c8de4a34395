package dev.serval.server;

import dev.serval.Serval;
import dev.serval.command.Invocation;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import dev.serval.site.LiveSite;
import dev.serval.site.Reloads;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/// `serval run`: starts the server, prints that, waits for a signal, and stops the server. Used
/// once, by the main thread.
///
/// @param options what to serve, and at which addresses
/// @param rereading reads the options again
record Run(RunOptions options, Rereading rereading) implements Invocation {
    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        FatalEnd fatalEnd = new FatalEnd();
        StopSignals signals = StopSignals.install();
        Parts parts = new Parts(options, out, err);
        Serval serval;
        try {
            serval = parts.start(fatalEnd);
        } catch (IOException e) {
            parts.applications().close();
            err.println("serval: " + explained(e));
            return ENVIRONMENT;
        } catch (IllegalArgumentException e) {
            parts.applications().close();
            // The engine found something missing on this machine: epoll, or a path removed after
            // its check.
            err.println("serval: " + e.getMessage() + ".");
            return ENVIRONMENT;
        }
        LiveSite site = parts.site(serval);
        Attendance attendance =
                Attendance.open(
                        site,
                        new Reloads(site, options, rereading),
                        signals,
                        new Attendance.Wishes(options, parts.administration()),
                        out,
                        err);
        signals.awaitInstalled();
        out.print(parts.startScreen(serval));
        out.flush();
        parts.startDemo(out, err);
        signals.await(NativeMemory.PAUSE, new NativeMemory()::release);
        attendance.close();
        try {
            return stop(serval, parts, out);
        } catch (RuntimeException | Error e) { // a stop that failed cannot be repeated
            fatalEnd.run();
            throw e;
        }
    }

    private int stop(Serval serval, Parts parts, PrintStream out) {
        Duration atMost = options.engine().stopTime();
        out.println(
                "\nStopping: no new connections; requests in progress have "
                        + atMost.toSeconds()
                        + " s to complete. A second signal ends the server at once.");
        out.flush();
        parts.leave();
        serval.stop(atMost);
        parts.close();
        out.println("Stopped.");
        return OK;
    }

    private static String explained(Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message + (message.endsWith(".") ? "" : ".") + remedy(message);
    }

    // The texts are those of the system's errors (EADDRINUSE, EADDRNOTAVAIL, EACCES).
    private static String remedy(String message) {
        if (message.contains("already in use")) {
            return " Choose another with --port N; --port 0 picks a free one.";
        }
        if (message.contains("assign requested address")) {
            return " --host takes an address of this machine, or 0.0.0.0 for all of them.";
        }
        if (message.contains("Permission denied")) {
            return " Ports below 1024 need root or CAP_NET_BIND_SERVICE.";
        }
        return "";
    }
}
