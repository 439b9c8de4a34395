package dev.serval.site;

import dev.serval.Serval;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
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
    private final Map<Place, Mounted> mounted; // under `changing`
    private final @Nullable AppDirectory directory;
    private final Listening listening;
    private Rules rules; // under `changing`
    private final ReentrantLock changing = new ReentrantLock(); // never held during a start
    private final Condition changed = changing.newCondition();
    private final Set<Place> inChange = new HashSet<>(); // under `changing`
    private volatile boolean closed;

    /// What runs.
    ///
    /// @param listening the listeners for HTTP
    public record Running(
            Serval serval, Applications applications, Backends backends, Listening listening) {}

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
            if (present == null
                    && mounted.containsKey(mount.place())
                    && !isOwnPage(mount.place())) {
                end(mount.place());
                throw new IOException(
                        "A folder is served at "
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
            if (!serve(mount, next)) {
                next.close();
                checkOpen();
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
    /// @return false if the server is being stopped
    private boolean serve(Mount mount, WebApp next) {
        changing.lock();
        try {
            if (!closed) {
                applications.put(mount, next);
                mounted.put(mount.place(), new Mounted(next.handlers()));
                route();
            }
            return !closed;
        } finally {
            changing.unlock();
        }
    }

    /// Brings the site from one configuration to another.
    ///
    /// @return what is left to end, which may wait for requests
    /// @throws IOException if that is not possible; then nothing has changed
    List<Runnable> apply(RunOptions before, RunOptions after) throws IOException {
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

    /// Changes what is mounted, and routes requests accordingly.
    ///
    /// @param next the rules that apply from now on
    /// @param change gets what is at each place
    /// @throws IOException if the server is being stopped
    void change(Rules next, Consumer<Map<Place, Mounted>> change) throws IOException {
        changing.lock();
        try {
            checkOpen();
            change.accept(mounted);
            rules = next;
            Place root = Place.at("/");
            if (mounted.size() > 1 && isOwnPage(root)) {
                mounted.remove(root); // the page is for a server that serves nothing else
            }
            if (mounted.isEmpty()) {
                mounted.put(root, new Mounted(WelcomePage.read(false)));
            }
            route();
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
                applications.remove(present);
                if (rules.has(place)) {
                    mounted.put(place, new Mounted()); // its rules still apply
                } else {
                    mounted.remove(place);
                }
                route();
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

    private void route() {
        Place root = Place.at("/");
        if (directory != null && (!mounted.containsKey(root) || isOwnPage(root))) {
            mounted.put(root, new Mounted(directory));
        }
        RouteTable.Builder table = RouteTable.builder();
        Routes.compose(mounted, applications.places(), backends, rules, table::mount);
        list();
        serval.routes(table.build());
    }

    /// Tells the directory, if there is one, what is served.
    private void list() {
        if (directory != null) {
            directory.list(mounted.keySet());
        }
    }

    /// Returns whether only a page of the server's own would be replaced.
    private boolean isOwnPage(Place place) {
        @Nullable Mounted present = mounted.get(place);
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
