package dev.serval.gateway.spool;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How much content may wait in memory and in files. Immutable.
///
/// @param memoryMaxBytes memory of all contents of more than 8 KiB together. When it is used up,
///     each further content keeps 8 KiB in memory and the rest in its file
/// @param diskMaxBytes bytes of all files together
/// @param folder where the files are; null for the system's temporary folder. A file has no name
///     there once it is open, so the system removes it if the server is killed
public record SpoolLimits(long memoryMaxBytes, long diskMaxBytes, @Nullable Path folder) {
    /// 16 MiB of memory, 1 GiB of disk.
    public static final SpoolLimits DEFAULT = new SpoolLimits(16 << 20, 1 << 30, null);

    /// Checks the numbers.
    public SpoolLimits {
        if (memoryMaxBytes < 0 || diskMaxBytes < 0) {
            throw new IllegalArgumentException("The limits of a spool must be 0 or more bytes");
        }
    }

    /// Returns a copy with another limit of files.
    public SpoolLimits withDiskMaxBytes(long bytes) {
        return new SpoolLimits(memoryMaxBytes, bytes, folder);
    }

    /// Returns a copy with another limit of memory.
    public SpoolLimits withMemoryMaxBytes(long bytes) {
        return new SpoolLimits(bytes, diskMaxBytes, folder);
    }
}
