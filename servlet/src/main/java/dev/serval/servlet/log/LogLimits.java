package dev.serval.servlet.log;

/// Limits of the log of one application. Immutable.
///
/// @param fileMaxBytes size of one file; then another is begun
/// @param filesMax files that are kept, with the current one; older ones are deleted
/// @param bufferMaxBytes bytes that wait for the disk
/// @param waitNanos how long a thread waits for room in the buffer; then its text is dropped
/// @param retryNanos pause after the disk has failed
/// @param serversMax servers that may log applications of one name into one folder
public record LogLimits(
        long fileMaxBytes,
        int filesMax,
        int bufferMaxBytes,
        long waitNanos,
        long retryNanos,
        int serversMax) {
    /// The limits that the server uses.
    public static final LogLimits STANDARD =
            new LogLimits(10 << 20, 5, 1 << 20, 1_000_000_000, 5_000_000_000L, 16);
}
