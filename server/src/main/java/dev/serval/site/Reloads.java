package dev.serval.site;

import dev.serval.config.Differences;
import dev.serval.config.Differences.Difference;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.TomlEdit;
import dev.serval.config.TomlFile;
import dev.serval.control.Commands.Answer;
import dev.serval.settings.ExitCodes;
import dev.serval.settings.Origin;
import dev.serval.settings.Problems;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the configuration of a running server again, or takes a changed one, and applies what
/// differs. One change is carried out at a time. Any thread.
public final class Reloads {
    private final LiveSite site;
    private final Rereading rereading;
    private final RunOptions started;
    private RunOptions current; // under the lock

    /// Creates an object for a server that has started.
    ///
    /// @param options with which it was started
    public Reloads(LiveSite site, RunOptions options, Rereading rereading) {
        this.site = site;
        this.started = options;
        this.current = options;
        this.rereading = rereading;
    }

    /// What a change has led to.
    public sealed interface Outcome {
        /// The configuration is in force, except for what needs a restart.
        record Applied(List<Difference> differences) implements Outcome {}

        /// The configuration is wrong, so nothing has changed.
        record Wrong(List<String> sentences, int exitCode) implements Outcome {}

        /// This machine does not allow it, so nothing has changed.
        record Failed(String why) implements Outcome {}
    }

    /// Reads the configuration file again, and applies it.
    ///
    /// @return the exit code of the command
    /// @throws IOException if the client has gone
    public int reload(Answer answer) throws IOException {
        Outcome outcome = reload();
        if (outcome instanceof Outcome.Wrong wrong) {
            for (String sentence : wrong.sentences) {
                answer.problem(sentence);
            }
            answer.problem("Nothing has changed.");
            return wrong.exitCode;
        }
        if (outcome instanceof Outcome.Failed failed) {
            answer.problem(failed.why);
            answer.problem("Nothing has changed.");
            return ExitCodes.ENVIRONMENT;
        }
        List<Difference> differences = ((Outcome.Applied) outcome).differences;
        for (Difference difference : differences) {
            answer.line(difference.toString());
        }
        answer.line(
                differences.isEmpty() ? "Nothing has changed." : "The configuration is in force.");
        return ExitCodes.OK;
    }

    /// Reads the configuration file again, and applies it.
    public synchronized Outcome reload() {
        if (current.origin() == null) {
            return new Outcome.Wrong(
                    List.of(
                            "This server was started without a configuration file, so there is"
                                    + " nothing to reload."),
                    ExitCodes.USAGE);
        }
        return bring(null, new Problems());
    }

    /// Applies a changed configuration.
    ///
    /// @param tree the whole configuration, as a file would say it
    /// @param mistakes those that were found when it was read
    /// @param save whether the file is changed accordingly, with its comments
    public synchronized Outcome change(Node.Table tree, Mistakes mistakes, boolean save) {
        @Nullable Origin origin = current.origin();
        if (origin == null) {
            return new Outcome.Failed("This server was started without a configuration file.");
        }
        Problems problems = new Problems();
        mistakes.lines().forEach(problems::usage);
        if (!problems.none()) {
            return new Outcome.Wrong(problems.sentences(), problems.exitCode());
        }
        @Nullable String text = null;
        if (save) {
            Mistakes unread = new Mistakes();
            text = TomlFile.text(origin.file(), unread);
            if (text == null || !text.equals(origin.text())) {
                return new Outcome.Failed(
                        origin.file()
                                + " was changed since it was read: reload it first, so that no change"
                                + " is lost.");
            }
        }
        Outcome outcome = bring(tree, problems);
        if (text != null && outcome instanceof Outcome.Applied) {
            try {
                String changed = TomlEdit.changed(text, tree);
                write(origin.file(), changed);
                saved(changed);
            } catch (IOException e) {
                return new Outcome.Failed(
                        "The configuration is in force, but "
                                + origin.file()
                                + " could not be written ("
                                + e
                                + ").");
            }
        }
        return outcome;
    }

    /// Returns the configuration in force, as a file would say it; null without a file.
    public synchronized Node.@Nullable Table tree() {
        return current.origin() == null ? null : current.origin().tree();
    }

    /// Shows what a reload would change.
    ///
    /// @param file the configuration to compare with what is in force
    /// @throws IOException if the client has gone
    public synchronized int diff(Path file, Answer answer) throws IOException {
        if (current.origin() == null) {
            answer.problem("This server was started without a configuration file.");
            return ExitCodes.USAGE;
        }
        Problems problems = new Problems();
        @Nullable SettingsFile next = SettingsFile.read(file, System.getenv(), problems);
        if (next == null || !problems.none()) {
            for (String sentence : problems.sentences()) {
                answer.problem(sentence);
            }
            return problems.exitCode();
        }
        List<Difference> differences = differences(next.options());
        for (Difference difference : differences) {
            answer.line(difference.toString());
        }
        if (differences.isEmpty()) {
            answer.line("A reload would change nothing.");
        }
        return ExitCodes.OK;
    }

    /// @param tree null for what the file says
    private Outcome bring(Node.@Nullable Table tree, Problems problems) {
        @Nullable RunOptions next = rereading.read(tree, problems);
        if (next == null || !problems.none()) {
            return new Outcome.Wrong(problems.sentences(), problems.exitCode());
        }
        @Nullable Origin former = current.origin();
        @Nullable Origin latter = next.origin();
        if (tree != null && former != null && latter != null) {
            next = next.with(latter.withText(former.text())); // the file is as it was read
        }
        List<Difference> differences = differences(next);
        try {
            for (Runnable end : site.apply(current, next)) {
                Thread.ofVirtual().name("serval-reload-end").start(end);
            }
        } catch (IOException | RuntimeException e) {
            return new Outcome.Failed(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        current = next;
        return new Outcome.Applied(differences);
    }

    /// Returns what differs from what is in force. What needs a restart is compared with the start.
    private List<Difference> differences(RunOptions next) {
        List<Difference> all = new ArrayList<>();
        @Nullable Origin to = next.origin();
        @Nullable Origin from = current.origin();
        @Nullable Origin first = started.origin();
        if (to == null || from == null || first == null) {
            return all;
        }
        for (Difference each : Differences.between(from.values(), to.values())) {
            if (!each.restart()) {
                all.add(each);
            }
        }
        for (Difference each : Differences.between(first.values(), to.values())) {
            if (each.restart()) {
                all.add(each);
            }
        }
        return all;
    }

    /// Remembers the text that the file has now.
    private void saved(String text) {
        @Nullable Origin origin = current.origin();
        if (origin != null) {
            current = current.with(origin.withText(text));
        }
    }

    /// Writes a file as a whole or not at all. It keeps its permissions, and a link stays a link.
    private static void write(Path file, String text) throws IOException {
        Path real = file.toRealPath();
        @Nullable Path parent = real.getParent();
        Path beside = Files.createTempFile(parent, ".serval", ".toml");
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(real);
            Files.writeString(beside, text);
            Files.setPosixFilePermissions(beside, permissions);
            Files.move(beside, real, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
