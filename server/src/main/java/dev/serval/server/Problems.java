package dev.serval.server;

import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong with a command line, so that all of it is said at once: one sentence each
/// that names what, where, and what would be right. Used by the main thread, for one command line.
final class Problems {
    private final List<String> sentences = new ArrayList<>();
    private int exitCode = Invocation.OK;

    /// Something that is wrong on any machine.
    void usage(String sentence) {
        sentences.add(sentence);
        exitCode = Invocation.USAGE;
    }

    /// Something that this machine does not have.
    void environment(String sentence) {
        sentences.add(sentence);
        exitCode = Math.max(exitCode, Invocation.ENVIRONMENT);
    }

    boolean none() {
        return sentences.isEmpty();
    }

    /// The refusal that says them; only where there are some. One usage problem makes it a usage
    /// problem.
    Invocation refusal() {
        return new Invocation.Refuse(sentences, exitCode);
    }
}
