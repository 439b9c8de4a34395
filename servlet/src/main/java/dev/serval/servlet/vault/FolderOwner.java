package dev.serval.servlet.vault;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Owns a folder of sessions for this server, by a locked file. The system drops the lock when the
/// process ends, however it ends.
///
/// A file lock belongs to the whole JVM, and closing any channel of the file drops it. So the file
/// of a folder that this JVM owns is never opened again.
final class FolderOwner implements Closeable {
    /// The name of the locked file.
    static final String FILE = "owner.lock";

    // As the locks, it belongs to the JVM and not to a server in it.
    private static final Set<Path> OWNED = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel channel;

    private FolderOwner(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /// Takes the folder.
    ///
    /// @param folder exists
    /// @throws IOException if another server has it
    static FolderOwner take(Path folder) throws IOException {
        Path real = folder.toRealPath();
        if (!OWNED.add(real)) {
            throw taken(folder);
        }
        boolean owned = false;
        try {
            FolderOwner owner = new FolderOwner(real, locked(folder));
            owned = true;
            return owner;
        } finally {
            if (!owned) {
                OWNED.remove(real);
            }
        }
    }

    private static FileChannel locked(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            @Nullable FileLock lock = lock(channel);
            if (lock != null) {
                return channel;
            }
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw taken(folder);
    }

    private static IOException taken(Path folder) {
        return new FolderTakenException(
                "The folder of sessions "
                        + folder
                        + " belongs to another server that runs: stop it, or give this one another"
                        + " folder by --sessions files=FOLDER");
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) { // other code of this JVM
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close(); // which drops the lock; the file stays: another may have it locked
        } finally {
            OWNED.remove(folder);
        }
    }
}
