package dev.serval.servlet.archive;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An open ZIP archive whose central directory was read and checked. Threads may read it at once.
final class ZipArchive implements Closeable {
    private static final int END_SIGNATURE = 0x0605_4b50;
    private static final int END_BYTES = 22;
    private static final int COMMENT_MAX_BYTES = 0xffff;
    private static final int END64_SIGNATURE = 0x0606_4b50;
    private static final int END64_BYTES = 56;
    private static final int LOCATOR_SIGNATURE = 0x0706_4b50;
    private static final int LOCATOR_BYTES = 20;
    private static final int HEAD_BYTES = 30;

    /// The end record (APPNOTE.TXT §4.3.16, §4.3.14).
    ///
    /// @param at position of the first end record in the file, where the directory ends
    private record End(long at, long entries, long directoryBytes, long directoryAt) {}

    private final String name;
    private final FileChannel channel;
    private final long bytes;
    private final ByteBuffer directory;
    private final List<ArchiveEntry> entries;

    private ZipArchive(String name, FileChannel channel, ArchiveLimits limits) throws IOException {
        this.name = name;
        this.channel = channel;
        this.bytes = channel.size();
        End end = end();
        long directoryAt = end.at - end.directoryBytes;
        long start = directoryAt - end.directoryAt; // not 0 after a prefix, such as a script
        if (end.directoryBytes < 0 || directoryAt < 0 || end.directoryAt < 0 || start < 0) {
            throw Fault.of(name, "the end record leads out of the archive");
        }
        if (end.entries > limits.entriesMax()) {
            throw Fault.of(
                    name,
                    "the archive has "
                            + end.entries
                            + " entries, above the limit entriesMax of "
                            + limits.entriesMax());
        }
        if (end.directoryBytes > limits.directoryMaxBytes()) {
            throw Fault.of(
                    name,
                    "the central directory has "
                            + end.directoryBytes
                            + " bytes, above the limit directoryMaxBytes of "
                            + limits.directoryMaxBytes());
        }
        this.directory = read(directoryAt, (int) end.directoryBytes);
        this.entries =
                new CentralDirectory(
                                name,
                                directory.duplicate().order(ByteOrder.LITTLE_ENDIAN),
                                start,
                                directoryAt)
                        .entries(end.entries);
        checkOverlaps(directoryAt);
    }

    /// Opens an archive and reads its central directory.
    ///
    /// @param name the archive's name for messages
    static ZipArchive open(Path file, String name, ArchiveLimits limits) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new ZipArchive(name, channel, limits);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /// Returns the archive's name for messages.
    String name() {
        return name;
    }

    /// Returns the size of the archive.
    long bytes() {
        return bytes;
    }

    /// Returns the entries in the order of the directory. Their names are not checked.
    List<ArchiveEntry> entries() {
        return entries;
    }

    /// Returns the central directory, which changes with any name, size or checksum.
    ByteBuffer directory() {
        return directory.asReadOnlyBuffer();
    }

    /// Returns the channel, for reads at a position only.
    FileChannel channel() {
        return channel;
    }

    /// Checks the entry's local header against the directory and returns the position of its data.
    ///
    /// @throws IOException if another reader, which trusts local headers, would see something else
    long dataAt(ArchiveEntry entry) throws IOException {
        int nameBytes = nameBytes(entry);
        ByteBuffer head = read(entry.headAt(), HEAD_BYTES);
        int extraBytes = head.getShort(28) & 0xffff;
        boolean sameKind =
                head.getInt(0) == 0x0403_4b50
                        && head.getShort(8) == entry.method()
                        && (head.getShort(6) & CentralDirectory.ENCRYPTED) == 0
                        && (head.getShort(26) & 0xffff) == nameBytes;
        if (!sameKind) {
            throw disagrees(entry);
        }
        ByteBuffer rest = read(entry.headAt() + HEAD_BYTES, nameBytes + extraBytes);
        byte[] localName = new byte[nameBytes];
        rest.get(0, localName);
        ByteBuffer wide = CentralDirectory.extra(rest, nameBytes, extraBytes);
        long size = size(head.getInt(22), wide);
        long packed = size(head.getInt(18), wide);
        // Bit 3: the values follow the data, and those in the header may be 0 (§4.4.4).
        boolean later = (head.getShort(6) & 8) != 0;
        boolean sameSizes =
                agrees(size, entry.bytes(), later)
                        && agrees(packed, entry.packedBytes(), later)
                        && agrees(head.getInt(14), entry.crc(), later);
        if (!sameSizes || !new String(localName, StandardCharsets.UTF_8).equals(entry.name())) {
            throw disagrees(entry);
        }
        return entry.headAt() + HEAD_BYTES + nameBytes + extraBytes;
    }

    private static int nameBytes(ArchiveEntry entry) {
        return entry.name().getBytes(StandardCharsets.UTF_8).length;
    }

    private static long size(int narrow, ByteBuffer wide) {
        return narrow == -1 && wide.remaining() >= Long.BYTES
                ? wide.getLong()
                : narrow & 0xffff_ffffL;
    }

    private static boolean agrees(long local, long central, boolean later) {
        return local == central || (later && local == 0);
    }

    private IOException disagrees(ArchiveEntry entry) {
        return Fault.of(
                name,
                entry.name(),
                "has a local header that disagrees with the central directory, so readers would see"
                        + " different files: pack the archive again");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /// Finds the end record, whose comment must end with the file.
    private End end() throws IOException {
        int tailBytes = (int) Math.min(bytes, END_BYTES + COMMENT_MAX_BYTES);
        ByteBuffer tail = read(bytes - tailBytes, tailBytes);
        for (int at = tailBytes - END_BYTES; at >= 0; at--) {
            if (tail.getInt(at) == END_SIGNATURE
                    && (tail.getShort(at + 20) & 0xffff) == tailBytes - END_BYTES - at) {
                return end(tail, at, bytes - tailBytes + at);
            }
        }
        throw Fault.of(
                name, "this is not a ZIP archive, or its end is missing: copy or build it again");
    }

    private End end(ByteBuffer tail, int at, long position) throws IOException {
        if (tail.getShort(at + 4) != tail.getShort(at + 6)
                || tail.getShort(at + 8) != tail.getShort(at + 10)) {
            throw Fault.of(name, "the archive is split into several files");
        }
        long entries = tail.getShort(at + 10) & 0xffff;
        long directoryBytes = tail.getInt(at + 12) & 0xffff_ffffL;
        long directoryAt = tail.getInt(at + 16) & 0xffff_ffffL;
        if (entries == 0xffff || directoryBytes == 0xffff_ffffL || directoryAt == 0xffff_ffffL) {
            End wide = end64(position);
            if (wide != null) {
                return wide;
            }
        }
        return new End(position, entries, directoryBytes, directoryAt);
    }

    /// Reads the ZIP64 end record, which stands before its locator and the narrow end record.
    private @Nullable End end64(long position) throws IOException {
        long at = position - LOCATOR_BYTES - END64_BYTES;
        if (at < 0) {
            return null;
        }
        ByteBuffer wide = read(at, END64_BYTES + LOCATOR_BYTES);
        if (wide.getInt(0) != END64_SIGNATURE || wide.getInt(END64_BYTES) != LOCATOR_SIGNATURE) {
            return null;
        }
        long directoryBytes = wide.getLong(40);
        long directoryAt = wide.getLong(48);
        if (wide.getLong(32) < 0 || directoryBytes < 0 || directoryBytes > at) {
            throw Fault.of(name, "the end record leads out of the archive");
        }
        return new End(at, wide.getLong(32), directoryBytes, directoryAt);
    }

    /// Refuses entries that share bytes, by which a small archive holds a large content.
    private void checkOverlaps(long directoryAt) throws IOException {
        List<ArchiveEntry> sorted =
                entries.stream().sorted(Comparator.comparingLong(ArchiveEntry::headAt)).toList();
        long free = 0;
        for (ArchiveEntry entry : sorted) {
            long from = entry.headAt() + HEAD_BYTES + nameBytes(entry);
            if (entry.headAt() < free || entry.packedBytes() > directoryAt - from) {
                throw Fault.of(
                        name,
                        entry.name(),
                        "shares bytes with another entry or lies outside the archive");
            }
            free = from + entry.packedBytes();
        }
    }

    private ByteBuffer read(long position, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        readFully(buffer, position);
        return buffer;
    }

    /// Fills the buffer and flips it.
    void readFully(ByteBuffer buffer, long position) throws IOException {
        long at = position;
        while (buffer.hasRemaining()) {
            int n = channel.read(buffer, at);
            if (n < 0) {
                throw Fault.of(name, "the archive is shorter than its directory says");
            }
            at += n;
        }
        buffer.flip();
    }
}
