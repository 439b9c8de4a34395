package dev.serval.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Opens the files of logs. Tests replace it by a disk that fails.
@FunctionalInterface
interface LogDisk {
    /// The disk of the machine. A new file may be read by its owner and group only, because it names
    /// the clients.
    LogDisk SYSTEM = LogDisk::append;

    /// Opens a file to which each write appends, whoever else writes it.
    WritableByteChannel open(Path file) throws IOException;

    private static WritableByteChannel append(Path file) throws IOException {
        if (StandardStream.is(file)) {
            return StandardStream.of(file);
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            if (!file.startsWith("/dev")) { // a FIFO would block until it is read
                throw new IOException(file + " is not a regular file");
            }
            return FileChannel.open(file, StandardOpenOption.WRITE);
        }
        return FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), permissions());
    }

    /// Creates a file, or one in place of another, with the same permissions.
    default OutputStream created(Path file) throws IOException {
        Files.deleteIfExists(file);
        return Channels.newOutputStream(
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        permissions()));
    }

    /// Opens a file of [#created] to add to it.
    default OutputStream appended(Path file) throws IOException {
        return Files.newOutputStream(file, StandardOpenOption.APPEND);
    }

    private static FileAttribute<?>[] permissions() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-r-----"))
                }
                : new FileAttribute<?>[0];
    }
}
