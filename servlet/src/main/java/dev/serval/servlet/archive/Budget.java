package dev.serval.servlet.archive;

import java.io.IOException;

/// Counts what an application's archives cost in all. Owned by the thread that unpacks.
final class Budget {
    private final ArchiveLimits limits;
    private final long packedBytes;
    private long bytes;
    private int entries;

    /// @param packedBytes size of the archive, or of all jars of an exploded application
    Budget(ArchiveLimits limits, long packedBytes) {
        this.limits = limits;
        this.packedBytes = packedBytes;
    }

    ArchiveLimits limits() {
        return limits;
    }

    /// Adds an entry before it is unpacked. Its declared size is the most that is written.
    void add(String archive, ArchiveEntry entry) throws IOException {
        bytes += entry.bytes();
        entries++;
        if (bytes < 0 || bytes > limits.unpackedMaxBytes()) {
            throw Fault.of(
                    archive,
                    "the files have more than the limit unpackedMaxBytes of "
                            + limits.unpackedMaxBytes()
                            + " bytes");
        }
        if (entries > limits.entriesMax()) {
            throw Fault.of(
                    archive,
                    "there are more files than the limit entriesMax of " + limits.entriesMax());
        }
        if (bytes > limits.ratioFloorBytes() && bytes / limits.ratioMax() >= packedBytes) {
            throw Fault.of(
                    archive,
                    "the files are more than ratioMax = "
                            + limits.ratioMax()
                            + " times as large as the archive, as in a decompression bomb: if the"
                            + " archive is right, raise the limit");
        }
    }

    /// Returns the bytes of all files added.
    long bytes() {
        return bytes;
    }
}
