package dev.serval.examples.osp.record;

/// When the operating system is told to write the file to the disk.
public enum SyncPolicy {
    /// Before each confirmation. Nothing that was confirmed is lost if the power fails. The records
    /// that came during a write share the next one.
    ALWAYS,

    /// Each second. If the power fails, the records of the last second may be lost. If only the
    /// program fails, nothing is.
    SECOND,

    /// When the operating system decides.
    NEVER
}
