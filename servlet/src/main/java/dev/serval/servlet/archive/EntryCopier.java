package dev.serval.servlet.archive;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Writes entries to files and checks their size and CRC-32. Owned by one thread, which reuses its
/// buffers.
final class EntryCopier implements Closeable {
    private static final int IN_BYTES = 64 << 10;
    private static final int OUT_BYTES = 128 << 10;

    private final ZipArchive archive;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final ByteBuffer in = ByteBuffer.allocateDirect(IN_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(OUT_BYTES);

    EntryCopier(ZipArchive archive) {
        this.archive = archive;
    }

    /// Writes the entry to a file that does not exist yet.
    ///
    /// @throws IOException if the entry is damaged; the file may then be incomplete
    void copy(ArchiveEntry entry, Path target) throws IOException {
        long position = archive.dataAt(entry);
        crc.reset();
        try (FileChannel file =
                FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            if (entry.method() == ArchiveEntry.STORED) {
                store(entry, position, file);
            } else {
                inflate(entry, position, file);
            }
        }
        if ((int) crc.getValue() != entry.crc()) {
            throw Fault.of(
                    archive.name(),
                    entry.name(),
                    "is damaged: its CRC-32 is not the one in the archive. Copy or build the"
                            + " archive again");
        }
    }

    private void store(ArchiveEntry entry, long position, FileChannel file) throws IOException {
        long at = position;
        long left = entry.bytes();
        while (left > 0) {
            out.clear().limit((int) Math.min(left, OUT_BYTES));
            archive.readFully(out, at);
            at += out.remaining();
            left -= out.remaining();
            write(file);
        }
    }

    private void inflate(ArchiveEntry entry, long position, FileChannel file) throws IOException {
        inflater.reset();
        long at = position;
        long packedLeft = entry.packedBytes();
        long left = entry.bytes();
        while (!inflater.finished()) {
            if (inflater.needsInput()) {
                if (packedLeft == 0) {
                    throw damaged(entry);
                }
                in.clear().limit((int) Math.min(packedLeft, IN_BYTES));
                archive.readFully(in, at);
                at += in.remaining();
                packedLeft -= in.remaining();
                inflater.setInput(in);
            }
            out.clear();
            inflate(entry);
            out.flip();
            left -= out.remaining();
            if (left < 0) {
                throw Fault.of(
                        archive.name(),
                        entry.name(),
                        "has more content than the "
                                + entry.bytes()
                                + " bytes that the archive names for it");
            }
            write(file);
        }
        if (left > 0 || packedLeft > 0 || inflater.getRemaining() > 0) {
            throw damaged(entry);
        }
    }

    private void inflate(ArchiveEntry entry) throws IOException {
        try {
            inflater.inflate(out);
        } catch (DataFormatException e) {
            throw new IOException(damaged(entry).getMessage(), e);
        }
        if (inflater.needsDictionary()) {
            throw damaged(entry);
        }
    }

    private IOException damaged(ArchiveEntry entry) {
        return Fault.of(
                archive.name(),
                entry.name(),
                "is damaged: its compressed data is not what the archive names. Copy or build the"
                        + " archive again");
    }

    private void write(FileChannel file) throws IOException {
        crc.update(out);
        out.rewind();
        while (out.hasRemaining()) {
            file.write(out);
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
