package dev.serval.file;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the file system says of a regular file. Immutable.
///
/// @param real its path without links
/// @param key device and inode, where the system has them
/// @param size bytes
/// @param modifiedNanos last change of the bytes, in nanoseconds since the epoch; anybody may set
///     it back
/// @param changedNanos last change of bytes or attributes (ctime), which nobody can set;
///     `modifiedNanos` where the system has none
record Fingerprint(
        Path real, @Nullable Object key, long size, long modifiedNanos, long changedNanos)
        implements Found.Seen {
    /// The clocks of file systems tick, and two changes within a tick look like one: every two
    /// seconds at worst, where times are whole seconds.
    private static final long COARSE_TICK_NANOS = 2_000_000_000L;

    /// At least ten times what a clock takes for a tick whose times have fractions of a second: a
    /// timer interrupt, 10 ms at most.
    private static final long FINE_TICK_NANOS = 100_000_000L;

    /// The fingerprint of the file at `real`.
    ///
    /// @param changed the file's ctime, or null where the system has none
    static Fingerprint of(Path real, BasicFileAttributes attributes, @Nullable FileTime changed) {
        long modified = attributes.lastModifiedTime().to(NANOSECONDS);
        return new Fingerprint(
                real,
                attributes.fileKey(),
                attributes.size(),
                modified,
                changed == null ? modified : changed.to(NANOSECONDS));
    }

    /// Whether a change after `nowNanos` (since the epoch) is sure to make another fingerprint.
    boolean isSettled(long nowNanos) {
        boolean wholeSeconds = changedNanos % 1_000_000_000L == 0;
        long tick = wholeSeconds ? COARSE_TICK_NANOS : FINE_TICK_NANOS;
        return Math.abs(nowNanos - changedNanos) > tick;
    }

    /// Whether its modification date cannot also be that of a later state (RFC 9110 §8.8.2.2).
    boolean isDateSettled(long nowNanos) {
        return isSettled(nowNanos) && nowNanos - modifiedNanos > COARSE_TICK_NANOS;
    }

    /// Bytes from which an entity tag is hashed.
    ///
    /// @param salt 0, or what sets this state apart from one with the same fingerprint
    byte[] bytes(long salt) {
        return ByteBuffer.allocate(5 * Long.BYTES)
                .putLong(size)
                .putLong(modifiedNanos)
                .putLong(changedNanos)
                .putLong(Objects.hashCode(key))
                .putLong(salt)
                .array();
    }
}
