package dev.serval.servlet.archive;

/// One entry of an archive, as the central directory describes it. Immutable.
///
/// @param name a checked name with `/` between segments; a folder's name ends with `/`
/// @param method 0 for stored, 8 for deflated
/// @param crc the CRC-32 of the content
/// @param packedBytes size in the archive
/// @param bytes size of the content
/// @param headAt position of the local header in the file
record ArchiveEntry(String name, int method, int crc, long packedBytes, long bytes, long headAt) {
    static final int STORED = 0;
    static final int DEFLATED = 8;

    /// Returns whether the entry is a folder.
    boolean folder() {
        return name.endsWith("/");
    }
}
