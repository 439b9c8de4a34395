package dev.serval.site;

import dev.serval.Serval;
import dev.serval.accesslog.SiteLogs;
import dev.serval.backend.Backends;
import dev.serval.backend.Mounted;
import dev.serval.route.RouteTable;
import dev.serval.servlet.WebApp;
import dev.serval.settings.Mount;
import dev.serval.settings.Place;
import dev.serval.settings.RunOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What a running server serves, and the changes that its user makes to it. One change at a time is
/// made at each place; requests are served meanwhile. Any thread.
public final class LiveSite implements AutoCloseable {
    /// The longest wait for the requests of an application that is replaced or removed.
    static final Duration DRAIN = Duration.ofSeconds(60);

    private static final long CHANGE_SECONDS = 10;

    private final Serval serval;
    private final Applications applications;
    private final Backends backends;
    private Map<Place, Mounted> mounted; // under `changing`; replaced, never changed
    private final @Nullable AppDirectory directory;
    private final Listening listening;
    private final SiteLogs logs;
    private Rules rules; // under `changing`
    private final ReentrantLock changing = new ReentrantLock(); // never held during a start
    private final Condition changed = changing.newCondition();
    private final Set<Place> inChange = new HashSet<>(); // under `changing`
    private volatile boolean closed;

    /// What runs.
    ///
    /// @param listening the listeners for HTTP
    /// @param logs the access logs
    public record Running(
            Serval serval,
            Applications applications,
            Backends backends,
            Listening listening,
            SiteLogs logs) {}

    /// Creates the site of a server that has started.
    ///
    /// @param mounted the handlers at each place
    /// @param rules what mounts do besides
    /// @param directory what to serve at `/` if nothing else is there; null for nothing
    public LiveSite(
            Running running,
            Map<Place, Mounted> mounted,
            Rules rules,
            @Nullable AppDirectory directory) {
        this.serval = running.serval;
        this.applications = running.applications;
        this.backends = running.backends;
        this.listening = running.listening;
        this.logs = running.logs;
        this.mounted = new TreeMap<>(mounted);
        this.rules = rules;
        this.directory = directory;
        applications.servedBy(serval);
        list();
    }

    /// Returns the listeners for HTTP.
    public Listening listening() {
        return listening;
    }

    /// Returns the access logs.
    public SiteLogs logs() {
        return logs;
    }

    /// Returns the rules of the mounts that are in force.
    Rules rules() {
        changing.lock();
        try {
            return rules;
        } finally {
            changing.unlock();
        }
    }

    /// Returns the server.
    public Serval serval() {
        return serval;
    }

    /// Returns the applications in other processes.
    public Backends backends() {
        return backends;
    }

    /// Returns the web applications.
    public Applications applications() {
        return applications;
    }

    /// What a change has done. The former version still completes its requests.
    ///
    /// @param former the version that was replaced; null if there was none
    record Change(Mount mount, @Nullable WebApp former) {
        /// Ends the former version after its requests.
        ///
        /// @return how many requests had not ended in time
        int end() {
            if (former == null) {
                return 0;
            }
            former.close(DRAIN);
            return former.requestsInProgress();
        }
    }

    /// Starts an application beside the version that runs, and routes new requests to it.
    ///
    /// @throws IOException if the application cannot be started; then nothing has changed. Also if
    ///     its prefix belongs to a folder, or is being changed
    Change deploy(Mount mount) throws IOException {
        @Nullable Mount present;
        changing.lock();
        try {
            begin(mount.place());
            present = at(mount.place());
            if (present == null && !takesApplication(mount.place())) {
                end(mount.place());
                throw new IOException(
                        "Something else is served at "
                                + mount.place()
                                + ": choose another path, such as /app="
                                + mount.path());
            }
        } finally {
            changing.unlock();
        }
        return replace(present, mount);
    }

    /// Starts an application again beside the version that runs, after waiting for a change that is
    /// being made to it.
    ///
    /// @return null if the application does not run any more
    /// @throws IOException as [#deploy]
    @Nullable Change redeploy(Mount mount) throws IOException {
        changing.lock();
        try {
            while (inChange.contains(mount.place())) {
                changed.awaitUninterruptibly();
            }
            checkOpen();
            if (!mount.equals(at(mount.place()))) {
                return null;
            }
            begin(mount.place());
        } finally {
            changing.unlock();
        }
        return replace(mount, mount);
    }

    /// Starts an application whose change has begun, without the lock, because a start may hang.
    private Change replace(@Nullable Mount present, Mount mount) throws IOException {
        try {
            @Nullable WebApp former = present == null ? null : applications.running().get(present);
            WebApp next = applications.deploy(mount, former);
            try {
                serve(mount, next);
            } catch (IOException | RuntimeException | Error e) {
                next.close();
                throw e;
            }
            return new Change(mount, former);
        } finally {
            changing.lock();
            try {
                end(mount.place());
            } finally {
                changing.unlock();
            }
        }
    }

    /// Routes requests to a version that has started.
    ///
    /// @throws IOException if the server is being stopped
    private void serve(Mount mount, WebApp next) throws IOException {
        changing.lock();
        try {
            checkOpen();
            Map<Place, Mounted> changed = new TreeMap<>(mounted);
            changed.put(mount.place(), new Mounted(applications.handlers(mount.place(), next)));
            Set<Place> closed = closedPlaces();
            closed.add(mount.place());
            Composed composed = composed(changed, closed, rules);
            applications.put(mount, next);
            use(composed);
        } finally {
            changing.unlock();
        }
    }

    /// Brings the site from one configuration to another.
    ///
    /// @throws IOException if that is not possible; then nothing has changed
    Reload.Done apply(RunOptions before, RunOptions after) throws IOException {
        return new Reload(this, before, after).carryOut();
    }

    /// Begins changes at some places: all or none.
    ///
    /// @throws IOException if one of them is being changed
    void begin(Set<Place> places) throws IOException {
        changing.lock();
        try {
            checkOpen();
            for (Place place : places) {
                if (inChange.contains(place)) {
                    throw new IOException(
                            "An application is being deployed at "
                                    + place
                                    + ": try again when it runs");
                }
            }
            inChange.addAll(places);
        } finally {
            changing.unlock();
        }
    }

    /// Ends changes that have begun.
    void end(Set<Place> places) {
        changing.lock();
        try {
            inChange.removeAll(places);
            changed.signalAll();
        } finally {
            changing.unlock();
        }
    }

    /// A change of what is served as a whole.
    interface Exchange {
        /// Changes what is at each place.
        ///
        /// @param mounted a copy of what is there
        /// @return the places of web applications and neighbours after the change
        Set<Place> of(Map<Place, Mounted> mounted);

        /// Puts in force what belongs to it. The routes were accepted, so this may not fail.
        void effects();
    }

    /// Changes what is mounted, and routes requests accordingly. The routes are composed before
    /// anything is exchanged, so that a refusal changes nothing.
    ///
    /// @param next the rules that apply from now on
    /// @throws IOException if the server is being stopped
    /// @throws IllegalArgumentException if the table refuses a route
    void change(Rules next, Exchange exchange) throws IOException {
        changing.lock();
        try {
            checkOpen();
            Map<Place, Mounted> changed = new TreeMap<>(mounted);
            Set<Place> closed = exchange.of(changed);
            Place root = Place.at("/");
            if (changed.size() > 1 && isOwnPage(changed.get(root))) {
                changed.remove(root); // the page is for a server that serves nothing else
            }
            if (changed.isEmpty()) {
                changed.put(root, new Mounted(WelcomePage.read(false)));
            }
            Composed composed = composed(changed, closed, next);
            exchange.effects();
            rules = next;
            use(composed);
        } finally {
            changing.unlock();
        }
    }

    /// Begins a change of what is served at a prefix. Under the lock.
    private void begin(Place place) throws IOException {
        checkOpen();
        if (!inChange.add(place)) {
            throw new IOException(
                    "Another version is being deployed at " + place + ": try again when it runs");
        }
    }

    /// Ends a change. Under the lock.
    private void end(Place place) {
        inChange.remove(place);
        changed.signalAll();
    }

    /// Stops serving an application.
    ///
    /// @throws IOException if none runs at the prefix, or it is being changed
    Change undeploy(Place place) throws IOException {
        changing.lock();
        try {
            begin(place);
            try {
                @Nullable Mount present = at(place);
                if (present == null) {
                    throw new IOException(
                            "No application runs at " + place + ": see serval status");
                }
                @Nullable WebApp former = applications.running().get(present);
                Map<Place, Mounted> changed = new TreeMap<>(mounted);
                if (rules.has(place)) {
                    changed.put(place, new Mounted()); // its rules still apply
                } else {
                    changed.remove(place);
                }
                Set<Place> closed = closedPlaces();
                closed.remove(place);
                Composed composed = composed(changed, closed, rules);
                applications.remove(present);
                use(composed);
                return new Change(present, former);
            } finally {
                end(place);
            }
        } finally {
            changing.unlock();
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("The server is being stopped");
        }
    }

    /// Allows no more changes. Waits at most 10 s for those in progress. A version that starts later
    /// ends again without a request.
    @Override
    public void close() {
        long left = TimeUnit.SECONDS.toNanos(CHANGE_SECONDS);
        changing.lock();
        try {
            closed = true;
            while (!inChange.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stop at once, as the caller wishes
        } finally {
            changing.unlock();
        }
    }

    /// What is mounted after a change, with its routes.
    private record Composed(Map<Place, Mounted> mounted, RouteTable table, Backends.Plan plan) {}

    /// Composes the routes of what is to be mounted, without an effect.
    ///
    /// @param closed the places of web applications and neighbours
    /// @throws IllegalArgumentException if the table refuses a route
    private Composed composed(Map<Place, Mounted> next, Set<Place> closed, Rules nextRules) {
        Place root = Place.at("/");
        if (directory != null && (!next.containsKey(root) || isOwnPage(next.get(root)))) {
            next.put(root, new Mounted(directory));
        }
        RouteTable.Builder table = RouteTable.builder();
        Backends.Plan plan = Routes.compose(next, closed, backends, nextRules, table::mount);
        return new Composed(next, table.build(), plan);
    }

    /// Puts routes in force. Under the lock.
    private void use(Composed composed) {
        mounted = composed.mounted;
        backends.use(composed.plan);
        list();
        serval.routes(composed.table);
    }

    /// Returns the places of the web applications and neighbours that run.
    private Set<Place> closedPlaces() {
        Set<Place> closed = new HashSet<>(applications.places());
        closed.addAll(backends.neighbourPlaces());
        return closed;
    }

    /// Tells the directory, if there is one, what is served.
    private void list() {
        if (directory != null) {
            directory.list(mounted.keySet());
        }
    }

    /// Returns whether an application may be served at a place where none runs: if there is nothing,
    /// only a page of the server's own, or only rules that let requests pass.
    private boolean takesApplication(Place place) {
        @Nullable Mounted present = mounted.get(place);
        return present == null
                || isOwnPage(present)
                || (present.chain().isEmpty() && !rules.redirects(place));
    }

    /// Returns whether only a page of the server's own would be replaced.
    private static boolean isOwnPage(@Nullable Mounted present) {
        return present != null
                && present.chain().size() == 1
                && (present.chain().getFirst() instanceof WelcomePage
                        || present.chain().getFirst() instanceof AppDirectory);
    }

    /// Returns the mount of the application at a place; null if none runs there.
    @Nullable Mount at(Place place) {
        return applications.running().keySet().stream()
                .filter(mount -> mount.place().equals(place))
                .findFirst()
                .orElse(null);
    }
}
