package dev.serval.settings;

/// Collects what is wrong with a command line: what is wrong, where, and what would be right, in
/// one sentence each.
public interface Complaints {
    /// Adds a problem that exists on any machine.
    void usage(String sentence);

    /// Adds a problem of this machine.
    void environment(String sentence);
}
