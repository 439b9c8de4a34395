package dev.serval.site;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.settings.Mount;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Restarts applications whose code or description has changed, for `serval run --dev`. A thread
/// looks twice a second. It has an application restarted when two looks in a row saw the same new
/// state, because a build writes for a while. Each restart has a thread of its own, so that a version
/// whose start hangs delays no other application. A version that does not start leaves the former one
/// running until the next change.
///
/// Pages and other files of a folder are read when they are requested, so they need no restart. Files
/// that an application writes into WEB-INF, such as logs or a database, are not watched: each start
/// would cause the next.
public final class DevWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DevWatch.class.getName());
    private static final long LOOK_NANOS = 500_000_000;
    private static final int FILES_MAX = 50_000; // of an application; the rest is not watched
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final Set<String> WHOLE = Set.of("classes", "lib", "tags");
    private static final List<String> DESCRIPTIONS = List.of(".xml", ".tld");
    private static final List<String> PAGES = List.of(".jsp", ".jspx", ".jspf", ".tag", ".tagx");

    private final LiveSite site;
    private final PrintStream out;
    private final Thread thread;
    private final Map<Mount, Long> latest = new HashMap<>(); // states; used by the thread
    private final Set<Mount> restarting = ConcurrentHashMap.newKeySet();
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

    /// Creates a watch that does not look by itself.
    DevWatch(LiveSite site, PrintStream out) {
        this.site = site;
        this.out = out;
        this.thread = Thread.ofPlatform().daemon().name("serval-dev-watch").unstarted(this::watch);
    }

    /// Starts to watch.
    ///
    /// @param out receives a line for each restart
    public static DevWatch start(LiveSite site, PrintStream out) {
        DevWatch watch = new DevWatch(site, out);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        while (!closed) {
            try {
                look();
            } catch (Throwable e) { // such as no memory: it must not end the watch
                report("The watch missed a look at the applications; it continues", e);
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void look() {
        Set<Mount> running = site.applications().running().keySet();
        for (Mount mount : running) {
            try {
                if (isDue(mount)) {
                    restart(mount);
                }
            } catch (RuntimeException | Error e) { // the others are still watched
                report(
                        "The watch missed a look at the application "
                                + mount.place()
                                + "; it continues",
                        e);
            }
        }
        latest.keySet().retainAll(running);
    }

    /// The watch continues even if logging fails, such as for want of memory.
    private static void report(String what, Throwable thrown) {
        try {
            LOG.log(WARNING, what, thrown);
        } catch (Throwable e) {
            // Nothing is left that could tell it.
        }
    }

    /// Looks at an application.
    ///
    /// @return whether it shall be restarted
    boolean isDue(Mount mount) {
        if (restarting.contains(mount)) {
            return false;
        }
        long state = state(mount.path());
        @Nullable Long before = latest.put(mount, state);
        // Read after the look, because a deployment meanwhile has seen the change.
        long tried = site.applications().triedState(mount);
        return before != null && new Seen(tried, before).restartsAt(state);
    }

    /// Restarts an application in a thread of its own.
    void restart(Mount mount) {
        restarting.add(mount);
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("serval-dev-restart")
                        .unstarted(() -> {
                            try {
                                redeploy(mount);
                            } finally {
                                restarting.remove(mount);
                            }
                        });
        try {
            thread.start();
        } catch (Error e) { // the system has no more threads
            restarting.remove(mount);
            throw e;
        }
    }

    private void redeploy(Mount mount) {
        long begin = System.nanoTime();
        try {
            LiveSite.@Nullable Change change = site.redeploy(mount);
            if (change == null) {
                return; // the user has replaced or ended it meanwhile
            }
            out.println(
                    "Changed: "
                            + mount.place()
                            + " was restarted in "
                            + (System.nanoTime() - begin) / NANOS_PER_MILLI
                            + " ms.");
            Thread.ofVirtual().name("serval-dev-end").start(change::end);
        } catch (IOException | RuntimeException | Error e) { // such as of its code
            out.println(
                    "Changed: "
                            + mount.place()
                            + " was not restarted, so the former version continues: "
                            + (e.getMessage() == null ? e.toString() : e.getMessage()));
        }
        out.flush();
    }

    /// Returns a number that differs if a file was added, removed or written that an application is
    /// started from: a WAR, or in WEB-INF of a folder
    ///
    /// - all in `classes`, `lib`, `tags` and in folders that are linked there, and
    /// - the files `*.xml` and `*.tld`, in other folders, too.
    static long state(Path application) {
        State state = new State();
        if (!Files.isDirectory(application)) {
            state.add(application, file -> true);
            return state.sum;
        }
        List<Path> others = new ArrayList<>();
        Path webInf = application.resolve("WEB-INF");
        try (DirectoryStream<Path> children = Files.newDirectoryStream(webInf)) {
            for (Path child : children) {
                boolean whole =
                        WHOLE.contains(String.valueOf(child.getFileName()))
                                || (Files.isSymbolicLink(child) && Files.isDirectory(child));
                if (whole) {
                    state.add(child, file -> PAGES.stream().noneMatch(file::endsWith));
                } else {
                    others.add(child);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(DEBUG, "The watch could not read the files of an application", e);
        }
        // Last, because a folder of data may have so many files that the rest is not watched.
        for (Path other : others) {
            state.add(other, file -> DESCRIPTIONS.stream().anyMatch(file::endsWith));
        }
        return state.sum;
    }

    /// Sums the files, in any order.
    private static final class State extends SimpleFileVisitor<Path> {
        private Predicate<String> watched = name -> true;
        private long sum;
        private int files;

        /// Adds a file, or those of a folder and the folders below it.
        ///
        /// @param names which names of files count
        void add(Path tree, Predicate<String> names) {
            watched = names;
            try {
                // A build may link WEB-INF/classes to the folder of its compiler.
                Files.walkFileTree(
                        tree, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, this);
            } catch (IOException e) { // such as of a folder that a build has just removed
                LOG.log(DEBUG, "The watch could not read the files of an application", e);
            }
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (watched.test(String.valueOf(file.getFileName()))) {
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

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
            return FileVisitResult.CONTINUE; // even if it was removed meanwhile
        }
    }

    /// Stops watching. A restart in progress is not awaited.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
