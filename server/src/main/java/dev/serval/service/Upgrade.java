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
/// requests in progress are completed. If the successor does not start, nothing changes here.
///
/// Threads of the control socket call it.
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

    private final Serval serval;
    private final List<ListeningSocket> inherited;
    private final Launching launching;
    private final Path file;
    private final LongConsumer end;
    private final AtomicBoolean busy = new AtomicBoolean();

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
    /// @return the exit code of the command
    /// @throws IOException if the client has gone
    public int carryOut(Answer answer) throws IOException {
        if (!busy.compareAndSet(false, true)) {
            answer.problem("An upgrade is in progress, or this server is ending.");
            return FAILED;
        }
        boolean done = false;
        try {
            answer.line("Starting the successor.");
            @Nullable Long pid = succeeded(answer);
            if (pid == null) {
                answer.problem("Nothing has changed: process " + own() + " continues.");
                return FAILED;
            }
            done = true;
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
            busy.set(done);
        }
    }

    /// Returns whether an upgrade is in progress or has succeeded.
    public boolean isBusy() {
        return busy.get();
    }

    private static long own() {
        return ProcessHandle.current().pid();
    }

    /// Returns the number of the successor that has taken over; null after a problem.
    private @Nullable Long succeeded(Answer answer) throws IOException {
        @Nullable Process successor = null;
        List<ListeningSocket> duplicates = List.of();
        boolean over = false;
        try {
            clear();
            duplicates = serval.handOver();
            successor = start(launching.launch());
            HandOver.give(file, all(duplicates), START_MAX, successor::isAlive);
            over = true;
            serval.leave();
            return successor.pid();
        } catch (IOException | RuntimeException e) {
            if (over && successor != null) { // a loop has not answered, and stops accepting later
                return successor.pid();
            }
            explain(successor, e, answer);
            return null;
        } finally {
            duplicates.forEach(ListeningSocket::close);
            clearIfPossible();
        }
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
        return builder.start();
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
