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
    private static final long QUIET_NANOS = 500_000_000;
    private static final int CAUSES_MAX = 8;
    private static final Report END =
            new Report(ERROR, "", new IllegalStateException(), /* isLast */ true);

    // Texts of the JVM's messages.
    private static final String UNUSABLE = Reports.text("Could not initialize class ");
    private static final String LINKER = Reports.text("java.lang.invoke.");
    private static final String NO_MEMORY = Reports.text("java.lang.OutOfMemoryError");
    private static final String[] OURS = {"dev.serval.", "java.", "jdk.", "sun."};

    private record Report(
            System.Logger.Level level, String what, @Nullable Throwable fault, boolean isLast) {
        Report(System.Logger.Level level, String what, @Nullable Throwable fault) {
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
            if (fault instanceof LinkageError e && isForGood(e)) {
                end.run();
            }
        } catch (Throwable e) { // out of memory for a report: it is counted
            left.incrementAndGet();
        }
    }

    @Override
    public void warning(String what) {
        try {
            queue(WARNING, what, null);
        } catch (Throwable e) { // as in fault
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

    /// Returns whether a class or a call site of the server or of the JDK failed to initialise
    /// because memory ran out. The JVM never tries again, so all code that needs it fails for ever.
    private static boolean isForGood(LinkageError fault) {
        @Nullable String text = fault.getMessage();
        boolean ours = false;
        if (fault instanceof BootstrapMethodError) {
            ours = isOurs(linked(fault), 0);
        } else if (fault instanceof NoClassDefFoundError
                && text != null
                && text.startsWith(UNUSABLE)) {
            ours = isOurs(text, UNUSABLE.length());
        }
        return ours && ranOut(fault.getCause());
    }

    private static boolean isOurs(String type, int from) {
        boolean ours = false;
        for (String prefix : OURS) {
            ours |= type.startsWith(prefix, from);
        }
        return ours;
    }

    /// Returns the name of the class whose call site could not be linked, or an empty text.
    private static String linked(LinkageError fault) {
        for (StackTraceElement frame : fault.getStackTrace()) {
            if (!frame.getClassName().startsWith(LINKER)) {
                return frame.getClassName();
            }
        }
        return "";
    }

    private static boolean ranOut(@Nullable Throwable cause) {
        @Nullable Throwable one = cause;
        for (int i = 0; i < CAUSES_MAX && one != null; i++) {
            if (one instanceof OutOfMemoryError
                    || String.valueOf(one.getMessage()).contains(NO_MEMORY)) {
                return true;
            }
            one = one.getCause();
        }
        return false;
    }

    /// Returns the number of reports that were neither logged nor mentioned in the log yet. Any
    /// thread.
    long lost() {
        return left.get();
    }

    private void queue(System.Logger.Level level, String what, @Nullable Throwable why) {
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
        boolean ended = rehearse();
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

    /// Rehearses logging after a moment without reports, in which the server starts.
    ///
    /// @return whether the log has ended meanwhile
    private boolean rehearse() {
        try {
            @Nullable Report early = queue.poll(QUIET_NANOS, TimeUnit.NANOSECONDS);
            if (early != null && early.isLast()) {
                return true;
            }
            LoggingRehearsal.play();
            if (early != null) {
                log(early);
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } catch (Throwable e) { // as in log
            left.incrementAndGet();
            return false;
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
            log(one);
        }
        long lost = left.getAndSet(0);
        if (lost > 0) {
            logger.log(WARNING, "The log missed {0} more reports", lost);
        }
        return false;
    }

    private void log(Report one) {
        logger.log(one.level(), one.what(), one.fault());
    }
}
