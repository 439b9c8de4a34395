package dev.serval.site;

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

/// Brings a running site from one configuration to another. Everything new is started first. If that
/// fails, it ends again and nothing has changed. Then the routes change at once, and what is gone
/// ends after its requests. What is the same in both configurations is not touched.
///
/// Used once, by the thread of a command.
final class Reload {
    private final LiveSite site;
    private final RunOptions before;
    private final RunOptions after;
    private final List<Mount> gone;
    private final List<Mount> fresh;
    private final Map<Mount, WebApp> started = new LinkedHashMap<>();
    private Neighbours.@Nullable Prepared neighbours;

    Reload(LiveSite site, RunOptions before, RunOptions after) {
        this.site = site;
        this.before = before;
        this.after = after;
        this.gone = without(before.served().mounts(), after.served().mounts());
        this.fresh = without(after.served().mounts(), before.served().mounts());
    }

    private static <T> List<T> without(List<T> all, List<T> others) {
        List<T> left = new ArrayList<>(all);
        left.removeAll(others);
        return left;
    }

    /// Carries it out.
    ///
    /// @return what is left to end, on another thread
    /// @throws IOException if something new cannot be started, or is being changed by another
    ///     command; then nothing has changed
    List<Runnable> carryOut() throws IOException {
        Set<Place> touched = touched();
        site.begin(touched);
        try {
            start();
            Rules rules = site.rules().changedTo(after.served().rules());
            neighbours = site.backends().prepare(after.served().neighbours());
            site.listening().change(site.serval(), after.engine().listeners());
            return commit(rules);
        } catch (IOException | RuntimeException | Error e) {
            started.values().forEach(WebApp::close);
            if (neighbours != null) {
                neighbours.cancel();
            }
            throw e;
        } finally {
            site.end(touched);
        }
    }

    private Set<Place> touched() {
        Set<Place> places = new HashSet<>();
        gone.forEach(mount -> places.add(mount.place()));
        fresh.forEach(mount -> places.add(mount.place()));
        List<NeighbourMount> former = before.served().neighbours();
        List<NeighbourMount> next = after.served().neighbours();
        without(former, next).forEach(mount -> places.add(mount.place()));
        without(next, former).forEach(mount -> places.add(mount.place()));
        return places;
    }

    private void start() throws IOException {
        for (Mount mount : fresh) {
            if (mount.application()) {
                @Nullable Mount present = site.at(mount.place());
                @Nullable WebApp former =
                        present == null ? null : site.applications().running().get(present);
                try {
                    started.put(mount, site.applications().deploy(mount, former));
                } catch (IOException | RuntimeException | LinkageError e) {
                    throw new IOException(
                            mount.path() + " was not started: " + Applications.reason(mount, e), e);
                }
            }
        }
    }

    private List<Runnable> commit(Rules rules) throws IOException {
        List<Runnable> ends = new ArrayList<>();
        site.change(
                rules,
                mounted -> {
                    for (Mount mount : gone) {
                        mounted.remove(mount.place());
                        if (mount.application()) {
                            endPresent(mount.place(), ends);
                        }
                    }
                    for (NeighbourMount mount : before.served().neighbours()) {
                        mounted.remove(mount.place());
                    }
                    for (Place place : before.served().rules().keySet()) {
                        mounted.computeIfPresent(
                                place, (_, each) -> each.chain().isEmpty() ? null : each);
                    }
                    // Also what a command has deployed where something else is from now on.
                    fresh.forEach(mount -> endPresent(mount.place(), ends));
                    after.served().neighbours().forEach(mount -> endPresent(mount.place(), ends));
                    for (Mount mount : fresh) {
                        mounted.put(mount.place(), handlers(mount));
                    }
                    if (neighbours != null) {
                        site.backends().use(neighbours.neighbours(), after.served().neighbours());
                        neighbours.neighbours().addTo(mounted);
                    }
                    after.served()
                            .rules()
                            .keySet()
                            .forEach(place -> mounted.putIfAbsent(place, new Mounted()));
                    if (!Objects.equals(after.engine().trusted(), before.engine().trusted())) {
                        site.serval().trustedProxies(after.engine().trusted());
                    }
                    if (!after.engine().limits().equals(before.engine().limits())) {
                        site.serval().limits(after.engine().limits());
                    }
                });
        if (neighbours != null) {
            neighbours.commit();
        }
        return ends;
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

    private Mounted handlers(Mount mount) {
        @Nullable WebApp app = started.get(mount);
        if (app == null) {
            return Chains.of(mount);
        }
        site.applications().put(mount, app);
        return new Mounted(app.handlers());
    }
}
