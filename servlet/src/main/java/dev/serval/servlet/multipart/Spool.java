package dev.serval.servlet.multipart;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// A folder for the large parts of all requests of one application, with a quota. Only the owner of
/// the process may read it. [#open] deletes what a killed process left; each request deletes its
/// own files; [#close] deletes the rest.
///
/// All threads may use it: its only state that changes is two counters and a flag.
public final class Spool implements AutoCloseable {
    /// Opens a new file for writing. A seam, so that tests can let a disk fail.
    @FunctionalInterface
    interface Opener {
        /// Creates the file, which must not exist.
        WritableByteChannel open(Path file) throws IOException;
    }

    private static final String FILES = "part-*.spool";
    private static final String OWN = "rw-------";

    private final Path folder;
    private final long quotaBytes;
    private final Opener opener;
    private final Set<PosixFilePermission> usual; // of new files; empty if there are no owners
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private volatile boolean closed;

    Spool(Path folder, long quotaBytes, Opener opener, Set<PosixFilePermission> usual) {
        this.folder = folder;
        this.quotaBytes = quotaBytes;
        this.opener = opener;
        this.usual = usual;
    }

    /// Creates the folder if it is missing and deletes old files of a spool from it.
    ///
    /// @param quotaBytes limit of all files together
    public static Spool open(Path folder, long quotaBytes) throws IOException {
        if (quotaBytes < 0) {
            throw new IllegalArgumentException(
                    "quotaBytes is " + quotaBytes + ": it must not be negative.");
        }
        createFolder(folder);
        deleteFiles(folder);
        return new Spool(folder, quotaBytes, Spool::create, usual(folder));
    }

    /// Returns the permissions of a file that is created without any, which are those of the umask.
    private static Set<PosixFilePermission> usual(Path folder) throws IOException {
        if (!isPosix(folder)) {
            return Set.of();
        }
        Path probe = folder.resolve("part-0.spool");
        Files.createFile(probe);
        try {
            return Files.getPosixFilePermissions(probe);
        } finally {
            Files.delete(probe);
        }
    }

    /// Returns the size of all files together.
    public long usedBytes() {
        return usedBytes.get();
    }

    /// Deletes all files. Requests that still use one get I/O errors.
    @Override
    public void close() throws IOException {
        closed = true;
        deleteFiles(folder);
    }

    private static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
    }

    /// Creates an empty file. Something may have removed the folder, such as a program that clears old
    /// temporary files; it is created again.
    SpoolFile newFile() throws IOException {
        Path file = folder.resolve("part-" + files.incrementAndGet() + ".spool");
        WritableByteChannel out;
        try {
            out = opener.open(file);
        } catch (NoSuchFileException e) {
            if (closed) {
                throw e;
            }
            createFolder(folder);
            out = opener.open(file);
        }
        return new SpoolFile(this, file, out);
    }

    /// Takes bytes from the quota.
    ///
    /// @return false if there are not enough, and none were taken
    boolean reserve(long bytes) {
        if (usedBytes.addAndGet(bytes) <= quotaBytes) {
            return true;
        }
        release(bytes);
        return false;
    }

    /// Returns bytes to the quota.
    void release(long bytes) {
        usedBytes.addAndGet(-bytes);
    }

    /// Gives a file the permissions that new files have in this process.
    void share(Path file) throws IOException {
        if (!usual.isEmpty()) {
            Files.setPosixFilePermissions(file, usual);
        }
    }

    /// Takes them back.
    void unshare(Path file) throws IOException {
        if (!usual.isEmpty()) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(OWN));
        }
    }

    private static void deleteFiles(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder, FILES)) {
            for (Path file : old) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static WritableByteChannel create(Path file) throws IOException {
        return Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ownerOnly(file, OWN));
    }

    /// Returns the permissions; none on file systems that know no owners.
    private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
