package dev.serval.servlet.files;

/// What a [FileScanCache] may hold. Immutable.
///
/// @param entryMaxBytes bytes of one value; a larger one is not kept
/// @param maxBytes bytes of all files
/// @param entriesMax files
public record FileScanLimits(int entryMaxBytes, long maxBytes, int entriesMax) {
    /// 16 MiB a value, 128 MiB and 2,048 files in all.
    public static final FileScanLimits DEFAULT = new FileScanLimits(16 << 20, 128L << 20, 2_048);

    /// Checks the values.
    public FileScanLimits {
        if (entryMaxBytes < 0 || maxBytes < entryMaxBytes || entriesMax <= 0) {
            throw new IllegalArgumentException(
                    "A scan cache needs room for at least one entry, but has "
                            + maxBytes
                            + " bytes for "
                            + entriesMax
                            + " entries of "
                            + entryMaxBytes
                            + " bytes");
        }
    }
}
