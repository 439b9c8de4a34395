package dev.serval.servlet.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Decodes the central directory of a ZIP archive (APPNOTE.TXT §4.3.12). Pure: it reads a buffer.
final class CentralDirectory {
    private static final int SIGNATURE = 0x0201_4b50;
    private static final int HEADER_BYTES = 46;
    private static final int ZIP64 = 0x0001;
    private static final long MAX_32 = 0xffff_ffffL;

    /// General purpose bit 0 marks encryption, bit 6 strong encryption, bit 13 a masked directory
    /// (§4.4.4).
    static final int ENCRYPTED = 1 | 1 << 6 | 1 << 13;

    /// The hosts that store a Unix mode in the upper half of the external attributes: Unix and OS X
    /// (§4.4.2).
    private static final int UNIX = 3;

    private static final int OS_X = 19;
    private static final int MODE_KIND = 0xf000;
    private static final int MODE_LINK = 0xa000;

    private final String archive;
    private final ByteBuffer in;
    private final long startOffset;
    private final long directoryAt;

    /// Makes a decoder.
    ///
    /// @param archive the archive's name for messages
    /// @param in the whole central directory, little endian
    /// @param startOffset position of the archive in its file, which is not 0 after a prefix
    /// @param directoryAt position of the central directory in the file
    CentralDirectory(String archive, ByteBuffer in, long startOffset, long directoryAt) {
        this.archive = archive;
        this.in = in;
        this.startOffset = startOffset;
        this.directoryAt = directoryAt;
    }

    /// Returns the entries in the order of the directory. Their names are not checked yet.
    ///
    /// @param count the number of entries that the end record names
    List<ArchiveEntry> entries(long count) throws IOException {
        List<ArchiveEntry> entries =
                new ArrayList<>((int) Math.min(count, in.remaining() / HEADER_BYTES));
        while (in.hasRemaining()) {
            entries.add(next());
        }
        if (entries.size() != count) {
            throw Fault.of(
                    archive,
                    "the central directory has "
                            + entries.size()
                            + " entries, but its end record names "
                            + count);
        }
        return entries;
    }

    private ArchiveEntry next() throws IOException {
        int at = in.position();
        if (in.remaining() < HEADER_BYTES || in.getInt(at) != SIGNATURE) {
            throw Fault.of(
                    archive, "the central directory is damaged at byte " + (directoryAt + at));
        }
        int nameBytes = in.getShort(at + 28) & 0xffff;
        int extraBytes = in.getShort(at + 30) & 0xffff;
        int commentBytes = in.getShort(at + 32) & 0xffff;
        int nameAt = at + HEADER_BYTES;
        if (nameBytes + extraBytes + commentBytes > in.remaining() - HEADER_BYTES) {
            throw Fault.of(
                    archive, "the central directory is damaged at byte " + (directoryAt + at));
        }
        String name = name(in.slice(nameAt, nameBytes));
        ByteBuffer extra = extra(in, nameAt + nameBytes, extraBytes);
        long bytes = in.getInt(at + 24) & MAX_32;
        long packedBytes = in.getInt(at + 20) & MAX_32;
        long headAt = in.getInt(at + 42) & MAX_32;
        if (bytes == MAX_32 || packedBytes == MAX_32 || headAt == MAX_32) {
            // The fields are there in this order, each only if its own field is full (§4.5.3).
            bytes = bytes == MAX_32 ? wide(extra, name) : bytes;
            packedBytes = packedBytes == MAX_32 ? wide(extra, name) : packedBytes;
            headAt = headAt == MAX_32 ? wide(extra, name) : headAt;
        }
        int method = in.getShort(at + 10);
        ArchiveEntry entry =
                new ArchiveEntry(
                        name, method, in.getInt(at + 16), packedBytes, bytes, headAt + startOffset);
        if ((in.getShort(at + 8) & ENCRYPTED) != 0) {
            throw Fault.of(archive, name, "is encrypted: pack the archive without a password");
        }
        checkKind(name, in.get(at + 5) & 0xff, in.getInt(at + 38) >>> 16);
        checkSizes(entry);
        in.position(nameAt + nameBytes + extraBytes + commentBytes);
        return entry;
    }

    private String name(ByteBuffer bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new IOException(
                    archive
                            + ": an entry's name is not UTF-8: pack the archive with names in"
                            + " UTF-8",
                    e);
        }
    }

    /// Returns the ZIP64 field among the extra fields (§4.5.3), or an empty buffer.
    static ByteBuffer extra(ByteBuffer in, int from, int bytes) {
        int at = from;
        while (at + 4 <= from + bytes) {
            int size = in.getShort(at + 2) & 0xffff;
            if (in.getShort(at) == ZIP64 && at + 4 + size <= from + bytes) {
                return in.slice(at + 4, size).order(in.order());
            }
            at += 4 + size;
        }
        return ByteBuffer.allocate(0);
    }

    private long wide(ByteBuffer extra, String name) throws IOException {
        long value = extra.remaining() >= Long.BYTES ? extra.getLong() : -1;
        if (value < 0) {
            throw Fault.of(archive, name, "has a damaged ZIP64 field");
        }
        return value;
    }

    /// Refuses links. All other kinds are written as files and folders by their names, because old
    /// archivers of Maven mark folders as sockets.
    private void checkKind(String name, int host, int mode) throws IOException {
        int kind = host == UNIX || host == OS_X ? mode & MODE_KIND : 0;
        if (kind == MODE_LINK) {
            throw Fault.of(archive, name, "is a symbolic link: pack the file that it leads to");
        }
    }

    private void checkSizes(ArchiveEntry entry) throws IOException {
        String name = entry.name();
        if (entry.method() != ArchiveEntry.STORED && entry.method() != ArchiveEntry.DEFLATED) {
            throw Fault.of(
                    archive,
                    name,
                    "has the compression method "
                            + entry.method()
                            + ": pack the archive with \"stored\" or \"deflated\"");
        }
        if (entry.method() == ArchiveEntry.STORED && entry.packedBytes() != entry.bytes()) {
            throw Fault.of(archive, name, "is stored, but has two sizes");
        }
        if (entry.folder() && entry.bytes() != 0) {
            throw Fault.of(archive, name, "is a folder with content");
        }
        if (entry.headAt() < 0
                || entry.headAt() >= directoryAt
                || entry.packedBytes() > directoryAt) {
            throw Fault.of(archive, name, "is outside the archive");
        }
    }
}
