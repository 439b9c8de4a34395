package dev.serval.tls;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Files that are read together, and read again after a change. What cannot be read is tried again at
/// later looks, at most each 10 s while the files stay the same, because the reason may be elsewhere:
/// no free descriptor, or a disk that fails for a moment. The same message is logged once.
///
/// Its owner asks it under a lock of its own, and has another thread than a loop look.
public final class WatchedFiles {
    /// A connection that begins causes a look at most so often.
    public static final long LOOK_NANOS = 1_000_000_000;

    /// Looks at files, because a loop never waits for a disk.
    public static final Executor THREADS =
            look -> Thread.ofVirtual().name("serval-tls-files").start(look);

    /// The time between two attempts to read the same files.
    static final long AGAIN_NANOS = 10_000_000_000L;

    private static final System.Logger LOG = System.getLogger(WatchedFiles.class.getName());

    /// Reads the files.
    @FunctionalInterface
    public interface Read {
        /// Reads them and uses what they have.
        ///
        /// @throws IOException if that is not possible; the message says which file, and why
        void run() throws IOException;
    }

    /// What a file was like when it was read. It is another one if any of this has changed. The time
    /// of the change of its state is included, if the file system has one, because that is all that
    /// shows new rights of a file.
    ///
    /// @param attributes empty if there is no such file, as in the middle of a replacement
    record Stamp(Path file, Map<String, Object> attributes) {
        private static final String EVERYWHERE = "fileKey,lastModifiedTime,size";

        /// Looks at a file.
        static Stamp of(Path file) {
            boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
            String names = unix ? "unix:ctime," + EVERYWHERE : EVERYWHERE;
            try {
                return new Stamp(file, Files.readAttributes(file, names));
            } catch (IOException e) {
                return new Stamp(file, Map.of());
            }
        }
    }

    private final List<@Nullable Path> files;
    private final LongSupplier nanos;
    private final Consumer<String> log;
    private List<Stamp> stamps; // before the last attempt to read
    private boolean failed; // the last attempt
    private long againNanos; // when to try again after a failure
    private String logged = ""; // the last message since a success

    /// Looks at files, which the caller then reads for the first time.
    ///
    /// @param files null for one that is not configured
    /// @param nanos a clock
    public WatchedFiles(List<? extends @Nullable Path> files, LongSupplier nanos) {
        this(files, nanos, message -> LOG.log(WARNING, message));
    }

    /// @param log takes a message
    WatchedFiles(List<? extends @Nullable Path> files, LongSupplier nanos, Consumer<String> log) {
        this.files = new ArrayList<>(files);
        this.nanos = nanos;
        this.log = log;
        this.stamps = stamps();
    }

    private List<Stamp> stamps() {
        List<Stamp> now = new ArrayList<>();
        for (@Nullable Path file : files) {
            if (file != null) {
                now.add(Stamp.of(file));
            }
        }
        return now;
    }

    /// Reads the files now. A failure is tried again at later looks.
    ///
    /// @throws IOException if they cannot be read; the caller logs it
    void read(Read read) throws IOException {
        try {
            read(stamps(), read);
        } catch (IOException e) {
            logged = message(e);
            throw e;
        }
    }

    /// Reads the files if they have changed, or could not be read before.
    ///
    /// @return whether they were read
    public boolean look(Read read) {
        return look(false, read);
    }

    /// Reads the files as [#look(Read)] does, and also if `needed`.
    boolean look(boolean needed, Read read) {
        List<Stamp> now = stamps();
        boolean changed = !now.equals(stamps);
        boolean again = failed && nanos.getAsLong() - againNanos >= 0;
        if (!changed && !needed && !again) {
            return false;
        }
        try {
            read(now, read);
            return true;
        } catch (IOException e) {
            String message = message(e);
            if (!message.equals(logged)) {
                log.accept(message);
            }
            logged = message;
            return false;
        }
    }

    private static String message(IOException e) {
        return e.getMessage() + ". What was read before stays.";
    }

    /// @param now the stamps from before the attempt, so that a change during it is noticed later
    private void read(List<Stamp> now, Read read) throws IOException {
        stamps = now;
        failed = true; // also after an exception that is not expected
        againNanos = nanos.getAsLong() + AGAIN_NANOS;
        read.run();
        failed = false;
        logged = "";
    }
}
