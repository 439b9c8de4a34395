package dev.serval.site;

import dev.serval.config.Differences;
import dev.serval.config.Differences.Difference;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.TomlFile;
import dev.serval.control.Commands.Answer;
import dev.serval.settings.ExitCodes;
import dev.serval.settings.Origin;
import dev.serval.settings.Problems;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the configuration of a running server again, or takes a changed one, and applies what
/// differs. One change is carried out at a time. Any thread.
public final class Reloads {
    private static final String NO_FILE = "This server was started without a configuration file";

    private final LiveSite site;
    private final Rereading rereading;
    private final RunOptions started;
    private volatile RunOptions current; // written under the lock
    private @Nullable String paused; // why no change is made; under the lock

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
        ///
        /// @param warnings what is not as the configuration says, in a sentence each
        /// @param tree what is in force, as a file would say it
        /// @param certificates whether files of certificates had changed, which new connections get now
        record Applied(
                List<Difference> differences,
                List<String> warnings,
                Node.Table tree,
                boolean certificates)
                implements Outcome {}

        /// The configuration is in force, but the file does not say it.
        record Unsaved(Applied applied, String why) implements Outcome {}

        /// The configuration is wrong, so nothing has changed.
        record Wrong(List<String> sentences, int exitCode) implements Outcome {}

        /// This machine does not allow it, so nothing has changed.
        record Failed(String why) implements Outcome {}
    }

    /// A change of a configuration.
    @FunctionalInterface
    public interface Edit {
        /// Returns the changed configuration. It may throw an unchecked exception; then nothing changes.
        ///
        /// @param tree what is in force, as a file would say it
        /// @param mistakes takes what is wrong with the change
        Node.Table of(Node.Table tree, Mistakes mistakes);
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
        Outcome.Applied applied = (Outcome.Applied) outcome;
        for (Difference difference : applied.differences) {
            answer.line(difference.toString());
        }
        for (String warning : applied.warnings) {
            answer.problem(warning);
        }
        if (applied.certificates) {
            answer.line("New connections use the changed certificates.");
        }
        answer.line(
                applied.differences.isEmpty() && applied.warnings.isEmpty() && !applied.certificates
                        ? "Nothing has changed."
                        : "The configuration is in force.");
        return ExitCodes.OK;
    }

    /// Reads the configuration file again, and applies it.
    public synchronized Outcome reload() {
        if (current.origin() == null) {
            return new Outcome.Wrong(
                    List.of(NO_FILE + ", so there is nothing to reload."), ExitCodes.USAGE);
        }
        @Nullable String emptied = emptied();
        return emptied == null
                ? bring(null, new Problems())
                : new Outcome.Wrong(List.of(emptied), ExitCodes.USAGE);
    }

    /// Returns a sentence if the configuration file has become empty, as a save on a full disk may leave it;
    /// null if not. It is a valid file, but with it nothing would be served of what is.
    public @Nullable String emptied() {
        @Nullable Origin origin = current.origin();
        if (origin == null || origin.text().isBlank()) {
            return null;
        }
        @Nullable String text = TomlFile.text(origin.file(), new Mistakes());
        return text == null || !text.isBlank()
                ? null
                : origin.file()
                        + " is empty, as after a save that has failed: nothing would be served. Save it"
                        + " again.";
    }

    /// Changes the configuration in force: no other change comes between what `edit` sees and what it
    /// makes of it.
    ///
    /// @param save whether the file is changed accordingly, with its comments
    public synchronized Outcome change(Edit edit, boolean save) {
        @Nullable Origin origin = current.origin();
        if (origin == null) {
            return new Outcome.Failed(NO_FILE + ".");
        }
        if (save && origin.including()) {
            return new Outcome.Failed(
                    origin.file()
                            + " includes other files, so a change cannot be saved: write it into the"
                            + " files and reload them, or make it without saving it.");
        }
        Mistakes mistakes = new Mistakes();
        Node.Table tree = edit.of(origin.tree(), mistakes);
        Problems problems = new Problems();
        mistakes.lines().forEach(problems::usage);
        if (!problems.none()) {
            return new Outcome.Wrong(problems.sentences(), problems.exitCode());
        }
        if (!save) {
            return bring(tree, problems);
        }
        // Written before the change, because most of what can fail is that.
        try (FileChange file = FileChange.prepare(origin.file(), origin.text(), tree)) {
            Outcome outcome = bring(tree, problems);
            return outcome instanceof Outcome.Applied applied ? saved(applied, file) : outcome;
        } catch (IOException e) {
            return new Outcome.Failed(String.valueOf(e.getMessage()));
        }
    }

    private Outcome saved(Outcome.Applied applied, FileChange file) {
        try {
            file.commit();
        } catch (IOException e) {
            return new Outcome.Unsaved(
                    applied, "The change is in force, but not saved: " + e.getMessage());
        }
        @Nullable Origin origin = current.origin();
        if (origin != null) {
            current = current.with(origin.withText(file.text()));
        }
        return applied;
    }

    /// Refuses changes from now on. Waits for one that is being made.
    ///
    /// @param why a sentence for those who ask for one
    public synchronized void pause(String why) {
        paused = why;
    }

    /// Allows changes again.
    public synchronized void resume() {
        paused = null;
    }

    /// Returns the options in force. It does not wait for a change that is being made.
    public RunOptions current() {
        return current;
    }

    /// Returns the configuration in force, as a file would say it; null without a file. It does not wait
    /// for a change that is being made.
    public Node.@Nullable Table tree() {
        @Nullable Origin origin = current.origin();
        return origin == null ? null : origin.tree();
    }

    /// Shows what a reload would change.
    ///
    /// @param file the configuration to compare with what is in force
    /// @throws IOException if the client has gone
    public synchronized int diff(Path file, Answer answer) throws IOException {
        if (current.origin() == null) {
            answer.problem(NO_FILE + ".");
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
        @Nullable String why = paused;
        if (why != null) {
            return new Outcome.Failed(why);
        }
        @Nullable RunOptions next = rereading.read(tree, problems);
        if (next == null || !problems.none()) {
            return new Outcome.Wrong(problems.sentences(), problems.exitCode());
        }
        @Nullable Origin former = current.origin();
        @Nullable Origin latter = next.origin();
        if (former == null || latter == null) {
            return new Outcome.Failed(NO_FILE + ".");
        }
        if (tree != null) {
            next = next.with(latter.asReadFor(former));
        }
        List<Difference> differences = differences(next);
        Reload.Done done;
        try {
            done = site.apply(current, next);
        } catch (IOException | RuntimeException e) {
            return new Outcome.Failed(Reason.of(e));
        }
        current = next;
        for (Runnable end : done.ends()) {
            Thread.ofVirtual().name("serval-reload-end").start(end);
        }
        return new Outcome.Applied(
                differences, done.warnings(), latter.tree(), done.certificates());
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
}
