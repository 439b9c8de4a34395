package dev.serval.server;

import dev.serval.Folder;
import dev.serval.Serval;
import dev.serval.handler.Handler;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `serval run`: starts the server, prints that, waits for a signal, and stops the server. Used
/// once, by the main thread.
///
/// @param options what to serve, and at which addresses
record Run(RunOptions options) implements Invocation {
    /// The time that requests in progress have to complete after a stop signal.
    private static final Duration STOP_AT_MOST = Duration.ofSeconds(5);

    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        FatalEnd fatalEnd = new FatalEnd();
        StopSignals signals = StopSignals.install();
        Applications applications = new Applications(out, err, options);
        Map<String, Handler[]> mounted = new LinkedHashMap<>();
        Serval serval;
        try {
            List<Mount> mounts = applications.start(options.mounts());
            if (mounts.isEmpty() && !options.mounts().isEmpty()) {
                err.println("serval: No application could be started.");
                applications.close();
                return ENVIRONMENT;
            }
            for (Mount mount : mounts) {
                mounted.put(mount.prefix(), handlers(mount, applications));
            }
            if (mounts.isEmpty()) {
                mounted.put("/", new Handler[] {WelcomePage.read()});
            } else if (options.dev() && !mounted.containsKey("/")) {
                mounted.put("/", new Handler[] {new AppDirectory()});
            }
            serval = start(mounted, fatalEnd);
        } catch (IOException e) {
            applications.close();
            err.println("serval: " + explained(e));
            return ENVIRONMENT;
        } catch (IllegalArgumentException e) {
            applications.close();
            // The engine found something missing on this machine: epoll, or a path removed after
            // its check.
            err.println("serval: " + e.getMessage() + ".");
            return ENVIRONMENT;
        }
        LiveSite site = new LiveSite(serval, applications, mounted);
        Attendance attendance = Attendance.open(site, options.dev(), out, err);
        signals.awaitInstalled();
        out.print(
                StartScreen.text(
                        serval,
                        applications.started(options.mounts()),
                        applications.logFiles(),
                        options.requestTimeLimit()));
        out.flush();
        signals.await();
        attendance.close();
        try {
            return stop(serval, applications, out);
        } catch (RuntimeException | Error e) { // a stop that failed cannot be repeated
            fatalEnd.run();
            throw e;
        }
    }

    private static int stop(Serval serval, Applications applications, PrintStream out) {
        out.println(
                "\nStopping: no new connections; requests in progress have "
                        + STOP_AT_MOST.toSeconds()
                        + " s to complete. A second signal ends the server at once.");
        out.flush();
        serval.stop(STOP_AT_MOST);
        applications.close();
        out.println("Stopped.");
        return OK;
    }

    private static Handler[] handlers(Mount mount, Applications applications) {
        return mount.application()
                ? applications.handlers(mount)
                : new Handler[] {Folder.of(mount.path())};
    }

    private Serval start(Map<String, Handler[]> mounted, FatalEnd fatalEnd) throws IOException {
        // The start screen shows what is in use, and why it is not the best.
        Serval.Builder builder =
                Serval.builder()
                        .transport(options.transport())
                        .withoutFlagWarning()
                        .onFatal(fatalEnd);
        if (options.loops() > 0) {
            builder.loops(options.loops());
        }
        for (var address : options.addresses()) {
            builder.listen(address);
        }
        mounted.forEach(builder::mount);
        return builder.start();
    }

    static String explained(Exception e) {
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
