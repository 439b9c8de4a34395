package dev.serval.loop;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Logs what loops report, on a thread of its own. What does not fit its queue is counted and left
/// out: a storm of faults must not become a second one.
public final class ReportLog implements Reports, AutoCloseable {
    private static final int QUEUE_MAX = 256;
    private static final long CLOSE_MILLIS = 1000;
    private static final Report END =
            new Report(ERROR, "", new IllegalStateException(), /* isLast */ true);

    private record Report(System.Logger.Level level, String what, Throwable fault, boolean isLast) {
        Report(System.Logger.Level level, String what, Throwable fault) {
            this(level, what, fault, false);
        }
    }

    private final System.Logger logger;
    private final BlockingQueue<Report> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final AtomicLong left = new AtomicLong();
    private final Thread thread;

    /// Logs to the logger of its name.
    public ReportLog() {
        this(System.getLogger(ReportLog.class.getName()));
    }

    /// Starts its thread.
    ReportLog(System.Logger logger) {
        this.logger = logger;
        thread = Thread.ofPlatform().name("serval-log").daemon().start(this::log);
    }

    @Override
    public void fault(String what, Throwable fault) {
        queue(new Report(ERROR, what, fault));
    }

    @Override
    public void lost(String what, Throwable why) {
        if (logger.isLoggable(DEBUG)) {
            queue(new Report(DEBUG, what, why));
        }
    }

    private void queue(Report report) {
        if (!queue.offer(report)) {
            left.incrementAndGet();
        }
    }

    /// Logs what is queued, then ends the thread. Waits two seconds at most: whoever has the logger's
    /// lock may have it for ever.
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
        try {
            for (Report one = queue.take(); !one.isLast(); one = queue.take()) {
                logger.log(one.level(), one.what(), one.fault());
                long lost = left.getAndSet(0);
                if (lost > 0) {
                    logger.log(WARNING, "{0} more reports were not logged", lost);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
