package dev.serval.log;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.handler.AccessRecord;
import dev.serval.loop.Clock;
import dev.serval.policy.Counter;
import dev.serval.policy.Metrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The access logs of a server, with the thread that writes them. Close it after the server has
/// stopped. Any thread.
public final class AccessLogs implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AccessLogs.class.getName());
    private static final int LOOPS_MAX = 1024;
    private static final long END_MILLIS = 5_000;

    private final LogDisk disk;
    private final Clock clock;
    private final AccessLogLimits limits;
    private final AtomicReferenceArray<@Nullable LoopLog> loops =
            new AtomicReferenceArray<>(LOOPS_MAX);
    private final AtomicReferenceArray<@Nullable LogFile> files;
    private final List<AccessLog> all = new CopyOnWriteArrayList<>();
    private final LogWriter writer;
    private final LostLines lostLines;
    private volatile boolean timed;
    private volatile @Nullable Metrics metrics;
    private long counted; // lost lines, by the writer

    /// Creates an object without a log. Its thread starts with the first file.
    public AccessLogs() {
        this(LogDisk.SYSTEM, Clock.SYSTEM, AccessLogLimits.STANDARD);
    }

    /// Creates an object with another disk, clock and limits.
    AccessLogs(LogDisk disk, Clock clock, AccessLogLimits limits) {
        this.disk = disk;
        this.clock = clock;
        this.limits = limits;
        this.files = new AtomicReferenceArray<>(limits.filesMax());
        this.lostLines = new LostLines(clock, what -> LOG.log(WARNING, what));
        this.writer = new LogWriter(loops, files, limits.flushNanos(), this::count);
    }

    /// Returns a new log, which is off.
    public AccessLog add() {
        AccessLog log = new AccessLog(this);
        all.add(log);
        return log;
    }

    /// Returns a new log that writes the Combined Log Format to a file, with the times of this
    /// machine's zone.
    ///
    /// @throws IOException if the file cannot be written
    public AccessLog add(Path file) throws IOException {
        return add(new LogSettings(file, LogFormat.of("combined", ZoneId.systemDefault())));
    }

    /// Returns a new log that writes.
    ///
    /// @throws IOException if its file cannot be written
    public AccessLog add(LogSettings settings) throws IOException {
        open(settings);
        AccessLog log = add();
        use(log, settings);
        return log;
    }

    /// Opens the file of these settings, unless it is open, so that a later [#use] cannot fail.
    ///
    /// @throws IOException if it cannot be written, or there were too many files before
    public synchronized void open(LogSettings settings) throws IOException {
        int i = 0;
        for (; i < files.length(); i++) {
            @Nullable LogFile file = files.get(i);
            if (file == null) {
                break;
            }
            if (file.path().equals(settings.file())) {
                if (!file.isUsed()) { // so the writer closes it, and opens it with its next line
                    disk.open(settings.file()).close();
                }
                return;
            }
        }
        if (i == files.length()) {
            throw new IOException(
                    "This server has had "
                            + files.length()
                            + " access logs: restart it to use another file");
        }
        LogFile file = new LogFile(i, settings.file(), disk, clock, limits);
        file.configure(settings.rotation(), settings.zone());
        file.open();
        files.set(i, file);
        writer.start();
    }

    /// Lets a log write by other settings from now on, whose file was opened by [#open]; null for a
    /// log that is off. Lines that were logged before stay in their file.
    public synchronized void use(AccessLog log, @Nullable LogSettings settings) {
        if (settings == null) {
            log.target(null);
        } else {
            LogFile file = file(settings);
            file.configure(settings.rotation(), settings.zone());
            log.target(new LogTarget(file, settings, limits, LOOPS_MAX));
        }
        closeUnused();
        timed =
                all.stream()
                        .flatMap(each -> each.settings().stream())
                        .anyMatch(each -> each.format().timed());
    }

    /// Lets the files be closed that were opened by [#open] and that no log uses, such as those of a
    /// change that was refused. A late line opens its file again.
    public synchronized void closeUnused() {
        for (int i = 0; i < files.length(); i++) {
            @Nullable LogFile file = files.get(i);
            if (file != null) {
                file.used(all.stream().anyMatch(each -> each.writesTo(file)));
            }
        }
    }

    private LogFile file(LogSettings settings) {
        for (int i = 0; i < files.length(); i++) {
            @Nullable LogFile file = files.get(i);
            if (file != null && file.path().equals(settings.file())) {
                return file;
            }
        }
        throw new IllegalStateException("The access log " + settings.file() + " was not opened");
    }

    /// Opens all files again, because another program has renamed them. Lines of exchanges that
    /// ended before this call are in the files as they were named before.
    ///
    /// @throws IOException if some of them cannot be opened, after all others were; the message names
    ///     each. Or if the writer does not answer in time
    public void reopen(Duration atMost) throws IOException {
        await(this::reopen, atMost);
    }

    private void reopen() throws IOException {
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < files.length(); i++) {
            @Nullable LogFile file = files.get(i);
            if (file != null) {
                try {
                    file.reopen();
                } catch (IOException | RuntimeException e) {
                    failures.add(file.path() + " (" + e + ")");
                }
            }
        }
        if (!failures.isEmpty()) {
            throw new IOException(
                    "These access logs cannot be opened again: " + String.join(", ", failures));
        }
    }

    /// Returns after all lines of exchanges that have ended were given to the system.
    ///
    /// @throws IOException if the writer does not answer in time
    public void flush(Duration atMost) throws IOException {
        await(() -> {}, atMost);
    }

    /// A command to the writer.
    @FunctionalInterface
    private interface Action {
        void run() throws IOException;
    }

    private void await(Action action, Duration atMost) throws IOException {
        if (!writer.hasStarted()) {
            return; // there is no file
        }
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        boolean taken =
                writer.submit(() -> {
                    try {
                        action.run();
                        done.complete(null);
                    } catch (IOException | RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                });
        if (!taken) {
            throw new IOException("The access log takes no commands now");
        }
        try {
            @Nullable Void _ = done.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            String what = cause instanceof IOException ? cause.getMessage() : String.valueOf(cause);
            throw new IOException(what, e);
        } catch (TimeoutException e) {
            throw new IOException(
                    "The access log was not written within " + atMost.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The wait for the access log was interrupted", e);
        }
    }

    /// Adds the lines that are lost to a server's counters from now on.
    public void countIn(Metrics counters) {
        metrics = counters;
    }

    /// Returns how many lines were lost: because a ring was full, or a disk failed.
    public long lost() {
        long sum = lostInRings();
        for (int i = 0; i < files.length(); i++) {
            @Nullable LogFile file = files.get(i);
            sum += file == null ? 0 : file.lost();
        }
        return sum;
    }

    private long lostInRings() {
        long sum = 0;
        for (int i = 0; i < loops.length(); i++) {
            @Nullable LoopLog loop = loops.get(i);
            sum += loop == null ? 0 : loop.ring().lost();
        }
        return sum;
    }

    /// Writes all lines, and ends the thread. Waits at most some seconds for a disk that hangs.
    @Override
    public void close() {
        writer.close(END_MILLIS);
    }

    /// Returns whether any log tells how long something took.
    boolean timed() {
        return timed;
    }

    /// Writes the line of an exchange. On its loop.
    void write(AccessRecord exchange, LogTarget to) {
        int number = exchange.loop();
        @Nullable LoopLog loop = loops.get(number);
        if (loop == null) {
            loop = new LoopLog(number, limits);
            loops.set(number, loop);
        }
        loop.write(exchange, to);
        writer.published(loop.ring());
    }

    private void count() {
        lostLines.tell(lostInRings()); // a file that fails tells of its own
        @Nullable Metrics to = metrics;
        if (to != null) {
            long now = lost();
            to.add(Counter.ACCESS_LOG_LINES_LOST, now - counted);
            counted = now;
        }
    }
}
