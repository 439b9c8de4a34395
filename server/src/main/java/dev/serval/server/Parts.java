package dev.serval.server;

import dev.serval.ListeningSocket;
import dev.serval.Serval;
import dev.serval.backend.Backends;
import dev.serval.backend.Mounted;
import dev.serval.demo.Demo;
import dev.serval.policy.TrustedProxies;
import dev.serval.settings.AdminChoice;
import dev.serval.settings.EngineChoice;
import dev.serval.settings.ListenerChoice;
import dev.serval.settings.Mount;
import dev.serval.settings.Place;
import dev.serval.settings.RunOptions;
import dev.serval.site.AppDirectory;
import dev.serval.site.Applications;
import dev.serval.site.Chains;
import dev.serval.site.Listening;
import dev.serval.site.LiveSite;
import dev.serval.site.Routes;
import dev.serval.site.Rules;
import dev.serval.site.WelcomePage;
import java.io.IOException;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a server consists of, from its start to its stop. Legal order: [#start], [#site], [#leave],
/// [#close]. Used by the main thread.
final class Parts {
    private static final Place ROOT = Place.at("/");

    private final RunOptions options;
    private final Applications applications;
    private final Backends backends;
    private final @Nullable Administration administration;
    private final @Nullable Demo demo;
    private final @Nullable AppDirectory directory;
    private final Map<Place, Mounted> mounted = new LinkedHashMap<>();
    private Rules rules = Rules.NONE;
    private Listening listening = new Listening(List.of());

    /// Creates the parts, without starting any.
    Parts(RunOptions options, PrintStream out, PrintStream err) {
        this.options = options;
        this.applications = new Applications(out, err, options.apps());
        this.demo = options.demo() ? new Demo(new SecureRandom()) : null;
        this.backends =
                new Backends(
                        demo == null ? options.lrwp() : demo.addTo(options.lrwp()),
                        options.served().neighbours());
        @Nullable AdminChoice admin = options.admin();
        this.administration = admin == null ? null : new Administration(admin);
        this.directory = options.apps().dev() ? new AppDirectory() : null;
    }

    Applications applications() {
        return applications;
    }

    @Nullable Administration administration() {
        return administration;
    }

    /// Starts applications, neighbours and the server.
    ///
    /// @throws IOException if this machine does not allow it; the message says what to do
    /// @throws IllegalArgumentException if something is missing on this machine
    Serval start(Runnable fatalEnd) throws IOException {
        listening =
                new Listening(
                        ListeningSocket.inherited(System.getenv(), ProcessHandle.current().pid()));
        List<Mount> mounts = applications.start(options.served().mounts());
        backends.open();
        if (mounts.isEmpty() && !options.served().mounts().isEmpty()) {
            throw new IOException("No application could be started");
        }
        mount(mounts);
        return open(fatalEnd);
    }

    private void mount(List<Mount> mounts) throws IOException {
        for (Mount mount : mounts) {
            mounted.put(
                    mount.place(),
                    mount.application()
                            ? new Mounted(applications.handlers(mount))
                            : Chains.of(mount));
        }
        backends.addTo(mounted);
        rules = Rules.NONE.changedTo(options.served().rules());
        options.served()
                .rules()
                .keySet()
                .forEach(place -> mounted.putIfAbsent(place, new Mounted()));
        if (mounted.isEmpty()) {
            mounted.put(ROOT, new Mounted(WelcomePage.read(options.demo())));
        } else if (directory != null && !mounted.containsKey(ROOT)) {
            mounted.put(ROOT, new Mounted(directory));
        }
    }

    private Serval open(Runnable fatalEnd) throws IOException {
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

    /// Returns what the server serves, for changes.
    LiveSite site(Serval serval) {
        return new LiveSite(
                new LiveSite.Running(serval, applications, backends, listening),
                mounted,
                rules,
                directory);
    }

    /// Returns the start screen.
    String startScreen(Serval serval) {
        return StartScreen.text(
                serval,
                backends,
                listening.addresses(),
                applications.started(options.served().mounts()),
                applications.logFiles(),
                options);
    }

    /// Starts the demo, if it is wanted.
    void startDemo(PrintStream out, PrintStream err) {
        if (demo != null) {
            demo.start(
                    Path.of(System.getProperty("java.home")),
                    System.getProperty("java.class.path"),
                    backends.dialInAddresses(),
                    line -> {
                        out.println(line);
                        out.flush();
                    },
                    err::println);
        }
    }

    /// Begins the stop.
    void leave() {
        if (demo != null) {
            demo.leave();
        }
    }

    /// Stops everything but the server, which has stopped.
    void close() {
        applications.close();
        if (demo != null) {
            demo.close();
        }
    }
}
