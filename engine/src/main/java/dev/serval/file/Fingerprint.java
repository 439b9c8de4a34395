package dev.serval.file;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The state of a regular file as the file system reports it. Immutable.
///
/// @param real the file's path without links
/// @param key device and inode, if the system has them
/// @param size bytes
/// @param modifiedNanos last change of the bytes, in nanoseconds since the epoch; any process may
///     set it back
/// @param changedNanos last change of bytes or attributes (ctime), which no process can set;
///     `modifiedNanos` if the system has none
record Fingerprint(
        Path real, @Nullable Object key, long size, long modifiedNanos, long changedNanos)
        implements Found.Seen {
    /// The longest tick of a file system's clock whose times are whole seconds. Two changes within
    /// a tick look like one.
    private static final long COARSE_TICK_NANOS = 2_000_000_000L;

    /// At least ten times the tick of a clock whose times have fractions of a second. Such a tick
    /// is a timer interrupt, 10 ms at most.
    private static final long FINE_TICK_NANOS = 100_000_000L;

    /// A file that was written within this time may be written again at any moment.
    private static final long RESTED_NANOS = 2_000_000_000L;

    /// Creates the fingerprint of the file at `real`.
    ///
    /// @param changed the file's ctime, or null if the system has none
    static Fingerprint of(Path real, BasicFileAttributes attributes, @Nullable FileTime changed) {
        long modified = attributes.lastModifiedTime().to(NANOSECONDS);
        return new Fingerprint(
                real,
                attributes.fileKey(),
                attributes.size(),
                modified,
                changed == null ? modified : changed.to(NANOSECONDS));
    }

    /// Returns whether any change after `nowNanos` (since the epoch) changes the fingerprint.
    boolean isSettled(long nowNanos) {
        boolean wholeSeconds = changedNanos % 1_000_000_000L == 0;
        long tick = wholeSeconds ? COARSE_TICK_NANOS : FINE_TICK_NANOS;
        return Math.abs(nowNanos - changedNanos) > tick;
    }

    /// Returns whether the file has rested for so long that hardly anything is still writing to it.
    boolean hasRested(long nowNanos) {
        return isSettled(nowNanos) && Math.abs(nowNanos - changedNanos) > RESTED_NANOS;
    }

    /// Returns whether no later state can have the same modification date (RFC 9110 §8.8.2.2).
    boolean isDateSettled(long nowNanos) {
        return isSettled(nowNanos) && nowNanos - modifiedNanos > COARSE_TICK_NANOS;
    }

    /// Returns the bytes from which an entity tag is hashed.
    ///
    /// @param salt 0, or a value that separates this state from one with the same fingerprint
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
