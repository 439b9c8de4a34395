package dev.serval.service;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.serval.HandOver;
import dev.serval.ListeningSocket;
import dev.serval.Serval;
import dev.serval.control.Commands.Answer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Replaces this process by a successor, without a request that fails: the successor starts, takes
/// over the listening sockets and accepts from them, and only then this process stops accepting. Its
/// requests in progress are completed. If the successor does not start, nothing changes here. A stop
/// ends a successor that has not taken over yet.
///
/// Threads of the control socket call it, and the main thread calls [#stop].
public final class Upgrade {
    private static final System.Logger LOG = System.getLogger(Upgrade.class.getName());
    private static final Duration START_MAX = Duration.ofMinutes(5);
    private static final long END_SECONDS = 5;
    private static final int OK = 0;
    private static final int FAILED = 1;

    /// Returns the command of a successor.
    @FunctionalInterface
    public interface Launching {
        /// Returns it.
        ///
        /// @throws IOException if it is not known
        Launch launch() throws IOException;
    }

    /// What a successor could read in another way than this process.
    public interface Changes {
        /// Refuses changes from now on.
        void pause();

        /// Allows them again, because the upgrade has failed.
        void resume();
    }

    private final Serval serval;
    private final List<ListeningSocket> inherited;
    private final Launching launching;
    private final Path file;
    private final LongConsumer end;
    private final AtomicBoolean busy = new AtomicBoolean();
    private @Nullable Process starting; // under this lock, as the others
    private boolean stopped;
    private long successor; // its number after it has taken over; 0 before

    /// Creates the upgrade of a server that runs.
    ///
    /// @param inherited sockets of a service manager, which the successor gets too, in this order
    /// @param folder only the user of the server can open it
    /// @param end ends this process after its requests; its argument is the number of the successor
    public Upgrade(
            Serval serval,
            List<ListeningSocket> inherited,
            Launching launching,
            Path folder,
            LongConsumer end) {
        this.serval = serval;
        this.inherited = List.copyOf(inherited);
        this.launching = launching;
        this.file = folder.resolve("upgrade-" + ProcessHandle.current().pid());
        this.end = end;
    }

    /// Carries it out.
    ///
    /// @param changes are refused meanwhile, and after a success
    /// @return the exit code of the command
    /// @throws IOException if the client has gone
    public int carryOut(Answer answer, Changes changes) throws IOException {
        if (!busy.compareAndSet(false, true)) {
            answer.problem("An upgrade is in progress, or this server is ending.");
            return FAILED;
        }
        boolean done = false;
        changes.pause();
        try {
            answer.line("Starting the successor.");
            if (!succeeded(answer)) {
                return FAILED;
            }
            done = true;
            long pid = successor();
            try {
                answer.line(
                        "Process "
                                + pid
                                + " serves from now on. Process "
                                + own()
                                + " ends after its requests in progress.");
            } finally {
                end.accept(pid);
            }
            return OK;
        } finally {
            if (!done) {
                changes.resume(); // before another upgrade can pause them
            }
            busy.set(done);
        }
    }

    /// Begins the stop of this process. A successor that starts is ended, so that none serves after the
    /// stop.
    ///
    /// @return the number of the successor that has taken over; 0 if none has, and none will
    public synchronized long stop() {
        stopped = true;
        if (starting != null) {
            starting.destroyForcibly();
        }
        return successor;
    }

    private static long own() {
        return ProcessHandle.current().pid();
    }

    /// Lets a successor take over.
    ///
    /// @return whether it has; if not, the answer says why
    private boolean succeeded(Answer answer) throws IOException {
        @Nullable Process next = null;
        List<ListeningSocket> duplicates = List.of();
        boolean over = false;
        try {
            clear();
            duplicates = serval.handOver();
            next = start(launching.launch());
            HandOver.give(file, all(duplicates), START_MAX, next::isAlive);
            over = takesOver(next);
            if (over) {
                serval.leave();
            }
        } catch (IOException | RuntimeException e) {
            if (!over && !isStopped()) { // otherwise a loop has not answered, and stops accepting
                // later
                explain(next, e, answer);
            }
        } finally {
            duplicates.forEach(ListeningSocket::close);
            clearIfPossible();
        }
        if (!over) {
            answer.problem(
                    isStopped()
                            ? "The successor was ended, because this server is ending."
                            : "Nothing has changed: process " + own() + " continues.");
        }
        return over;
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized long successor() {
        return successor;
    }

    /// Notes that a successor accepts connections.
    ///
    /// @return false if this process stops, so that the successor was ended
    private synchronized boolean takesOver(Process next) {
        starting = null;
        if (!stopped) {
            successor = next.pid();
        }
        return !stopped;
    }

    /// Returns the sockets of the service manager, used or not, and then those of other listeners.
    private List<ListeningSocket> all(List<ListeningSocket> duplicates) {
        List<ListeningSocket> all = new ArrayList<>(inherited);
        Set<SocketAddress> addresses =
                inherited.stream().map(ListeningSocket::address).collect(Collectors.toSet());
        for (ListeningSocket each : duplicates) {
            if (!addresses.contains(each.address())) {
                all.add(each);
            }
        }
        return all;
    }

    private Process start(Launch launch) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(launch.command()).inheritIO();
        builder.environment().put(Predecessor.VARIABLE, file.toString());
        synchronized (this) {
            if (stopped) {
                throw new IOException("this server is ending");
            }
            Process process = builder.start();
            starting = process;
            return process;
        }
    }

    /// Ends a successor that has not taken over, and says why.
    private void explain(@Nullable Process successor, Exception e, Answer answer)
            throws IOException {
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        if (successor == null) {
            answer.problem("A successor could not be started: " + why + ".");
            return;
        }
        if (!ended(successor)) {
            successor.destroyForcibly();
            answer.problem("The successor was ended: " + why + ".");
            return;
        }
        for (String line : report().lines().toList()) {
            answer.problem(line.startsWith("serval: ") ? line.substring(8) : line);
        }
        answer.problem(
                "The successor has ended with exit code "
                        + successor.exitValue()
                        + " before it served.");
    }

    /// Returns what the successor has printed before it ended.
    private String report() {
        Path report = Predecessor.report(file);
        try {
            return Files.exists(report) ? Files.readString(report, UTF_8) : "";
        } catch (IOException e) {
            return "What it printed cannot be read (" + e + ").";
        }
    }

    /// Returns whether a process has ended, or does so in a moment.
    private static boolean ended(Process process) {
        try {
            return process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /// Removes what this upgrade has left, which must not hide how it has ended: the next one tries again.
    private void clearIfPossible() {
        try {
            clear();
        } catch (IOException e) {
            LOG.log(WARNING, "The files of an upgrade could not be removed", e);
        }
    }

    /// Removes what an upgrade has left in the folder.
    private void clear() throws IOException {
        Files.deleteIfExists(Predecessor.report(file));
        Files.deleteIfExists(file);
    }
}
