package dev.serval.servlet.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A file that grows to a limit. Then it is renamed, `shop.log` to `shop.log.1` and so on, and
/// another is begun. A lock file keeps other servers from it. One thread at a time, except for [#path].
final class LogFile implements AutoCloseable {
    private final Path folder;
    private final String name;
    private final LogLimits limits;
    private volatile Path path;
    private int number; // of the name, from 1
    private FileChannel lock;
    private boolean succeeds; // a process whose file will be free
    private @Nullable FileChannel channel; // null after a failure
    private long bytes;

    private LogFile(Path folder, String name, LogLimits limits, int number, FileChannel lock) {
        this.folder = folder;
        this.name = name;
        this.limits = limits;
        this.number = number;
        this.path = folder.resolve(file(name, number));
        this.lock = lock;
    }

    /// Opens the first of `name.log`, `name-2.log` and so on that no other server uses.
    ///
    /// @throws IOException if none can be written
    static LogFile open(Path folder, String name, LogLimits limits) throws IOException {
        Files.createDirectories(folder);
        for (int i = 1; i <= limits.serversMax(); i++) {
            @Nullable FileChannel lock = lock(folder, file(name, i));
            if (lock != null) {
                LogFile opened = new LogFile(folder, name, limits, i, lock);
                try {
                    opened.append();
                    return opened;
                } catch (IOException e) {
                    lock.close();
                    throw e;
                }
            }
        }
        throw new IOException(
                limits.serversMax() + " servers log to " + folder.resolve(name) + ".log already");
    }

    private static String file(String name, int number) {
        return name + (number == 1 ? "" : "-" + number) + ".log";
    }

    /// Returns null if another server has the lock.
    private static @Nullable FileChannel lock(Path folder, String file) throws IOException {
        FileChannel opened =
                FileChannel.open(
                        folder.resolve("." + file + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        @Nullable FileLock lock = null;
        try {
            lock = opened.tryLock();
        } catch (OverlappingFileLockException e) {
            // another container of this process has it
        } finally {
            if (lock == null) {
                opened.close();
            }
        }
        return lock == null ? null : opened;
    }

    Path path() {
        return path;
    }

    /// Has later writes continue in the file of the predecessor of this process as soon as that has
    /// ended: the first before this one that is free.
    LogFile succeeding() {
        succeeds = number > 1;
        return this;
    }

    /// Appends bytes. After an exception, the next call opens the file again.
    void write(ByteBuffer text) throws IOException {
        try {
            if (succeeds) {
                continueFormer();
            }
            if (bytes > 0 && bytes + text.remaining() > limits.fileMaxBytes()) {
                rotate();
            }
            FileChannel present = channel == null ? append() : channel;
            while (text.hasRemaining()) {
                bytes += present.write(text);
            }
        } catch (IOException e) {
            closeChannel();
            throw e;
        }
    }

    private void continueFormer() throws IOException {
        for (int i = 1; i < number; i++) {
            @Nullable FileChannel free = lock(folder, file(name, i));
            if (free != null) {
                FileChannel left = lock;
                lock = free;
                number = i;
                path = folder.resolve(file(name, i));
                succeeds = false;
                closeChannel();
                left.close();
                append();
            }
        }
    }

    private FileChannel append() throws IOException {
        FileChannel opened =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        channel = opened;
        bytes = opened.size();
        return opened;
    }

    private void rotate() throws IOException {
        closeChannel();
        for (int i = limits.filesMax() - 2; i >= 0; i--) {
            Path from = numbered(i);
            if (Files.exists(from)) {
                Files.move(from, numbered(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        bytes = 0;
        append();
    }

    private Path numbered(int i) {
        return i == 0 ? path : path.resolveSibling(path.getFileName() + "." + i);
    }

    /// Has the next write open the file again, or create it.
    void reopen() throws IOException {
        closeChannel();
    }

    private void closeChannel() throws IOException {
        @Nullable FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            closeChannel();
        } finally {
            lock.close();
        }
    }
}
