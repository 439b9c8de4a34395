package dev.serval.command;

import dev.serval.backend.Complaints;
import java.util.ArrayList;
import java.util.List;

/// Collects all problems of a command line, so that all are printed at once. Each is one sentence:
/// what is wrong, where, and what would be right. Used by the main thread, for one command line.
public final class Problems implements Complaints {
    private final List<String> sentences = new ArrayList<>();
    private int exitCode = Invocation.OK;

    /// Adds a problem that exists on any machine.
    @Override
    public void usage(String sentence) {
        sentences.add(sentence);
        exitCode = Invocation.USAGE;
    }

    /// Adds a problem of this machine.
    @Override
    public void environment(String sentence) {
        sentences.add(sentence);
        exitCode = Math.max(exitCode, Invocation.ENVIRONMENT);
    }

    /// Returns the problems, in the order in which they were added.
    public List<String> sentences() {
        return List.copyOf(sentences);
    }

    boolean none() {
        return sentences.isEmpty();
    }

    /// Returns the refusal with all problems; there must be at least one. One usage problem makes
    /// it a usage error.
    Invocation refusal() {
        return new Invocation.Refuse(sentences, exitCode);
    }
}
