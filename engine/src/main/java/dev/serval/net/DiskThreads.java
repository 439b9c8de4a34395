package dev.serval.net;

/// Runs work that may wait for a disk, which a loop never does. A connection whose transport cannot
/// send files ([Transport#sendsFiles]) reads here what is not in memory. Any thread.
@FunctionalInterface
public interface DiskThreads {
    /// Accepts no work. For loops whose transports all send files.
    DiskThreads NONE = (_, _) -> false;

    /// Submits work.
    ///
    /// @param dropped runs instead of `work` if the server stops first; on any thread
    /// @return whether `work` was accepted; if not, neither will run
    boolean submit(Runnable work, Runnable dropped);
}
