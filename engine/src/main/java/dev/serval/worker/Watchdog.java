package dev.serval.worker;

import dev.serval.loop.Clock;
import dev.serval.loop.Command;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Reports;
import dev.serval.loop.ThreadClock;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Finds loops that application code keeps. While requests run application code, the watchdog checks
/// every loop: one millisecond after a check that found a loop in application code, four after one
/// that found none there, because each check interrupts a busy processor. It preempts a loop if two
/// checks find it in the same part of application code. While no application code runs, the watchdog
/// sleeps. Once a second it also looks for loops that are stuck in the engine, which it can only
/// report.
///
/// The engine itself takes no lock that application code may have, but the JDK does: random bytes
/// may come from a generator that all threads share. If such a lock is free and its next owner is a
/// Worker of the loop, the loop would wait for ever for a thread that only the loop can carry. So while
/// a loop's thread waits for a lock, the pool carries its Workers.
///
/// It does not preempt a loop whose thread merely waited for a processor in between. The code is
/// not at fault then, another thread would have to wait as well, and a mapping must not lose its
/// place on the loop because the machine is busy.
///
/// After a check that came late, one more is needed. The loop may not be at fault if the machine
/// has too few processors, or was stopped for garbage collection. If all checks come late, loops
/// are still preempted.
final class Watchdog implements Runnable {
    private static final String WATCH_FAILED =
            Reports.text("The watchdog of the event loops failed; it continues");
    private static final String STUCK_LOOK_FAILED =
            Reports.text("A check for stuck event loops failed; the watchdog continues");
    private static final String LOOK_FAILED =
            Reports.text("A check of the event loops failed; the watchdog continues");
    private static final long TICK_NANOS = 1_000_000;
    private static final long CALM_TICK_NANOS = 4 * TICK_NANOS;
    private static final long LATE_NANOS =
            2 * TICK_NANOS; // code can have been seen only a tick ago
    private static final long REST_NANOS = 1_000_000_000;
    private static final int QUIET_TICKS = 2; // before a rest: cheapest at few requests a second
    private static final int TICKS_MOST = 2;

    /// A lock that is held for longer than the time between these checks may be one that a Worker has.
    private static final int LOCKED_LOOKS = 2;

    private static final int STUCK_LOOKS = 5;

    /// Code that has computed for less than this since the check that found it first, waited.
    private static final long COMPUTED_NANOS = TICK_NANOS / 2;

    /// The watchdog's state of one loop.
    static final class Post {
        final EventLoop loop;
        private final LoopWorkers workers;
        final Command nudge = new Command(() -> {});
        @Nullable Carrier runner; // runs the loop
        @Nullable Carrier standby; // takes the loop over if it is preempted
        private long computedNanos; // by the runner, when the code was first seen
        private long word;
        private int ticks; // checks that saw the same application code
        private long seenTurns; // at the last check
        private int lockedLooks; // checks that saw the same turn wait for a lock
        private long turns; // at the last check for a stuck loop
        private int stuckLooks; // such checks that saw no new turn

        Post(LoopWorkers workers) {
            this.workers = workers;
            this.loop = workers.loop();
        }

        LoopWorkers workers() {
            return workers;
        }
    }

    private final Carriers carriers;
    private final List<Post> posts;
    private final Clock clock;
    private final ThreadClock computed;
    private final Reports reports;
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean closed;
    private long stuckLookNanos;
    private volatile long tickNanos = TICK_NANOS; // until the next check

    Watchdog(
            Carriers carriers,
            List<Post> posts,
            Clock clock,
            ThreadClock computed,
            Reports reports) {
        this.carriers = carriers;
        this.posts = posts;
        this.clock = clock;
        this.computed = computed;
        this.reports = reports;
        // Not a daemon: it keeps the JVM alive while there are loops, whose own threads are
        // daemons.
        this.thread = Thread.ofPlatform().name("serval-watchdog").daemon(false).unstarted(this);
    }

    Thread thread() {
        return thread;
    }

    /// Returns the time from the last check to the next one. Any thread.
    long tickNanos() {
        return tickNanos;
    }

    /// Returns whether a thread that enters application code must wake the watchdog. Any thread.
    boolean isParked() {
        return parked;
    }

    /// Wakes the watchdog. Any thread. Only the watchdog itself clears `parked`. If the waker
    /// cleared it, the write could come late, and hide that the watchdog is parked again.
    void wake() {
        LockSupport.unpark(thread);
    }

    /// Ends the watchdog.
    void close() {
        closed = true;
        wake();
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                watch();
            } catch (Throwable e) { // without the watchdog, no loop is preempted
                reports.fault(WATCH_FAILED, e);
            }
        }
    }

    private void watch() {
        int quiet = 0;
        long last = clock.nanos();
        stuckLookNanos = last + REST_NANOS;
        while (!closed) {
            long now = clock.nanos();
            quiet = lookGuarded(now - last <= LATE_NANOS) ? 0 : quiet + 1;
            last = now;
            lookForStuckGuarded(now);
            if (quiet < QUIET_TICKS) {
                LockSupport.parkNanos(this, tickNanos);
            } else {
                rest();
            }
        }
    }

    private boolean lookGuarded(boolean inTime) {
        try {
            return look(inTime);
        } catch (Throwable e) { // out of memory: the watchdog must continue
            reports.fault(LOOK_FAILED, e);
            return true;
        }
    }

    /// Checks each loop once.
    ///
    /// @param inTime whether the last check was not late
    /// @return whether application code ran, or a loop waits for a lock
    private boolean look(boolean inTime) {
        boolean changed = false;
        boolean seen = false;
        for (int i = 0; i < posts.size(); i++) {
            Post post = posts.get(i);
            post.loop.wakeAgain();
            carriers.standIn(post);
            long word = post.workers().ownership().word();
            boolean same = word == post.word;
            boolean running = Ownership.inApplication(word);
            changed |= !same;
            seen |= running || passesALock(post);
            post.word = word;
            if (!running || !same) {
                post.ticks = running ? 1 : 0;
                post.computedNanos = running ? computedNanos(post) : ThreadClock.UNKNOWN;
            } else if (++post.ticks >= (inTime ? TICKS_MOST : TICKS_MOST + 1)
                    && !waitsForProcessor(post)) {
                carriers.preempt(post, word);
            }
        }
        tickNanos = seen ? TICK_NANOS : CALM_TICK_NANOS;
        return seen || changed;
    }

    /// Has the pool carry the Workers of a loop that waits for a lock, which one of them may have.
    ///
    /// @return whether the loop waits for a lock, so that the next check must come soon
    private boolean passesALock(Post post) {
        long turns = post.loop.turns();
        boolean waits = !post.loop.isAsleep() && waitsForLock(post.loop.owner());
        post.lockedLooks = waits && turns == post.seenTurns ? post.lockedLooks + 1 : 0;
        post.seenTurns = turns;
        if (post.lockedLooks >= LOCKED_LOOKS) {
            carriers.passLock(post, post.lockedLooks == LOCKED_LOOKS);
        }
        return waits;
    }

    private static boolean waitsForLock(@Nullable Thread owner) {
        return owner != null
                && switch (owner.getState()) {
                    case BLOCKED, WAITING, TIMED_WAITING -> true;
                    case NEW, RUNNABLE, TERMINATED -> false;
                };
    }

    private long computedNanos(Post post) {
        @Nullable Carrier runner = post.runner;
        int number = runner == null ? 0 : runner.number();
        return number == 0 ? ThreadClock.UNKNOWN : computed.nanos(number);
    }

    /// Returns whether a processor is what the loop's thread lacks. A thread that has not computed
    /// either waits for one, or is blocked in a call.
    private boolean waitsForProcessor(Post post) {
        @Nullable Carrier runner = post.runner;
        long now = computedNanos(post);
        if (runner == null || now < 0 || post.computedNanos < 0) {
            return false;
        }
        return now - post.computedNanos < COMPUTED_NANOS
                && ThreadActivity.isRunnable(runner.number());
    }

    /// Sleeps until it is woken. A thread that enters application code writes the word and then
    /// reads `parked`. The watchdog writes `parked` and then reads the words. So one of the two
    /// sees the other.
    private void rest() {
        parked = true;
        boolean still = true;
        for (int i = 0; i < posts.size(); i++) {
            Post post = posts.get(i);
            still &= post.workers().ownership().word() == post.word;
        }
        if (still && !closed) {
            LockSupport.parkNanos(this, REST_NANOS);
        }
        parked = false;
    }

    private void lookForStuckGuarded(long now) {
        try {
            lookForStuck(now);
        } catch (Throwable e) { // as in lookGuarded
            reports.fault(STUCK_LOOK_FAILED, e);
        }
    }

    private void lookForStuck(long now) {
        if (now - stuckLookNanos < 0) {
            return;
        }
        stuckLookNanos = now + REST_NANOS;
        for (int i = 0; i < posts.size(); i++) {
            Post post = posts.get(i);
            long turns = post.loop.turns();
            boolean still =
                    turns == post.turns
                            && turns != 0
                            && !post.loop.isAsleep()
                            && !Ownership.inApplication(post.workers().ownership().word());
            post.stuckLooks = still ? post.stuckLooks + 1 : 0;
            post.turns = turns;
            if (post.stuckLooks == STUCK_LOOKS) {
                reportStuck(post.loop);
            }
        }
    }

    private void reportStuck(EventLoop loop) {
        Throwable where = new IllegalStateException("An event loop is stuck here");
        @Nullable Thread owner = loop.owner();
        if (owner != null) {
            where.setStackTrace(owner.getStackTrace());
        }
        reports.fault(
                "Event loop " + loop.index() + " has not turned for " + STUCK_LOOKS + " s", where);
    }
}
