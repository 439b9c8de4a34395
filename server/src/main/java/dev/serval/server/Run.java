package dev.serval.server;

import dev.serval.Serval;
import dev.serval.accesslog.LogChoice;
import dev.serval.accesslog.SiteLogs;
import dev.serval.acme.AutomaticCertificates;
import dev.serval.automatic.AcmeChoice;
import dev.serval.backend.Backends;
import dev.serval.backend.Mounted;
import dev.serval.command.Invocation;
import dev.serval.demo.Demo;
import dev.serval.handler.Handler;
import dev.serval.policy.TrustedProxies;
import dev.serval.service.Predecessor;
import dev.serval.service.Supervisor;
import dev.serval.service.TakenSockets;
import dev.serval.settings.AdminChoice;
import dev.serval.settings.EngineChoice;
import dev.serval.settings.ListenerChoice;
import dev.serval.settings.Mount;
import dev.serval.settings.Numbers;
import dev.serval.settings.Place;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import dev.serval.site.AppDirectory;
import dev.serval.site.Applications;
import dev.serval.site.Chains;
import dev.serval.site.Listening;
import dev.serval.site.LiveSite;
import dev.serval.site.Readiness;
import dev.serval.site.Reason;
import dev.serval.site.Reloads;
import dev.serval.site.Routes;
import dev.serval.site.Rules;
import dev.serval.site.StatePaths;
import dev.serval.site.WelcomePage;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// `serval run`: starts the server, prints that, waits for a signal, and stops the server. Used
/// once, by the main thread.
///
/// @param options what to serve, and at which addresses
/// @param rereading reads the options again
/// @param succession the processes before and after this one
record Run(RunOptions options, Rereading rereading, Succession succession) implements Invocation {
    /// How long applications may take to end and to store their sessions, after the last request.
    private static final Duration CLOSING = Duration.ofMinutes(1);

    /// What is served.
    ///
    /// @param logs the access logs
    /// @param directory lists applications in development mode; otherwise null
    private record Content(
            Map<Place, Mounted> mounted,
            Applications applications,
            Backends backends,
            Rules rules,
            SiteLogs logs,
            @Nullable AppDirectory directory) {}

    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        FatalEnd fatalEnd = new FatalEnd();
        Attendance.Host host =
                new Attendance.Host(
                        signals(out),
                        Supervisor.of(System.getenv()),
                        succession,
                        new Readiness(),
                        out,
                        err);
        Applications applications = new Applications(out, err, options.apps(), sessionsMax());
        SiteLogs logs = new SiteLogs();
        @Nullable AdminChoice admin = options.admin();
        @Nullable Administration administration =
                admin == null ? null : new Administration(admin, host.readiness());
        @Nullable Demo demo = options.demo() ? new Demo(new SecureRandom()) : null;
        @Nullable Content content;
        Listening listening;
        Serval serval;
        try {
            content = content(applications, logs, demo, err);
            if (content == null) {
                abandon(applications, logs);
                return ENVIRONMENT;
            }
            // Only now, because the predecessor waits for a limited time from here on.
            try (TakenSockets sockets =
                    TakenSockets.take(succession.predecessor(), System.getenv())) {
                listening =
                        new Listening(
                                sockets.inherited(), certificates(), states(host.readiness()));
                serval = start(content, listening, sockets, administration, fatalEnd);
            }
        } catch (IOException e) {
            abandon(applications, logs);
            err.println("serval: " + explained(e));
            return ENVIRONMENT;
        } catch (IllegalArgumentException | UncheckedIOException e) {
            abandon(applications, logs);
            // The engine found something missing on this machine: epoll, a descriptor for it, or a
            // path removed after its check.
            err.println("serval: " + e.getMessage() + ".");
            return ENVIRONMENT;
        }
        if (!confirmed(serval, content, err)) {
            return ENVIRONMENT;
        }
        order(listening);
        LiveSite site = site(serval, content, listening);
        Reloads reloads = new Reloads(site, options, rereading);
        Attendance attendance = Attendance.open(site, reloads, host, options, administration);
        host.signals().awaitInstalled();
        host.readiness().ready();
        showStart(site, out);
        if (demo != null) {
            startDemo(demo, content.backends.dialInAddresses(), out, err);
        }
        return untilTheStop(site, reloads, attendance, host, demo, fatalEnd);
    }

    private StopSignals signals(PrintStream out) {
        StopSignals signals = StopSignals.install(options.origin() != null);
        Duration atMost = options.engine().stopTime();
        signals.duringStart(
                atMost,
                () -> {
                    out.println(
                            "\nStopping as soon as the start is complete, or in "
                                    + Numbers.text(atMost)
                                    + ". A second signal ends the server at once.");
                    out.flush();
                });
        return signals;
    }

    private UnaryOperator<Handler> states(Readiness readiness) {
        EngineChoice.Readiness paths = options.engine().readiness();
        return handler ->
                StatePaths.before(handler, readiness, paths.readyPath(), paths.healthPath());
    }

    /// Returns the automatic certificates, with those that the last start has left; null for none.
    private @Nullable AutomaticCertificates certificates() throws IOException {
        @Nullable AcmeChoice acme = options.acme();
        if (acme == null) {
            return null;
        }
        AutomaticCertificates opened = AutomaticCertificates.open(acme.settings());
        opened.hosts(acme.hosts());
        return opened;
    }

    /// Begins to order certificates, now that an authority reaches this process.
    private static void order(Listening listening) {
        @Nullable AutomaticCertificates certificates = listening.certificates();
        if (certificates != null) {
            certificates.start();
        }
    }

    /// Starts the applications, and opens what else is served.
    ///
    /// @return null after a message, if too few applications run
    private @Nullable Content content(
            Applications applications, SiteLogs logs, @Nullable Demo demo, PrintStream err)
            throws IOException {
        logs.prepare(options.logs());
        logs.use(options.logs());
        List<Mount> all = options.served().mounts();
        Backends backends =
                new Backends(
                        demo == null ? options.lrwp() : demo.addTo(options.lrwp()),
                        options.served().neighbours());
        applications.serveFiles(options.served().appFiles());
        List<Mount> mounts = applications.start(all);
        backends.open();
        if (mounts.isEmpty() && !all.isEmpty()) {
            err.println("serval: No application could be started.");
            return null;
        }
        if (mounts.size() < all.size() && succession.predecessor() != null) {
            err.println("serval: A successor must start every application.");
            return null;
        }
        Map<Place, Mounted> mounted = new LinkedHashMap<>();
        for (Mount mount : mounts) {
            mounted.put(mount.place(), handlers(mount, applications));
        }
        backends.addTo(mounted);
        Rules rules = Rules.none(logs).changedTo(options.served());
        options.served()
                .rules()
                .keySet()
                .forEach(place -> mounted.putIfAbsent(place, new Mounted()));
        @Nullable AppDirectory directory = options.apps().dev() ? new AppDirectory() : null;
        Place root = Place.at("/");
        if (mounted.isEmpty()) {
            mounted.put(root, new Mounted(WelcomePage.read(options.demo())));
        } else if (directory != null && !mounted.containsKey(root)) {
            mounted.put(root, new Mounted(directory));
        }
        return new Content(mounted, applications, backends, rules, logs, directory);
    }

    private static LiveSite site(Serval serval, Content content, Listening listening) {
        LiveSite site =
                new LiveSite(
                        new LiveSite.Running(
                                serval,
                                content.applications,
                                content.backends,
                                listening,
                                content.logs),
                        content.mounted,
                        content.rules,
                        content.directory);
        // The frame that waits for the stop has the content. It must keep no replaced application.
        content.mounted.clear();
        return site;
    }

    /// Waits for a signal, a command or a successor that ends this process, and stops the server.
    private int untilTheStop(
            LiveSite site,
            Reloads reloads,
            Attendance attendance,
            Attendance.Host host,
            @Nullable Demo demo,
            FatalEnd fatalEnd) {
        host.supervisor().ready();
        host.signals().await(NativeMemory.PAUSE, new NativeMemory()::release);
        long successor = attendance.stop();
        if (successor == 0) {
            host.supervisor()
                    .stopping(
                            options.engine()
                                    .readiness()
                                    .delay()
                                    .plus(reloads.current().engine().stopTime())
                                    .plus(CLOSING));
        }
        delay(host, successor);
        attendance.close();
        Duration atMost = reloads.current().engine().stopTime(); // a reload may have changed it
        try {
            sayWhy(successor, atMost, host.out());
            return stop(site, demo, atMost, host.out());
        } catch (RuntimeException | Error e) { // a stop that failed cannot be repeated
            fatalEnd.run();
            throw e;
        }
    }

    private static void abandon(Applications applications, SiteLogs logs) {
        applications.close();
        logs.close();
    }

    /// Serves on for the delay of a stop, while the server answers that it is not ready. A second
    /// signal ends the process.
    private void delay(Attendance.Host host, long successor) {
        host.readiness().drain();
        long nanos = options.engine().readiness().delay().toNanos();
        if (nanos == 0 || successor != 0 || host.signals().isInterrupted()) {
            return;
        }
        host.out()
                .println(
                        "\nStopping in "
                                + Numbers.text(options.engine().readiness().delay())
                                + ": load balancers should send no more requests.");
        host.out().flush();
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void showStart(LiveSite site, PrintStream out) {
        Applications applications = site.applications();
        out.print(
                StartScreen.text(
                        site.serval(),
                        site.backends(),
                        site.listening(),
                        applications.started(options.served().mounts()),
                        applications.logFiles(),
                        options));
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

    private Duration sessionsMax() {
        return succession.predecessor() == null ? Duration.ZERO : Predecessor.SESSIONS_MAX;
    }

    /// Tells the predecessor, if there is one, that this process accepts.
    ///
    /// @return false if the predecessor does not want that any more, so this process has stopped
    private boolean confirmed(Serval serval, Content content, PrintStream err) {
        @Nullable Predecessor predecessor = succession.predecessor();
        if (predecessor == null) {
            return true;
        }
        try (predecessor) {
            predecessor.confirm();
            return true;
        } catch (IOException e) {
            err.println("serval: " + explained(e));
            leave(serval, err);
            serval.close();
            abandon(content.applications, content.logs);
            return false;
        }
    }

    /// Leaves the sockets to the predecessor, which serves on: the files of those at a path must stay.
    private void leave(Serval serval, PrintStream err) {
        try {
            serval.leave();
        } catch (IOException e) { // a loop stops accepting later
            err.println("serval: " + explained(e));
        }
    }

    private static void sayWhy(long successor, Duration atMost, PrintStream out) {
        String time = Numbers.text(atMost) + " to complete.";
        out.println(
                successor == 0
                        ? "\nStopping: no new connections; requests in progress have "
                                + time
                                + " A second signal ends the server at once."
                        : "\nLeaving: process "
                                + successor
                                + " has taken over; requests in progress have "
                                + time);
        out.flush();
    }

    private static int stop(LiveSite site, @Nullable Demo demo, Duration atMost, PrintStream out) {
        if (demo != null) {
            demo.leave();
        }
        @Nullable AutomaticCertificates certificates = site.listening().certificates();
        if (certificates != null) {
            certificates.close();
        }
        site.serval().stop(atMost);
        site.applications().close();
        site.logs().close(); // no request is left that it could log
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
            Content content,
            Listening listening,
            TakenSockets sockets,
            @Nullable Administration administration,
            FatalEnd fatalEnd)
            throws IOException {
        EngineChoice engine = options.engine();
        // The start screen shows what is in use, and why it is not the best.
        Serval.Builder builder =
                Serval.builder()
                        .transport(engine.transport())
                        .withoutFlagWarning()
                        .onFatal(fatalEnd)
                        .around(listening::before);
        if (engine.loops() > 0) {
            builder.loops(engine.loops());
        }
        builder.limits(engine.limits());
        builder.accessLog(content.logs.named(LogChoice.SERVER));
        @Nullable TrustedProxies trusted = engine.trusted();
        if (trusted != null) {
            builder.trustedProxies(trusted);
        }
        for (ListenerChoice listener : engine.listeners()) {
            builder.listen(sockets.on(listening.spec(listener)));
        }
        Backends backends = content.backends;
        backends.listeners().forEach(spec -> builder.listen(sockets.on(spec)));
        if (administration != null) {
            builder.listen(sockets.on(administration.listener()));
        }
        Set<Place> closed = new HashSet<>(content.applications.places());
        closed.addAll(backends.neighbourPlaces());
        Backends.Plan plan =
                Routes.compose(content.mounted, closed, backends, content.rules, builder::host);
        backends.use(plan);
        Serval started = builder.start();
        content.logs.countIn(started.metrics());
        List<SocketAddress> addresses = started.addresses();
        int http = engine.listeners().size();
        listening.started(engine.listeners(), addresses.subList(0, http));
        backends.started(addresses.subList(http, addresses.size()));
        return started;
    }

    private String explained(Exception e) {
        String message = Reason.of(e);
        return message + (message.endsWith(".") ? "" : ".") + remedy(message);
    }

    // The texts are those of the system's errors (EADDRINUSE, EADDRNOTAVAIL, EACCES).
    private String remedy(String message) {
        boolean file = message.startsWith("Cannot listen at /"); // a Unix-domain socket
        if (file && message.contains("already in use")) {
            return " Another program listens there: stop it, or choose another path.";
        }
        if (file && message.contains("Permission denied")) {
            return " The user of the server must be able to create the socket in that folder.";
        }
        if (message.contains("already in use")) {
            return isOfOptions(message)
                    ? " Choose another with --port N; --port 0 picks a free one."
                    : " Another program listens there: stop it, or choose another address.";
        }
        if (message.contains("assign requested address")) {
            return isOfOptions(message)
                    ? " --host takes an address of this machine, or 0.0.0.0 for all of them."
                    : " Choose an address of this machine, or 0.0.0.0 for all of them.";
        }
        if (message.contains("Permission denied")) {
            return " Ports below 1024 need root or CAP_NET_BIND_SERVICE.";
        }
        return "";
    }

    /// Returns whether a message is about an address that `--host` and `--port` choose, and not about one
    /// of a file, of the administration or of applications that dial in.
    private boolean isOfOptions(String message) {
        return options.origin() == null
                && options.engine().addresses().stream()
                        .anyMatch(each ->
                                each instanceof InetSocketAddress inet
                                        && message.contains(":" + inet.getPort() + ": "));
    }
}
