package dev.serval.servlet.archive;

import static java.util.concurrent.TimeUnit.MINUTES;

/// What a work folder may hold. Immutable.
///
/// @param maxBytes bytes of all unpacked files
/// @param entriesMax unpacked applications
/// @param lockWaitNanos how long to wait while another server uses the folder
public record WorkLimits(long maxBytes, int entriesMax, long lockWaitNanos) {
    /// 8 GiB, 64 applications, 10 minutes.
    public static final WorkLimits DEFAULT = new WorkLimits(8L << 30, 64, MINUTES.toNanos(10));

    /// Checks the values.
    public WorkLimits {
        if (maxBytes <= 0 || entriesMax <= 0 || lockWaitNanos < 0) {
            throw new IllegalArgumentException(
                    "A work folder needs room for at least one byte and one application, but has "
                            + maxBytes
                            + " bytes for "
                            + entriesMax
                            + " applications");
        }
    }
}
