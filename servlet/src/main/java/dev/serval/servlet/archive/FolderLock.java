package dev.serval.servlet.archive;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Lets one thread of one process at a time change a work folder. Threads may call it at once.
///
/// A file lock belongs to the whole JVM, and closing any channel of the file drops it. So threads
/// of one JVM first take the monitor of an interned string, which all work folders in the JVM
/// share, and only one channel is open at a time.
final class FolderLock {
    private static final System.Logger LOG = System.getLogger(FolderLock.class.getName());
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /// What runs under the lock.
    interface Action<T> {
        T run() throws IOException;
    }

    private final Path file;
    private final String monitor;
    private final long waitMaxNanos;
    private final InstantSource clock;

    /// @param file the lock file; its folder exists and its path is real
    FolderLock(Path file, long waitMaxNanos, InstantSource clock) {
        this.file = file;
        this.monitor = ("dev.serval.work " + file).intern();
        this.waitMaxNanos = waitMaxNanos;
        this.clock = clock;
    }

    /// Runs the action while no other thread or process holds the lock.
    <T> T hold(Action<T> action) throws IOException {
        synchronized (monitor) {
            try (FileChannel channel =
                            FileChannel.open(
                                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = acquire(channel)) {
                return action.run();
            }
        }
    }

    private FileLock acquire(FileChannel channel) throws IOException {
        @Nullable FileLock lock = channel.tryLock();
        if (lock == null) {
            LOG.log(Level.INFO, "Waiting for another server that uses the lock {0}", file);
        }
        Instant end = clock.instant().plus(Duration.ofNanos(waitMaxNanos));
        while (lock == null) {
            if (!clock.instant().isBefore(end) || Thread.currentThread().isInterrupted()) {
                throw new IOException(
                        "Another server has held the lock "
                                + file
                                + " for "
                                + TimeUnit.NANOSECONDS.toSeconds(waitMaxNanos)
                                + " s: stop it, or give this server another work folder");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            lock = channel.tryLock();
        }
        return lock;
    }
}
