package dev.serval.servlet.log;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// The logs of a container's applications, and the thread that writes their files. Any thread.
public final class AppLogs implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AppLogs.class.getName());

    private final Path folder;
    private final LogLimits limits;
    private final @Nullable PrintStream echo;
    private final boolean succeeds;
    private final BlockingQueue<AppLog> waiting = new LinkedBlockingQueue<>(); // each log once
    private final Map<String, AppLog> logs = new HashMap<>(); // by name; under this object's lock
    private final Thread writer;
    private volatile boolean closed;

    /// Starts the thread. It creates no file.
    ///
    /// @param folder of the files; created with the first of them
    /// @param echo also receives everything; null for none
    /// @param succeeds whether a predecessor of this process still writes the files, but ends soon
    public AppLogs(Path folder, LogLimits limits, @Nullable PrintStream echo, boolean succeeds) {
        this.folder = folder.toAbsolutePath();
        this.limits = limits;
        this.echo = echo;
        this.succeeds = succeeds;
        this.writer = Thread.ofPlatform().daemon().name("serval-app-log").start(this::writeAll);
    }

    /// Opens the log of an application. Two versions of it may use the log at the same time; each
    /// must close it.
    ///
    /// @param name the first part of the file's name
    /// @throws IOException if the file cannot be written
    public synchronized AppLog open(String name) throws IOException {
        logs.values().removeIf(log -> !log.isOpen());
        @Nullable AppLog present = logs.get(name);
        if (present != null && present.share()) {
            return present;
        }
        LogFile file = LogFile.open(folder, name, limits);
        AppLog opened =
                new AppLog(
                        succeeds ? file.succeeding() : file,
                        limits,
                        echo,
                        waiting::add,
                        System::nanoTime);
        logs.put(name, opened);
        return opened;
    }

    /// Opens the files again, after a program has moved them.
    public synchronized void reopen() {
        logs.values().forEach(AppLog::reopen);
    }

    private void writeAll() {
        while (!closed) {
            try {
                waiting.take().drain();
            } catch (InterruptedException e) {
                closed = true;
            } catch (Throwable e) { // such as no memory: the others are still written
                report(e);
            }
        }
    }

    /// The thread continues even if logging fails, such as for want of memory.
    private static void report(Throwable thrown) {
        try {
            LOG.log(WARNING, "Serval failed to write the log of an application", thrown);
        } catch (Throwable e) {
            // Nothing is left that could tell it.
        }
    }

    /// Ends the thread. Close the logs before.
    @Override
    public void close() {
        closed = true;
        writer.interrupt();
    }
}
