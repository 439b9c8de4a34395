package dev.serval.settings;

import java.util.ArrayList;
import java.util.List;

/// Collects all problems of a command line or file, so that all are printed at once. Each is one
/// sentence: what is wrong, where, and what would be right. Used by one thread.
public final class Problems implements Complaints {
    private final List<String> sentences = new ArrayList<>();
    private int exitCode = ExitCodes.OK;

    /// Adds a problem that exists on any machine.
    @Override
    public void usage(String sentence) {
        sentences.add(sentence);
        exitCode = ExitCodes.USAGE;
    }

    /// Adds a problem of this machine.
    @Override
    public void environment(String sentence) {
        sentences.add(sentence);
        exitCode = Math.max(exitCode, ExitCodes.ENVIRONMENT);
    }

    /// Returns the problems, in the order in which they were added.
    public List<String> sentences() {
        return List.copyOf(sentences);
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
