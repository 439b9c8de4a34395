package dev.serval.servlet.archive;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/// Marks that a server uses an unpacked application, so that it is not deleted. A lease is a file
/// with a lock, which ends with the process. Created and looked for under the folder's lock.
final class Lease implements Closeable {
    private final Path file;
    private final FileChannel channel;

    private Lease(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Creates a lease.
    ///
    /// @param key the application's key
    static Lease take(Path leases, String key) throws IOException {
        Path file = FolderTree.unused(leases, key + "." + process() + ".");
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            FileLock _ = channel.lock();
            return new Lease(file, channel);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /// Returns whether a living process holds a lease, and deletes those of dead ones.
    static boolean isTaken(Path leases, String key) throws IOException {
        return anyHeld(leases, key + ".*");
    }

    /// Deletes the leases of processes that have crashed.
    static void sweep(Path leases) throws IOException {
        boolean _ = anyHeld(leases, "*");
    }

    private static boolean anyHeld(Path leases, String names) throws IOException {
        boolean taken = false;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(leases, names)) {
            for (Path file : files) {
                taken |= isHeld(file);
            }
        }
        return taken;
    }

    /// Returns whether a living process holds that lease.
    static boolean isHeld(Path file) throws IOException {
        // Opening and closing our own file here would drop its lock: it belongs to the JVM.
        if (String.valueOf(file.getFileName()).contains("." + process() + ".")) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                return true;
            }
            Files.deleteIfExists(file);
            return false;
        } catch (NoSuchFileException e) { // its server has ended, which takes no lock of the folder
            return false;
        }
    }

    /// Returns a name for this process. Two containers may both have process 1, so the start is
    /// part of it.
    private static String process() {
        ProcessHandle self = ProcessHandle.current();
        long start = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return self.pid() + "-" + start;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
        channel.close();
    }
}
