package dev.serval.log;

/// The limits of an access log. Immutable.
///
/// @param ringBytes bytes of lines of one loop that wait for the writer; past it lines are dropped
/// @param valueMaxBytes bytes of one value in a line, escaped; past it the value is cut and ends in
///     `...`
/// @param valuesMax values of a format
/// @param bufferBytes bytes of lines of one file that wait for a disk that has failed; past it lines
///     are dropped
/// @param filesMax files that a process has had as logs
/// @param flushNanos how long lines wait while others follow
/// @param retryNanos the pause before another attempt after the disk has failed
public record AccessLogLimits(
        int ringBytes,
        int valueMaxBytes,
        int valuesMax,
        int bufferBytes,
        int filesMax,
        long flushNanos,
        long retryNanos) {
    /// 1 MiB, 8 KiB, 24, 256 KiB, 256, 100 ms, 1 s.
    public static final AccessLogLimits STANDARD =
            new AccessLogLimits(1 << 20, 8 << 10, 24, 256 << 10, 256, 100_000_000L, 1_000_000_000L);
}
