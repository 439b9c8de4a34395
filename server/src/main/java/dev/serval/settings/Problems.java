package dev.serval.settings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Collects all problems of a command line or file, so that all are printed at once. Each is one
/// sentence: what is wrong, where, and what would be right. Used by one thread.
public final class Problems implements Complaints {
    /// The place of a sentence in a file: its line and its column.
    private static final Pattern PLACE = Pattern.compile("^(.*?):(\\d{1,7}):(\\d{1,7}): ");

    private static final Comparator<InFile> ORDER =
            Comparator.comparing(InFile::file)
                    .thenComparingInt(InFile::line)
                    .thenComparingInt(InFile::column);

    private final List<String> sentences = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int exitCode = ExitCodes.OK;

    /// Adds a problem that exists on any machine. A table of a file that holds for several mounts
    /// may be read more than once, so the same problem at the same place is not added again.
    @Override
    public void usage(String sentence) {
        add(sentence);
        exitCode = ExitCodes.USAGE;
    }

    /// Adds a problem of this machine.
    @Override
    public void environment(String sentence) {
        add(sentence);
        exitCode = Math.max(exitCode, ExitCodes.ENVIRONMENT);
    }

    private void add(String sentence) {
        if (InFile.of(sentence) == null || !sentences.contains(sentence)) {
            sentences.add(sentence);
        }
    }

    /// Adds something that is no problem, but may not be what the user expects.
    ///
    /// @param where such as `serval.toml:12:5`
    public void note(String where, String sentence) {
        String note = where + ": " + sentence;
        if (!notes.contains(note)) { // such as that of a mount of a host with several names
            notes.add(note);
        }
    }

    /// Returns the problems: first those of each file by their line and column, then the others in the
    /// order in which they were added.
    public List<String> sentences() {
        return inOrder(sentences);
    }

    /// Returns what is no problem, in the same order.
    public List<String> notes() {
        return inOrder(notes);
    }

    private static List<String> inOrder(List<String> sentences) {
        return sentences.stream()
                .sorted(Comparator.comparing(InFile::of, Comparator.nullsLast(ORDER)))
                .toList();
    }

    /// The place of a sentence in a file. Immutable.
    private record InFile(String file, int line, int column) {
        /// Returns the place; null if the sentence has none.
        static @Nullable InFile of(String sentence) {
            Matcher found = PLACE.matcher(sentence);
            return found.find()
                    ? new InFile(
                            found.group(1),
                            Integer.parseInt(found.group(2)),
                            Integer.parseInt(found.group(3)))
                    : null;
        }
    }

    /// Returns whether there is none.
    public boolean none() {
        return sentences.isEmpty();
    }

    /// Returns the exit code that belongs to the problems: one usage problem makes it a usage error.
    public int exitCode() {
        return exitCode;
    }

    /// Returns a view that puts a place before each sentence.
    ///
    /// @param where such as `serval.toml:12:5`
    public Complaints at(String where) {
        return new Complaints() {
            @Override
            public void usage(String sentence) {
                Problems.this.usage(where + ": " + sentence);
            }

            @Override
            public void environment(String sentence) {
                Problems.this.environment(where + ": " + sentence);
            }
        };
    }
}
