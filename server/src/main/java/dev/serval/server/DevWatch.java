package dev.serval.server;

import static java.lang.System.Logger.Level.DEBUG;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Restarts applications whose code or description has changed, for `serval run --dev`. A thread
/// looks twice a second. It restarts an application when two looks in a row saw the same new state,
/// because a build writes for a while. A version that does not start leaves the former one running
/// until the next change.
///
/// Pages and other files of a folder are read when they are requested, so they need no restart.
final class DevWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DevWatch.class.getName());
    private static final long LOOK_NANOS = 500_000_000;
    private static final int FILES_MAX = 50_000; // of an application; the rest is not watched
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final List<String> PAGES = List.of(".jsp", ".jspx", ".jspf", ".tag", ".tagx");

    private final LiveSite site;
    private final PrintStream out;
    private final Thread thread;
    private final Map<Mount, Seen> seen = new HashMap<>(); // used by the thread
    private volatile boolean closed;

    /// The states of an application's files.
    ///
    /// @param deployed the state from which the running version was started, or tried
    /// @param latest the state at the last look
    record Seen(long deployed, long latest) {
        /// Returns whether a look that sees this state shall restart the application: two looks saw
        /// the same, and the version that runs was not started from it.
        boolean restartsAt(long state) {
            return state == latest && state != deployed;
        }
    }

    private DevWatch(LiveSite site, PrintStream out) {
        this.site = site;
        this.out = out;
        this.thread = Thread.ofPlatform().daemon().name("serval-dev-watch").unstarted(this::watch);
    }

    /// Starts to watch.
    ///
    /// @param out receives a line for each restart
    static DevWatch start(LiveSite site, PrintStream out) {
        DevWatch watch = new DevWatch(site, out);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        while (!closed) {
            for (Mount mount : site.applications().running().keySet()) {
                look(mount);
            }
            seen.keySet().retainAll(site.applications().running().keySet());
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void look(Mount mount) {
        long state = state(mount.path());
        Seen before = seen.getOrDefault(mount, new Seen(state, state));
        if (before.restartsAt(state)) {
            seen.put(mount, new Seen(state, state));
            restart(mount);
        } else {
            seen.put(mount, new Seen(before.deployed(), state));
        }
    }

    private void restart(Mount mount) {
        long begin = System.nanoTime();
        try {
            LiveSite.@Nullable Change change = site.redeploy(mount);
            if (change == null) {
                return; // the user has replaced or ended it meanwhile
            }
            out.println(
                    "Changed: "
                            + mount.prefix()
                            + " was restarted in "
                            + (System.nanoTime() - begin) / NANOS_PER_MILLI
                            + " ms.");
            Thread.ofVirtual().name("serval-dev-end").start(change::end);
        } catch (IOException | RuntimeException | Error e) { // an error must not end the watch
            out.println(
                    "Changed: "
                            + mount.prefix()
                            + " was not restarted, so the former version continues: "
                            + (e.getMessage() == null ? e.toString() : e.getMessage()));
        }
        out.flush();
    }

    /// Returns a number that differs if a file was added, removed or written.
    static long state(Path application) {
        Path watched =
                Files.isDirectory(application) ? application.resolve("WEB-INF") : application;
        State state = new State();
        try {
            // A build may link WEB-INF/classes to the folder of its compiler.
            Files.walkFileTree(
                    watched, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, state);
        } catch (IOException e) { // such as a folder that a build has just removed
            LOG.log(DEBUG, "An application could not be looked at", e);
        }
        return state.sum;
    }

    /// Sums the files, in any order.
    private static final class State extends SimpleFileVisitor<Path> {
        private long sum;
        private int files;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = String.valueOf(file.getFileName());
            if (PAGES.stream().noneMatch(name::endsWith)) {
                long one = file.hashCode();
                one = 31 * one + attributes.lastModifiedTime().hashCode();
                one = 31 * one + Long.hashCode(attributes.size());
                sum += one * one + one;
            }
            files++;
            return files < FILES_MAX ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }

    /// Stops watching. A restart in progress is not awaited.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
