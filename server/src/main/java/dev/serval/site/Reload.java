package dev.serval.site;

import dev.serval.acme.AutomaticCertificates;
import dev.serval.automatic.AcmeChoice;
import dev.serval.backend.Mounted;
import dev.serval.backend.Neighbours;
import dev.serval.servlet.WebApp;
import dev.serval.settings.Mount;
import dev.serval.settings.NeighbourMount;
import dev.serval.settings.Place;
import dev.serval.settings.RunOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Brings a running site from one configuration to another. Everything new is started first, and
/// everything that can be refused is checked. If that fails, it ends again and nothing has changed. Then
/// the routes change at once, and what is gone ends after its requests. What is the same in both
/// configurations is not touched, except an application that failed at the start: it is tried again.
///
/// Used once, by the thread of a command.
final class Reload {
    private final LiveSite site;
    private final RunOptions before;
    private final RunOptions after;
    private final List<Mount> gone;
    private final List<Mount> fresh;
    private final List<Mount> again; // those that failed at the start
    private final Map<Mount, WebApp> started = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private Neighbours.@Nullable Prepared neighbours;

    Reload(LiveSite site, RunOptions before, RunOptions after) {
        this.site = site;
        this.before = before;
        this.after = after;
        this.gone = without(before.served().mounts(), after.served().mounts());
        this.fresh = without(after.served().mounts(), before.served().mounts());
        this.again = without(after.served().mounts(), fresh);
        again.removeIf(mount -> !site.applications().hasFailed(mount));
    }

    private static <T> List<T> without(List<T> all, List<T> others) {
        List<T> left = new ArrayList<>(all);
        Set<T> known = new HashSet<>(others); // there may be thousands
        left.removeIf(known::contains);
        return left;
    }

    /// What a reload has left.
    ///
    /// @param ends what is to end, on another thread, because it waits for requests
    /// @param warnings what is not as the configuration says, in a sentence each
    /// @param certificates whether files of certificates had changed, which new connections get now
    record Done(List<Runnable> ends, List<String> warnings, boolean certificates) {}

    /// Carries it out.
    ///
    /// @throws IOException if something new cannot be started, or is being changed by another
    ///     command; then nothing has changed
    /// @throws IllegalArgumentException if the engine refuses a route; then nothing has changed
    Done carryOut() throws IOException {
        Set<Place> touched = touched();
        site.begin(touched);
        boolean inForce = false;
        try {
            start();
            Rules rules = site.rules().changedTo(after.served());
            neighbours = site.backends().prepare(after.served().neighbours());
            site.logs().prepare(after.logs());
            try (ListenerChange listeners =
                    site.listening().prepare(site.serval(), after.engine().listeners())) {
                site.logs().use(after.logs()); // before a mount chooses a new one
                List<Runnable> ends = commit(rules);
                inForce = true;
                warnings.addAll(site.listening().commit(listeners));
                site.logs().retain(after.logs());
                return new Done(ends, warnings, lookAtCertificates());
            }
        } finally {
            if (!inForce) {
                started.values().forEach(WebApp::close);
                if (neighbours != null) {
                    neighbours.cancel();
                }
                site.logs().restore(before.logs());
            }
            site.end(touched);
        }
    }

    /// The configuration is in force by now, so a fault of a library is only reported.
    private boolean lookAtCertificates() {
        try {
            return site.serval().listenerChanges().lookAtCertificates();
        } catch (RuntimeException e) {
            warnings.add("Serval failed to look at the certificates of its listeners (" + e + ").");
            return false;
        }
    }

    private Set<Place> touched() {
        Set<Place> places = new HashSet<>();
        gone.forEach(mount -> places.add(mount.place()));
        fresh.forEach(mount -> places.add(mount.place()));
        again.forEach(mount -> places.add(mount.place()));
        List<NeighbourMount> former = before.served().neighbours();
        List<NeighbourMount> next = after.served().neighbours();
        without(former, next).forEach(mount -> places.add(mount.place()));
        without(next, former).forEach(mount -> places.add(mount.place()));
        return places;
    }

    private void start() throws IOException {
        for (Mount mount : fresh) {
            if (mount.application()) {
                try {
                    started.put(mount, application(mount));
                } catch (IOException | RuntimeException | LinkageError e) {
                    throw new IOException(notStarted(mount, e), e);
                }
            }
        }
        for (Mount mount : again) {
            try {
                started.put(mount, application(mount));
            } catch (IOException | RuntimeException | LinkageError e) {
                warnings.add(notStarted(mount, e) + ".");
            }
        }
    }

    private WebApp application(Mount mount) throws IOException {
        @Nullable Mount present = site.at(mount.place());
        @Nullable WebApp former =
                present == null ? null : site.applications().running().get(present);
        return site.applications().deploy(mount, former);
    }

    private static String notStarted(Mount mount, Throwable e) {
        return mount.path() + " was not started: " + Applications.reason(mount, e);
    }

    private List<Runnable> commit(Rules rules) throws IOException {
        List<Runnable> ends = new ArrayList<>();
        site.change(
                rules,
                new LiveSite.Exchange() {
                    @Override
                    public Set<Place> of(Map<Place, Mounted> mounted) {
                        exchange(mounted);
                        return closed();
                    }

                    @Override
                    public void effects() {
                        effect(ends);
                    }
                });
        if (neighbours != null) {
            neighbours.commit();
        }
        return ends;
    }

    /// Changes what is at each place.
    private void exchange(Map<Place, Mounted> mounted) {
        gone.forEach(mount -> mounted.remove(mount.place()));
        before.served().neighbours().forEach(mount -> mounted.remove(mount.place()));
        for (Place place : before.served().rules().keySet()) {
            mounted.computeIfPresent(place, (_, each) -> each.chain().isEmpty() ? null : each);
        }
        for (Mount mount : fresh) {
            if (!mount.application()) {
                mounted.put(mount.place(), Chains.of(mount));
            }
        }
        Set<Place> ended = ended();
        site.applications()
                .running()
                .forEach((mount, app) -> {
                    if (!ended.contains(mount.place())) {
                        mounted.put(mount.place(), served(mount.place(), app));
                    }
                });
        started.forEach((mount, app) -> mounted.put(mount.place(), served(mount.place(), app)));
        if (neighbours != null) {
            neighbours.neighbours().addTo(mounted);
        }
        after.served().rules().keySet().forEach(place -> mounted.putIfAbsent(place, new Mounted()));
    }

    /// Returns an application that serves its files as the configuration says now.
    private Mounted served(Place place, WebApp app) {
        app.serveFiles(after.served().appFiles().at(place));
        return new Mounted(app.handlers());
    }

    /// Returns the places at which an application ends, if one runs there: also one that a command has
    /// deployed where something else is from now on.
    private Set<Place> ended() {
        Set<Place> places = new HashSet<>();
        for (Mount mount : gone) {
            if (mount.application()) {
                places.add(mount.place());
            }
        }
        fresh.forEach(mount -> places.add(mount.place()));
        after.served().neighbours().forEach(mount -> places.add(mount.place()));
        return places;
    }

    /// Returns the places of web applications and neighbours after the change.
    private Set<Place> closed() {
        Set<Place> places = new HashSet<>(site.applications().places());
        places.removeAll(ended());
        started.keySet().forEach(mount -> places.add(mount.place()));
        after.served().neighbours().forEach(mount -> places.add(mount.place()));
        return places;
    }

    /// Puts in force what belongs to the new routes.
    private void effect(List<Runnable> ends) {
        ended().forEach(place -> endPresent(place, ends));
        site.applications().serveFiles(after.served().appFiles());
        started.forEach(site.applications()::put);
        if (neighbours != null) {
            site.backends().use(neighbours.neighbours(), after.served().neighbours());
        }
        if (!Objects.equals(after.engine().trusted(), before.engine().trusted())) {
            site.serval().trustedProxies(after.engine().trusted());
        }
        @Nullable AutomaticCertificates certificates = site.listening().certificates();
        if (certificates != null) {
            @Nullable AcmeChoice acme = after.acme();
            certificates.hosts(acme == null ? Set.of() : acme.hosts());
        }
        if (!after.engine().limits().equals(before.engine().limits())) {
            site.serval().limits(after.engine().limits());
        }
    }

    /// Takes the application of a place out of service, if one runs there.
    private void endPresent(Place place, List<Runnable> ends) {
        @Nullable Mount present = site.at(place);
        @Nullable WebApp former =
                present == null ? null : site.applications().running().get(present);
        if (present != null && former != null) {
            site.applications().remove(present);
            ends.add(() -> former.close(LiveSite.DRAIN));
        }
    }
}
