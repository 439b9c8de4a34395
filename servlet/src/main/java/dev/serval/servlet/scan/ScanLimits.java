package dev.serval.servlet.scan;

/// Limits of a scan. Immutable.
///
/// @param classMaxBytes limit of one class file; a larger one is reported, not read
/// @param classesMax limit of the class files of one origin; a further one ends the scan
/// @param cachedMaxBytes limit of a result that is written to or read from the cache
public record ScanLimits(int classMaxBytes, int classesMax, int cachedMaxBytes) {
    /// Returns the limits that apply unless others are configured: 4 MiB, 200,000 classes, 64 MiB.
    public static ScanLimits defaults() {
        return new ScanLimits(4 << 20, 200_000, 64 << 20);
    }
}
