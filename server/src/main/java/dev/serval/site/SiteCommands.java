package dev.serval.site;

import dev.serval.command.ControlCommand;
import dev.serval.command.Invocation;
import dev.serval.command.Mount;
import dev.serval.command.Problems;
import dev.serval.command.Version;
import dev.serval.control.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Carries out the commands `deploy`, `undeploy` and `status` in the server. Threads of the control
/// socket call it.
public final class SiteCommands implements Commands {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LiveSite site;
    private final StatusScreen status;

    /// Creates the commands of a site.
    public SiteCommands(LiveSite site, StatusScreen status) {
        this.site = site;
        this.status = status;
    }

    @Override
    public int carryOut(List<String> command, Answer answer) throws IOException {
        String name = command.getFirst();
        List<String> arguments = command.subList(1, command.size());
        if (name.equals(ControlCommand.DEPLOY) && arguments.size() == 2) {
            return deploy(arguments.getFirst(), Path.of(arguments.getLast()), answer);
        }
        if (name.equals(ControlCommand.UNDEPLOY) && arguments.size() == 1) {
            return undeploy(arguments.getFirst(), answer);
        }
        if (name.equals(ControlCommand.STATUS) && arguments.isEmpty()) {
            return status.print(answer);
        }
        answer.problem(
                "The server does not know this command, because it has another version ("
                        + Version.TEXT
                        + ").");
        return Invocation.USAGE;
    }

    /// @param prefix empty if the user gave none
    private int deploy(String prefix, Path path, Answer answer) throws IOException {
        long begin = System.nanoTime();
        @Nullable Mount mount = mount(prefix, path, answer);
        if (mount == null) {
            return Invocation.USAGE;
        }
        LiveSite.Change change;
        try {
            change = site.deploy(mount);
        } catch (IOException | RuntimeException | LinkageError e) {
            answer.problem(path + " was not deployed: " + Applications.reason(mount, e));
            answer.problem(
                    site.at(mount.prefix()) == null
                            ? "Nothing has changed."
                            : "The version that runs at " + mount.prefix() + " continues.");
            return Invocation.ENVIRONMENT;
        }
        String done =
                mount.prefix()
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
            change = site.undeploy(prefix);
        } catch (IOException e) {
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
            return new Mount(prefix, path, true);
        }
        List<Mount> running = List.copyOf(site.applications().running().keySet());
        for (Mount present : running) {
            if (present.path().equals(path)) {
                return new Mount(present.prefix(), path, true);
            }
        }
        for (Mount present : running) {
            if (String.valueOf(present.path().getFileName())
                    .equals(String.valueOf(path.getFileName()))) {
                return new Mount(present.prefix(), path, true);
            }
        }
        Problems problems = new Problems();
        @Nullable Mount named = new Mount("/", path, true).named(problems);
        for (String sentence : problems.sentences()) {
            answer.problem(sentence);
        }
        return named;
    }

    private static String text(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
