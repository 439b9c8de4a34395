package dev.serval.servlet.users;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Users of a file, which is read again when it has changed: a look-up checks that at most once a
/// second. If the changed file cannot be read, the users stay as they were, the log says why, and
/// the next check tries again.
/// Any thread that may wait.
public final class FileUsers implements Users {
    private static final System.Logger LOG = System.getLogger(FileUsers.class.getName());
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// What tells one state of the file from another.
    private record Mark(FileTime modified, long bytes, @Nullable Object key) {
        static Mark of(Path file) throws IOException {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return new Mark(now.lastModifiedTime(), now.size(), now.fileKey());
        }
    }

    /// The users of one state of the file.
    private record Content(Map<String, UserLine> users, PasswordHash decoy, long version) {}

    private final Path file;
    private final LongSupplier nanoClock;
    private final ReentrantLock reading = new ReentrantLock(); // one thread reads, none waits
    private final AtomicLong lookedNanos;
    private volatile Content content;
    private Mark mark; // under the lock; of the content
    private @Nullable String failure; // under the lock; of the last attempt

    private FileUsers(Path file, LongSupplier nanoClock, Content content, Mark mark) {
        this.file = file;
        this.nanoClock = nanoClock;
        this.content = content;
        this.mark = mark;
        this.lookedNanos = new AtomicLong(nanoClock.getAsLong());
    }

    /// Reads a file of users.
    ///
    /// @param nanoClock the time, as System#nanoTime
    /// @throws IOException if it cannot be read, or a line is wrong; the message says where
    public static FileUsers open(Path file, LongSupplier nanoClock) throws IOException {
        Mark mark = Mark.of(file); // before the content: a later change is seen again
        Content content = read(file, 0);
        @Nullable String exposure = UserText.exposure(file);
        if (exposure != null) {
            LOG.log(WARNING, exposure);
        }
        return new FileUsers(file, nanoClock, content, mark);
    }

    private static Content read(Path file, long version) throws IOException {
        Map<String, UserLine> users = UserText.read(file).users();
        int iterations =
                users.values().stream()
                        .mapToInt(user -> user.password().iterations())
                        .max()
                        .orElse(PasswordHash.ITERATIONS);
        return new Content(users, PasswordHash.decoy(iterations), version);
    }

    @Override
    public @Nullable Account find(String name) {
        look();
        @Nullable UserLine user = content.users().get(name);
        return user == null ? null : new Account(name, user.roles(), user);
    }

    @Override
    public Secret decoy() {
        return content.decoy();
    }

    @Override
    public long version() {
        look();
        return content.version();
    }

    /// Reads the file again if it has changed.
    private void look() {
        long now = nanoClock.getAsLong();
        long before = lookedNanos.get();
        if (now - before < LOOK_NANOS || !lookedNanos.compareAndSet(before, now)) {
            return;
        }
        if (!reading.tryLock()) {
            return;
        }
        try {
            Mark present = Mark.of(file);
            if (!present.equals(mark)) {
                content = read(file, content.version() + 1);
                mark = present;
                LOG.log(
                        INFO,
                        "Serval has read the users file "
                                + file
                                + " again: "
                                + content.users().size()
                                + " users.");
            }
            failure = null;
        } catch (IOException e) {
            // The next look tries again. The log has one line for each fault.
            String what = e.toString();
            if (!what.equals(failure)) {
                failure = what;
                LOG.log(
                        WARNING,
                        "Serval failed to read the users file "
                                + file
                                + " again ("
                                + what
                                + "), so the users stay as they were: correct the file, or let this"
                                + " user read it.");
            }
        } finally {
            reading.unlock();
        }
    }
}
