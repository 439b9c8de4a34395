package dev.serval.servlet.archive;

/// What one archive may cost when it is unpacked. Immutable.
///
/// @param unpackedMaxBytes bytes of all files together, with the resources of its jars
/// @param ratioMax unpacked bytes for each byte of the archive, checked above `ratioFloorBytes`
/// @param ratioFloorBytes unpacked bytes up to which any ratio is allowed
/// @param entriesMax files and folders in an archive
/// @param directoryMaxBytes size of the central directory, which is read into memory
/// @param pathMaxBytes length of an entry's name in UTF-8
/// @param depthMax segments of an entry's name
public record ArchiveLimits(
        long unpackedMaxBytes,
        int ratioMax,
        long ratioFloorBytes,
        int entriesMax,
        int directoryMaxBytes,
        int pathMaxBytes,
        int depthMax) {
    /// 2 GiB, 100 to 1 above 64 MiB, 100,000 entries, 16 MiB of directory, names of 1,024 bytes and
    /// 64 segments.
    public static final ArchiveLimits DEFAULT =
            new ArchiveLimits(2L << 30, 100, 64L << 20, 100_000, 16 << 20, 1024, 64);

    /// Checks the values.
    public ArchiveLimits {
        check(unpackedMaxBytes > 0, "unpackedMaxBytes", unpackedMaxBytes);
        check(ratioMax > 0, "ratioMax", ratioMax);
        check(ratioFloorBytes >= 0, "ratioFloorBytes", ratioFloorBytes);
        check(entriesMax > 0, "entriesMax", entriesMax);
        check(directoryMaxBytes > 0, "directoryMaxBytes", directoryMaxBytes);
        check(pathMaxBytes > 0, "pathMaxBytes", pathMaxBytes);
        check(depthMax > 0, "depthMax", depthMax);
    }

    private static void check(boolean right, String name, long value) {
        if (!right) {
            throw new IllegalArgumentException(name + " is too small: " + value);
        }
    }
}
