package dev.serval.jsp;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Marks which folders of compiled pages are in use, by this process or another one. A lease is a
/// file with a lock, which ends with the process. Any thread, but [#isTaken] and [#take] only within
/// [#exclusively].
///
/// A file lock belongs to the whole process, and closing any channel of the file drops it. So a
/// process never opens a lease of its own again: the name of the file tells whose it is.
final class StoreLeases {
    private static final String END = ".lock";
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Path all;
    private final String monitor;
    private final String process;

    /// @param all the folder of all compiled pages, which exists
    StoreLeases(Path all) throws IOException {
        this.all = all.toRealPath();
        this.monitor = ("dev.serval.pages " + this.all).intern(); // one for the whole process
        ProcessHandle self = ProcessHandle.current();
        // Two containers of the system may both have a process 1.
        long start = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        this.process = "." + self.pid() + "-" + start + END;
    }

    /// What is done while no other thread or process does such a thing.
    interface Action<T> {
        T run() throws IOException;
    }

    /// A folder that is in use until this is closed.
    record Lease(Path file, FileChannel channel) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            Files.deleteIfExists(file);
            channel.close();
        }
    }

    /// Carries out an action while no other thread or process carries out one.
    ///
    /// @throws IOException if another one takes longer than 10 s
    <T> T exclusively(Action<T> action) throws IOException {
        synchronized (monitor) {
            try (FileChannel channel =
                            FileChannel.open(
                                    all.resolve("lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock _ = acquired(channel)) {
                return action.run();
            }
        }
    }

    private FileLock acquired(FileChannel channel) throws IOException {
        long begin = System.nanoTime();
        @Nullable FileLock lock = channel.tryLock();
        while (lock == null) {
            if (System.nanoTime() - begin > WAIT_NANOS || Thread.currentThread().isInterrupted()) {
                throw new IOException("another server keeps the lock " + all.resolve("lock"));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            lock = channel.tryLock();
        }
        return lock;
    }

    /// Takes a folder that is not taken.
    Lease take(String folder) throws IOException {
        Path file = all.resolve(folder + process);
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

    /// Returns whether a folder is in use, and deletes its leases of processes that have died.
    boolean isTaken(String folder) throws IOException {
        return anyHeld(folder + ".*" + END);
    }

    /// Deletes all leases of processes that have died.
    void sweep() throws IOException {
        boolean _ = anyHeld("*.*" + END);
    }

    private boolean anyHeld(String names) throws IOException {
        boolean held = false;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(all, names)) {
            for (Path file : files) {
                held |= isHeld(file);
            }
        }
        return held;
    }

    /// Returns whether a living process holds that lease.
    boolean isHeld(Path file) throws IOException {
        if (String.valueOf(file.getFileName()).endsWith(process)) {
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
}
