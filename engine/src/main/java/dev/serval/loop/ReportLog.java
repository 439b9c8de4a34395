package dev.serval.loop;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Logs the reports of loops, on a separate thread. Reports that do not fit in the queue are only
/// counted, so that a storm of faults does not cause a second one. If memory has run out, a report
/// is only counted. The thread continues after any exception of the logger.
public final class ReportLog implements Reports, AutoCloseable {
    private static final int QUEUE_MAX = 256;
    private static final long CLOSE_MILLIS = 1000;
    private static final long AGAIN_NANOS = 100_000_000;
    private static final Report END =
            new Report(ERROR, "", new IllegalStateException(), /* isLast */ true);

    // Texts of the JVM's messages.
    private static final String UNUSABLE = Reports.text("Could not initialize class ");
    private static final String NO_MEMORY = Reports.text("java.lang.OutOfMemoryError");
    private static final String[] OURS = {"dev.serval.", "java.", "jdk.", "sun."};

    private record Report(System.Logger.Level level, String what, Throwable fault, boolean isLast) {
        Report(System.Logger.Level level, String what, Throwable fault) {
            this(level, what, fault, false);
        }
    }

    private final System.Logger logger;
    private final BlockingQueue<Report> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final AtomicLong left = new AtomicLong();
    private final Runnable errors;
    private final Runnable end;
    private final Thread thread;

    /// Logs to the logger with the name of this class.
    ///
    /// @param errors runs for each reported Error, on the reporting thread; must not allocate
    /// @param end runs if a thread that the server needs cannot continue; must not allocate
    public ReportLog(Runnable errors, Runnable end) {
        this(System.getLogger(ReportLog.class.getName()), errors, end);
    }

    /// Starts the logging thread.
    ReportLog(System.Logger logger, Runnable errors, Runnable end) {
        this.logger = logger;
        this.errors = errors;
        this.end = end;
        thread = Thread.ofPlatform().name("serval-log").daemon().start(this::log);
    }

    @Override
    public void fault(String what, Throwable fault) {
        try {
            if (fault instanceof Error) {
                errors.run();
            }
            queue(ERROR, what, fault);
            if (fault instanceof NoClassDefFoundError e && isForGood(e)) {
                end.run();
            }
        } catch (Throwable e) { // out of memory for a report: it is counted
            left.incrementAndGet();
        }
    }

    @Override
    public void lost(String what, Throwable why) {
        try {
            if (logger.isLoggable(DEBUG)) {
                queue(DEBUG, what, why);
            }
        } catch (Throwable e) { // as in fault
            left.incrementAndGet();
        }
    }

    @Override
    public void fatal(String what, Throwable why) {
        fault(what, why);
        end.run();
    }

    /// Returns whether a class of the server or of the JDK failed to initialise because memory ran
    /// out. The JVM never tries again, so all code that needs the class fails for ever.
    private static boolean isForGood(NoClassDefFoundError fault) {
        @Nullable String text = fault.getMessage();
        if (text == null || !text.startsWith(UNUSABLE)) {
            return false;
        }
        boolean ours = false;
        for (String prefix : OURS) {
            ours |= text.startsWith(prefix, UNUSABLE.length());
        }
        @Nullable Throwable cause = fault.getCause();
        return ours
                && cause != null
                && (cause instanceof OutOfMemoryError
                        || String.valueOf(cause.getMessage()).contains(NO_MEMORY));
    }

    /// Returns the number of reports that were neither logged nor mentioned in the log yet. Any
    /// thread.
    long lost() {
        return left.get();
    }

    private void queue(System.Logger.Level level, String what, Throwable why) {
        if (!queue.offer(new Report(level, what, why))) {
            left.incrementAndGet();
        }
    }

    /// Logs what is queued, then ends the thread. Waits two seconds at most, because application
    /// code may hold the logger's lock for ever.
    @Override
    public void close() {
        try {
            if (queue.offer(END, CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                thread.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void log() {
        linkLogging();
        boolean ended = false;
        while (!ended) {
            try {
                ended = logNext();
            } catch (InterruptedException e) {
                ended = true;
                Thread.currentThread().interrupt();
            } catch (Throwable e) { // the logger failed, or memory ran out
                left.incrementAndGet();
                LockSupport.parkNanos(this, AGAIN_NANOS);
            }
        }
    }

    /// Initialises the logging classes early. A class whose first use fails because memory ran out
    /// can never be used again.
    private static void linkLogging() {
        try {
            Class.forName("java.util.logging.LogRecord");
        } catch (ClassNotFoundException | LinkageError e) {
            // Another logger is in use.
        }
    }

    /// @return whether that report was the last
    private boolean logNext() throws InterruptedException {
        @Nullable Report one =
                left.get() == 0 ? queue.take() : queue.poll(AGAIN_NANOS, TimeUnit.NANOSECONDS);
        if (one != null && one.isLast()) {
            return true;
        }
        if (one != null) {
            logger.log(one.level(), one.what(), one.fault());
        }
        long lost = left.getAndSet(0);
        if (lost > 0) {
            logger.log(WARNING, "{0} more reports were not logged", lost);
        }
        return false;
    }
}
