package dev.serval.log;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.loop.Reports;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The thread that writes all access logs. It takes the lines of every loop, and then sleeps for a
/// moment, so that one write has many lines. While no line comes, it sleeps until a loop wakes it.
///
/// ```
///    SLEEPS ── first line, command, or a second ──▶ WRITES ── something was taken ──▶ PAUSES
///       ▲                                             │  ▲                              │
///       └──────────────── nothing was taken ──────────┘  └── half a ring, or 100 ms ────┘
/// ```
/// Any thread wakes it; all else happens on its own thread.
final class LogWriter {
    private static final System.Logger LOG = System.getLogger(LogWriter.class.getName());
    private static final String FAILED = Reports.text("The access log failed; it continues");
    private static final long SLEEP_NANOS = 1_000_000_000;
    private static final int COMMANDS_MAX = 1024;

    private enum State {
        WRITES,
        PAUSES,
        SLEEPS
    }

    private final AtomicReferenceArray<@Nullable LoopLog> loops;
    private final AtomicReferenceArray<@Nullable LogFile> files;
    private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>(COMMANDS_MAX);
    private final LogRing.Taker taker = this::take;
    private final long flushNanos;
    private final Runnable after;
    private final Thread thread;
    private volatile State state = State.WRITES;
    private volatile boolean closing;
    private boolean started; // under the lock

    /// Creates a writer that does not write yet.
    ///
    /// @param loops the lines of each loop that has written one
    /// @param files by the numbers that the lines name
    /// @param flushNanos the length of the pause
    /// @param after runs after each round
    LogWriter(
            AtomicReferenceArray<@Nullable LoopLog> loops,
            AtomicReferenceArray<@Nullable LogFile> files,
            long flushNanos,
            Runnable after) {
        this.loops = loops;
        this.files = files;
        this.flushNanos = flushNanos;
        this.after = after;
        this.thread = Thread.ofPlatform().name("serval-access-log").daemon().unstarted(this::run);
    }

    /// Starts to write, unless it does already.
    synchronized void start() {
        if (!started) {
            started = true;
            thread.start();
        }
    }

    /// Returns whether it writes.
    synchronized boolean hasStarted() {
        return started;
    }

    /// Wakes the thread if a line came that it should write soon. On a loop. A line that comes at the
    /// very moment at which the thread falls asleep may wait for a second.
    void published(LogRing ring) {
        State present = state;
        if (present == State.SLEEPS || (present == State.PAUSES && ring.isHalfFull())) {
            state = State.WRITES; // so that few loops wake it at once
            LockSupport.unpark(thread);
        }
    }

    /// Runs `command` on the thread, after the lines that were published before.
    ///
    /// @return false if too many wait, or the thread has ended
    boolean submit(Runnable command) {
        boolean taken = !closing && commands.offer(command);
        LockSupport.unpark(thread);
        return taken;
    }

    /// Writes what was published, and ends the thread. Waits for it, for some time.
    void close(long atMostMillis) {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(atMostMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        boolean ending = false;
        while (!ending) {
            ending = closing;
            state = State.WRITES;
            boolean any = round();
            if (!ending && commands.isEmpty()) {
                state = any ? State.PAUSES : State.SLEEPS;
                LockSupport.parkNanos(this, any ? flushNanos : SLEEP_NANOS);
            }
        }
        for (int i = 0; i < files.length(); i++) {
            @Nullable LogFile file = files.get(i);
            if (file != null) {
                file.close();
            }
        }
    }

    /// @return whether there was a line
    private boolean round() {
        try {
            @Nullable Runnable command = commands.poll(); // before the lines that it must follow
            int lines = takeAll();
            for (int i = 0; i < files.length(); i++) {
                @Nullable LogFile file = files.get(i);
                if (file != null) {
                    boolean _ = file.flush();
                }
            }
            if (command != null) {
                command.run();
            }
            after.run();
            return lines > 0;
        } catch (RuntimeException | Error e) { // the thread must not end
            report(e);
            return true;
        }
    }

    /// The thread continues even if logging fails, such as for want of memory.
    private static void report(Throwable thrown) {
        try {
            LOG.log(ERROR, FAILED, thrown);
        } catch (RuntimeException | Error e) {
            // Nothing is left that could tell it.
        }
    }

    private int takeAll() {
        int lines = 0;
        for (int i = 0; i < loops.length(); i++) {
            @Nullable LoopLog loop = loops.get(i);
            if (loop != null) {
                lines += loop.ring().take(taker);
            }
        }
        return lines;
    }

    private void take(int file, byte[] bytes, int from, int length) {
        @Nullable LogFile to = files.get(file);
        if (to != null) {
            to.add(bytes, from, length);
        }
    }
}
