package dev.serval.log;

/// When the file of a log is renamed and another one is begun: `access.log` to `access.log.1`, that
/// to `access.log.2`, and so on. Immutable.
///
/// @param maxBytes the size that a file does not exceed, unless its first line is larger; 0 for no
///     limit
/// @param daily whether each day has its own file, by the zone of the log
/// @param kept how many former files are kept
/// @param compressed whether they are compressed by gzip, to `access.log.1.gz`
public record Rotation(long maxBytes, boolean daily, int kept, boolean compressed) {
    /// The file is never renamed by the server.
    public static final Rotation NEVER = new Rotation(0, false, 0, false);

    /// The most former files.
    public static final int KEPT_MAX = 1000;

    /// Checks the numbers.
    public Rotation {
        if (maxBytes < 0 || kept < 0 || kept > KEPT_MAX) {
            throw new IllegalArgumentException(
                    "A rotation needs a size of 0 or more, and from 0 to "
                            + KEPT_MAX
                            + " former files");
        }
    }

    /// Returns how many bytes a file may still grow that has this size.
    long room(long bytes) {
        return maxBytes == 0 ? Long.MAX_VALUE : Math.max(0, maxBytes - bytes);
    }
}
