package dev.serval.servlet.vault;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Owns a folder of sessions for this server, by a locked file. The system drops the lock when the
/// process ends, however it ends.
final class FolderOwner implements Closeable {
    /// The name of the locked file.
    static final String FILE = "owner.lock";

    private final FileChannel channel;

    private FolderOwner(FileChannel channel) {
        this.channel = channel;
    }

    /// Takes the folder.
    ///
    /// @throws IOException if another server has it
    static FolderOwner take(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            @Nullable FileLock lock = lock(channel);
            if (lock != null) {
                return new FolderOwner(channel);
            }
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new IOException(
                "The folder of sessions "
                        + folder
                        + " belongs to another server that runs: stop it, or give this one another"
                        + " folder by --sessions files=FOLDER");
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) { // this JVM has it
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close(); // which drops the lock; the file stays, because another may have it locked
    }
}
