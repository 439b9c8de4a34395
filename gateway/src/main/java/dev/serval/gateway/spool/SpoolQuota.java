package dev.serval.gateway.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Counts the memory and the disk space of all spools, and opens their files. Any thread.
public final class SpoolQuota {
    private static final int SHARES = 4;

    /// Opens an empty file without a name. Blocks.
    interface Disk {
        /// Opens one.
        FileChannel open() throws IOException;
    }

    private final SpoolLimits limits;
    private final Disk files;
    private final AtomicLong memory = new AtomicLong();
    private final AtomicLong disk = new AtomicLong();
    private final AtomicLong answers = new AtomicLong(); // the part of disk that answers use

    /// Creates a quota of which nothing is used.
    public SpoolQuota(SpoolLimits limits) {
        this(limits, () -> unnamed(limits.folder()));
    }

    /// Creates a quota with another disk, such as one that fails.
    SpoolQuota(SpoolLimits limits, Disk files) {
        this.limits = limits;
        this.files = files;
    }

    /// Returns the bytes of memory in use.
    public long memoryBytes() {
        return memory.get();
    }

    /// Returns the bytes of files in use.
    public long diskBytes() {
        return disk.get();
    }

    /// Returns whether files have space for so many bytes now.
    public boolean hasDiskFor(long bytes) {
        return disk.get() + bytes <= limits.diskMaxBytes();
    }

    /// Returns how many bytes of one answer may wait: a part of the files' space, so that it leaves
    /// some for others.
    long answerMaxBytes() {
        return limits.diskMaxBytes() / SHARES;
    }

    boolean takeMemory(long bytes) {
        return take(memory, bytes, limits.memoryMaxBytes());
    }

    void giveMemory(long bytes) {
        memory.addAndGet(-bytes);
    }

    boolean takeDisk(long bytes) {
        return take(disk, bytes, limits.diskMaxBytes());
    }

    void giveDisk(long bytes) {
        disk.addAndGet(-bytes);
    }

    /// Takes space of files for an answer. All answers together get three quarters, because clients that
    /// read slowly use up what they can get, and others still need space for the contents of requests.
    boolean takeDiskOfAnswer(long bytes) {
        if (!take(answers, bytes, limits.diskMaxBytes() - limits.diskMaxBytes() / SHARES)) {
            return false;
        }
        if (takeDisk(bytes)) {
            return true;
        }
        answers.addAndGet(-bytes);
        return false;
    }

    void giveDiskOfAnswer(long bytes) {
        answers.addAndGet(-bytes);
        giveDisk(bytes);
    }

    /// Opens an empty file without a name. Blocks.
    FileChannel open() throws IOException {
        return files.open();
    }

    private static FileChannel unnamed(@Nullable Path folder) throws IOException {
        Path file =
                folder == null
                        ? Files.createTempFile("serval-", ".spool")
                        : Files.createTempFile(folder, "serval-", ".spool");
        try {
            return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static boolean take(AtomicLong used, long bytes, long most) {
        if (used.addAndGet(bytes) <= most) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }
}
