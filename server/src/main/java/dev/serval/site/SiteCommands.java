package dev.serval.site;

import dev.serval.command.ControlCommand;
import dev.serval.command.Invocation;
import dev.serval.command.Version;
import dev.serval.control.Commands;
import dev.serval.policy.LoadMode;
import dev.serval.route.RouteTable;
import dev.serval.settings.Mount;
import dev.serval.settings.Numbers;
import dev.serval.settings.Origin;
import dev.serval.settings.Place;
import dev.serval.settings.Problems;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Carries out the commands to a running server, such as `deploy` and `reload`. Threads of the control
/// socket call it.
public final class SiteCommands implements Commands {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LiveSite site;
    private final StatusScreen status;
    private final Reloads reloads;
    private final Readiness readiness;
    private final Duration stopDelay;
    private final Runnable stop;

    /// Creates the commands of a site.
    ///
    /// @param readiness whether the server wants requests
    /// @param stopDelay how long the server serves on after the stop has begun
    /// @param stop begins the stop of the server
    public SiteCommands(
            LiveSite site,
            StatusScreen status,
            Reloads reloads,
            Readiness readiness,
            Duration stopDelay,
            Runnable stop) {
        this.site = site;
        this.status = status;
        this.reloads = reloads;
        this.readiness = readiness;
        this.stopDelay = stopDelay;
        this.stop = stop;
    }

    @Override
    public int carryOut(List<String> command, Answer answer) throws IOException {
        String name = command.getFirst();
        List<String> arguments = command.subList(1, command.size());
        if (name.equals(ControlCommand.DEPLOY) && arguments.size() == 2) {
            return deploy(arguments.getFirst(), arguments.getLast(), answer);
        }
        if (name.equals(ControlCommand.STATUS) && arguments.isEmpty()) {
            return status.print(answer);
        }
        if (name.equals(CONFIGURATION) && arguments.isEmpty()) {
            return configuration(answer);
        }
        if (name.equals(ControlCommand.RELOAD) && arguments.isEmpty()) {
            return reloads.reload(answer);
        }
        if (name.equals(ControlCommand.REOPEN) && arguments.isEmpty()) {
            return reopen(answer);
        }
        if (name.equals(ControlCommand.STOP) && arguments.isEmpty()) {
            return stop(answer);
        }
        if (arguments.size() == 1) {
            return withWord(name, arguments.getFirst(), answer);
        }
        return unknown(answer);
    }

    private int reopen(Answer answer) throws IOException {
        site.applications().reopenLogs();
        try {
            site.logs().reopen();
        } catch (IOException e) { // of a file, while the client is there
            answer.problem(text(e) + ".");
            return Invocation.ENVIRONMENT;
        }
        answer.line("The log files are open again.");
        return Invocation.OK;
    }

    private int configuration(Answer answer) throws IOException {
        @Nullable Origin origin = reloads.current().origin();
        if (origin != null) {
            answer.line(origin.file().toString());
        }
        return Invocation.OK;
    }

    /// Carries out a command with one word.
    private int withWord(String name, String word, Answer answer) throws IOException {
        return switch (name) {
            case ControlCommand.UNDEPLOY -> undeploy(word, answer);
            case ControlCommand.DIFF -> diff(word, answer);
            case ControlCommand.DRAIN -> drain(word, answer);
            case ControlCommand.LOAD_MODE -> loadMode(word, answer);
            default -> unknown(answer);
        };
    }

    private static int unknown(Answer answer) throws IOException {
        answer.problem(
                "The server does not know this command, because it has another version ("
                        + Version.TEXT
                        + ").");
        return Invocation.USAGE;
    }

    private int diff(String text, Answer answer) throws IOException {
        @Nullable Path path = path(text, answer);
        return path == null ? Invocation.USAGE : reloads.diff(path, answer);
    }

    /// Returns null after a problem.
    private static @Nullable Path path(String text, Answer answer) throws IOException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            answer.problem("This system can have no such path: " + e.getReason() + ".");
            return null;
        }
    }

    private int drain(String state, Answer answer) throws IOException {
        if (state.equals("on")) {
            readiness.drain();
            answer.line("The server is not ready from now on. It still serves every request.");
        } else if (state.equals("off")) {
            readiness.ready();
            answer.line("The server is ready again.");
        } else {
            answer.problem("drain takes on or off, not \"" + state + "\".");
            return Invocation.USAGE;
        }
        return Invocation.OK;
    }

    /// Forces a load mode, or that of the load.
    private int loadMode(String name, Answer answer) throws IOException {
        @Nullable LoadMode mode = null;
        for (LoadMode each : LoadMode.values()) {
            mode = each.text().equals(name) ? each : mode;
        }
        if (mode == null && !name.equals("auto")) {
            answer.problem(
                    "load-mode takes auto, light, normal, heavy or critical, not \""
                            + name
                            + "\".");
            return Invocation.USAGE;
        }
        if (site.serval().limits().load().forced() != null) {
            answer.problem("The configuration forces a mode: set load.mode there.");
            return Invocation.ENVIRONMENT;
        }
        site.serval().forceLoad(mode);
        answer.line(
                mode == null
                        ? "The load decides the mode: it is "
                                + site.serval().load().mode().text()
                                + "."
                        : "The mode is " + name + " until the next start, or load-mode auto.");
        return Invocation.OK;
    }

    /// Begins the stop. The connection of the command ends with the process, which tells the client
    /// that the server has ended.
    private int stop(Answer answer) throws IOException {
        answer.line(
                stopDelay.isZero()
                        ? "Stopping: requests in progress may still complete."
                        : "Stopping: the server refuses new connections in "
                                + Numbers.text(stopDelay)
                                + " (stop-delay), and ends after the requests in progress.");
        stop.run();
        while (true) {
            LockSupport.park();
        }
    }

    /// @param prefix empty if the user gave none
    private int deploy(String prefix, String text, Answer answer) throws IOException {
        long begin = System.nanoTime();
        @Nullable Path path = path(text, answer);
        if (path == null) {
            return Invocation.USAGE;
        }
        @Nullable Mount mount;
        try {
            mount = mount(prefix, path, answer);
        } catch (IllegalArgumentException e) {
            answer.problem(text(e) + ".");
            return Invocation.USAGE;
        }
        if (mount == null) {
            return Invocation.USAGE;
        }
        LiveSite.Change change;
        try {
            change = site.deploy(mount);
        } catch (IOException | RuntimeException | LinkageError e) {
            answer.problem(path + " was not deployed: " + Applications.reason(mount, e));
            answer.problem(
                    site.at(mount.place()) == null
                            ? "Nothing has changed."
                            : "The version that runs at " + mount.place() + " continues.");
            return Invocation.ENVIRONMENT;
        }
        String done =
                mount.place()
                        + "  "
                        + path.getFileName()
                        + "  takes requests, after "
                        + (System.nanoTime() - begin) / NANOS_PER_MILLI
                        + " ms.";
        return end(change, done, "The former version", answer);
    }

    private int undeploy(String prefix, Answer answer) throws IOException {
        LiveSite.Change change;
        try {
            change = site.undeploy(place(prefix));
        } catch (IOException | IllegalArgumentException e) {
            answer.problem(text(e) + ".");
            return Invocation.ENVIRONMENT;
        }
        return end(change, prefix + " takes no more requests.", "The application", answer);
    }

    /// Ends the former version, even if the client has gone meanwhile. Otherwise it would stay in
    /// memory until the stop of the server, because no command reaches it any more.
    ///
    /// @param done what to tell the client before
    /// @param who is ended
    private static int end(LiveSite.Change change, String done, String who, Answer answer)
            throws IOException {
        int left;
        try {
            answer.line(done);
        } finally {
            left = change.end();
        }
        if (change.former() == null) {
            return Invocation.OK;
        }
        answer.line(
                left == 0
                        ? who + " has ended after its last request."
                        : who
                                + " was ended while "
                                + left
                                + " requests still ran, because "
                                + LiveSite.DRAIN.toSeconds()
                                + " s were over.");
        return Invocation.OK;
    }

    /// Returns where to serve an application: at the prefix, or in place of the version from the
    /// same path or with the same file name, or at the path that its name asks for.
    private @Nullable Mount mount(String prefix, Path path, Answer answer) throws IOException {
        if (!prefix.isEmpty()) {
            return Mount.application(known(place(prefix)), path);
        }
        List<Mount> running = List.copyOf(site.applications().running().keySet());
        for (Mount present : running) {
            if (present.path().equals(path)) {
                return Mount.application(present.place(), path);
            }
        }
        for (Mount present : running) {
            if (String.valueOf(present.path().getFileName())
                    .equals(String.valueOf(path.getFileName()))) {
                return Mount.application(present.place(), path);
            }
        }
        Problems problems = new Problems();
        @Nullable Mount named = Mount.application(Place.at("/"), path).named(problems);
        for (String sentence : problems.sentences()) {
            answer.problem(sentence);
        }
        return named;
    }

    /// Returns a place, if the configuration has its host. An application at another would take the host
    /// from the mounts that are of every host.
    private Place known(Place place) {
        if (!place.isDefaultHost() && !reloads.current().served().hasHost(place.host())) {
            throw new IllegalArgumentException(
                    "There is no [[host]] "
                            + place.host()
                            + " in the configuration: add it, or correct the name");
        }
        return place;
    }

    /// Returns the place of `/PREFIX`, or of `HOST/PREFIX`.
    ///
    /// @throws IllegalArgumentException if there can be no such place
    private static Place place(String text) {
        int slash = text.indexOf('/');
        return slash <= 0
                ? Place.checked(RouteTable.DEFAULT_HOST, text)
                : Place.checked(text.substring(0, slash), text.substring(slash));
    }

    private static String text(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
