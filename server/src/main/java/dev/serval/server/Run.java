package dev.serval.server;

import dev.serval.ListeningSocket;
import dev.serval.Serval;
import dev.serval.backend.Backends;
import dev.serval.backend.Mounted;
import dev.serval.command.Invocation;
import dev.serval.demo.Demo;
import dev.serval.policy.TrustedProxies;
import dev.serval.settings.AdminChoice;
import dev.serval.settings.EngineChoice;
import dev.serval.settings.ListenerChoice;
import dev.serval.settings.Mount;
import dev.serval.settings.Place;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import dev.serval.site.AppDirectory;
import dev.serval.site.Applications;
import dev.serval.site.Chains;
import dev.serval.site.Listening;
import dev.serval.site.LiveSite;
import dev.serval.site.Reloads;
import dev.serval.site.Routes;
import dev.serval.site.Rules;
import dev.serval.site.WelcomePage;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
        Applications applications = new Applications(out, err, options.apps());
        @Nullable AdminChoice admin = options.admin();
        @Nullable Administration administration = admin == null ? null : new Administration(admin);
        @Nullable Demo demo = options.demo() ? new Demo(new SecureRandom()) : null;
        Backends backends =
                new Backends(
                        demo == null ? options.lrwp() : demo.addTo(options.lrwp()),
                        options.served().neighbours());
        Map<Place, Mounted> mounted = new LinkedHashMap<>();
        @Nullable AppDirectory directory = options.apps().dev() ? new AppDirectory() : null;
        Place root = Place.at("/");
        Rules rules;
        Listening listening;
        Serval serval;
        try {
            listening =
                    new Listening(
                            ListeningSocket.inherited(
                                    System.getenv(), ProcessHandle.current().pid()));
            List<Mount> mounts = applications.start(options.served().mounts());
            backends.open();
            if (mounts.isEmpty() && !options.served().mounts().isEmpty()) {
                err.println("serval: No application could be started.");
                applications.close();
                return ENVIRONMENT;
            }
            for (Mount mount : mounts) {
                mounted.put(mount.place(), handlers(mount, applications));
            }
            backends.addTo(mounted);
            rules = Rules.NONE.changedTo(options.served().rules());
            options.served()
                    .rules()
                    .keySet()
                    .forEach(place -> mounted.putIfAbsent(place, new Mounted()));
            if (mounted.isEmpty()) {
                mounted.put(root, new Mounted(WelcomePage.read(options.demo())));
            } else if (directory != null && !mounted.containsKey(root)) {
                mounted.put(root, new Mounted(directory));
            }
            serval =
                    start(
                            mounted,
                            applications,
                            backends,
                            rules,
                            listening,
                            administration,
                            fatalEnd);
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
        LiveSite site =
                new LiveSite(serval, applications, backends, mounted, rules, listening, directory);
        Attendance attendance =
                Attendance.open(
                        site,
                        new Reloads(site, options, rereading),
                        signals,
                        options,
                        administration,
                        out,
                        err);
        signals.awaitInstalled();
        showStart(serval, backends, listening, applications, out);
        if (demo != null) {
            startDemo(demo, backends.dialInAddresses(), out, err);
        }
        signals.await(NativeMemory.PAUSE, new NativeMemory()::release);
        attendance.close();
        try {
            return stop(serval, applications, demo, options.engine().stopTime(), out);
        } catch (RuntimeException | Error e) { // a stop that failed cannot be repeated
            fatalEnd.run();
            throw e;
        }
    }

    private void showStart(
            Serval serval,
            Backends backends,
            Listening listening,
            Applications applications,
            PrintStream out) {
        out.print(
                StartScreen.text(
                        serval,
                        backends,
                        listening.addresses(),
                        applications.started(options.served().mounts()),
                        applications.logFiles(),
                        options.apps()));
        out.flush();
    }

    private static void startDemo(
            Demo demo, List<SocketAddress> dialIn, PrintStream out, PrintStream err) {
        demo.start(
                Path.of(System.getProperty("java.home")),
                System.getProperty("java.class.path"),
                dialIn,
                line -> {
                    out.println(line);
                    out.flush();
                },
                err::println);
    }

    private static int stop(
            Serval serval,
            Applications applications,
            @Nullable Demo demo,
            Duration atMost,
            PrintStream out) {
        out.println(
                "\nStopping: no new connections; requests in progress have "
                        + atMost.toSeconds()
                        + " s to complete. A second signal ends the server at once.");
        out.flush();
        if (demo != null) {
            demo.leave();
        }
        serval.stop(atMost);
        applications.close();
        if (demo != null) {
            demo.close();
        }
        out.println("Stopped.");
        return OK;
    }

    private static Mounted handlers(Mount mount, Applications applications) {
        return mount.application() ? new Mounted(applications.handlers(mount)) : Chains.of(mount);
    }

    private Serval start(
            Map<Place, Mounted> mounted,
            Applications applications,
            Backends backends,
            Rules rules,
            Listening listening,
            @Nullable Administration administration,
            FatalEnd fatalEnd)
            throws IOException {
        EngineChoice engine = options.engine();
        // The start screen shows what is in use, and why it is not the best.
        Serval.Builder builder =
                Serval.builder()
                        .transport(engine.transport())
                        .withoutFlagWarning()
                        .onFatal(fatalEnd);
        if (engine.loops() > 0) {
            builder.loops(engine.loops());
        }
        builder.limits(engine.limits());
        @Nullable TrustedProxies trusted = engine.trusted();
        if (trusted != null) {
            builder.trustedProxies(trusted);
        }
        for (ListenerChoice listener : engine.listeners()) {
            builder.listen(listening.spec(listener));
        }
        backends.listen(builder);
        if (administration != null) {
            builder.listen(administration.listener());
        }
        Routes.compose(mounted, applications.places(), backends, rules, builder::host);
        Serval started = builder.start();
        List<SocketAddress> addresses = started.addresses();
        int http = engine.listeners().size();
        listening.started(engine.listeners(), addresses.subList(0, http));
        backends.started(addresses.subList(http, addresses.size()));
        return started;
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
