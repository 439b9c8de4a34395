package dev.serval.worker;

import dev.serval.loop.Clock;
import dev.serval.loop.Command;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Reports;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Looks at every loop once a millisecond while application code runs on any of them, and has a loop
/// preempted that was in the same piece of it at two looks. While none runs it sleeps, and looks once a
/// second whether a loop is stuck in the engine, which it can only report.
///
/// After a look that came late, one more is needed: where the machine is short of processors, or was
/// stopped for garbage collection, a loop may not be to blame. Where all looks come late, loops are
/// preempted all the same.
final class Watchdog implements Runnable {
    private static final String WATCH_FAILED =
            Reports.text("The watchdog of the event loops failed; it goes on");
    private static final String STUCK_LOOK_FAILED =
            Reports.text("A look for stuck event loops failed; there are more");
    private static final String LOOK_FAILED =
            Reports.text("A look at the event loops failed; there are more");
    private static final long TICK_NANOS = 1_000_000;
    private static final long LATE_NANOS = 2 * TICK_NANOS;
    private static final long REST_NANOS = 1_000_000_000;
    private static final int QUIET_TICKS = 2; // until it rests: few requests a second cost least so
    private static final int TICKS_MOST = 2;
    private static final int STUCK_LOOKS = 5;

    /// What it knows of one loop.
    static final class Post {
        final EventLoop loop;
        private final LoopWorkers workers;
        final Command nudge = new Command(() -> {});
        @Nullable Carrier standby; // takes the loop over
        private long word;
        private int ticks; // that saw the same application code
        private long turns;
        private int stuckLooks; // that saw no turn since the last

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
    private final Reports reports;
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean closed;
    private long stuckLookNanos;

    Watchdog(Carriers carriers, List<Post> posts, Clock clock, Reports reports) {
        this.carriers = carriers;
        this.posts = posts;
        this.clock = clock;
        this.reports = reports;
        // Not a daemon: it keeps the JVM while there are loops, whose own threads are daemons.
        this.thread = Thread.ofPlatform().name("serval-watchdog").daemon(false).unstarted(this);
    }

    Thread thread() {
        return thread;
    }

    /// Whether it must be woken by who runs application code. Any thread.
    boolean isParked() {
        return parked;
    }

    /// Wakes it. Any thread. That it is no longer parked it says itself: said by others, it could come
    /// so late that it sleeps on with nobody knowing.
    void wake() {
        LockSupport.unpark(thread);
    }

    /// Ends it.
    void close() {
        closed = true;
        wake();
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                watch();
            } catch (Throwable e) { // else no loop would ever be preempted again
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
                LockSupport.parkNanos(this, TICK_NANOS);
            } else {
                rest();
            }
        }
    }

    private boolean lookGuarded(boolean inTime) {
        try {
            return look(inTime);
        } catch (Throwable e) { // memory is short: without it, nobody would ever look again
            reports.fault(LOOK_FAILED, e);
            return true;
        }
    }

    /// One look.
    ///
    /// @param inTime whether the last one was a tick ago
    /// @return whether anything happened
    private boolean look(boolean inTime) {
        boolean busy = false;
        for (int i = 0; i < posts.size(); i++) {
            Post post = posts.get(i);
            post.loop.wakeAgain();
            carriers.standIn(post);
            long word = post.workers().ownership().word();
            boolean same = word == post.word;
            boolean running = Ownership.inApplication(word);
            busy |= running || !same;
            post.word = word;
            if (!running || !same) {
                post.ticks = running ? 1 : 0;
            } else if (++post.ticks >= (inTime ? TICKS_MOST : TICKS_MOST + 1)) {
                carriers.preempt(post, word);
            }
        }
        return busy;
    }

    /// Whoever enters application code writes the word and then reads `parked`; we write `parked` and
    /// then read the words: one of us sees the other.
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
        Throwable where = new IllegalStateException("An event loop was not to wait here");
        @Nullable Thread owner = loop.owner();
        if (owner != null) {
            where.setStackTrace(owner.getStackTrace());
        }
        reports.fault(
                "Event loop " + loop.index() + " has not turned for " + STUCK_LOOKS + " s", where);
    }
}
