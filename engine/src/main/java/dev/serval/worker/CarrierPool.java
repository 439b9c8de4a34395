package dev.serval.worker;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.loop.Clock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The platform threads that carry Workers which a loop should not carry. They run pieces of work:
/// first those of requests that have begun, which are the older ones, then new ones, each in the
/// order of their arrival.
///
/// Only as many pieces run at a time as there are processors. More would share the processors, so
/// that each takes longer, and would delay the event loops. A piece does not count if it blocks its
/// thread in a call, or if it has run for [#LONG_NANOS]. Another one may then run beside it, up to
/// the limit of threads.
///
/// ```
///                 work waits and the pool may run more
///   RESTING ──────────────────────────────────────────────▶ ACTIVE ──┐ next piece
///      │   ◀────────────────────────────────────────────── │    ◀────┘
///      │ 10 s  nothing waits, or the pool may not run more
///      ▼
///    ended
/// ```
///
/// A monitor looks each two milliseconds at the active threads, but only while work waits. Any thread
/// may submit work. The number of pieces that wait is bounded by the requests in progress. The pool's
/// own state needs no lock.
@SuppressWarnings("exports") // only the engine creates it
public final class CarrierPool implements WorkerThreads.Pool {
    private static final System.Logger LOG = System.getLogger(CarrierPool.class.getName());

    /// The time after which a piece of work counts no more. Pieces that all are longer share the
    /// processors.
    static final long LONG_NANOS = 20_000_000;

    /// One piece in so many is new if possible, because a request that yields all the time would
    /// otherwise keep others from their begin.
    static final int TURNS_OF_NEW = 8;

    private static final long LOOK_NANOS = 2_000_000;
    private static final int DOUBLED_MAX = 10;
    private static final int THREADS_PER_LOOK = 8; // more threads are looked at less often

    private final int threadsMax;
    private final int processors;
    private final long spareNanos;
    private final Clock clock;
    private final Supplier<ThreadActivity> activities;
    private final Queue<Runnable> begun = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> fresh = new ConcurrentLinkedQueue<>();
    private final StartQueue starts = new StartQueue(); // of the fresh ones
    private final ConcurrentLinkedDeque<Member> resting = new ConcurrentLinkedDeque<>();
    private final ConcurrentLinkedQueue<Member> members = new ConcurrentLinkedQueue<>();
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger(); // pieces taken
    private final AtomicInteger made = new AtomicInteger(); // threads, for their names
    private final Monitor monitor = new Monitor();
    private final AtomicInteger allowed; // active threads
    private volatile boolean ranOut; // of work that waits, since the last look
    private volatile boolean shutdown;

    /// Creates the pool without threads.
    ///
    /// @param threadsMax the limit of threads
    /// @param processors how many pieces of work run at a time if they do not block
    /// @param spareNanos how long a thread without work is kept
    public CarrierPool(int threadsMax, int processors, long spareNanos) {
        this(threadsMax, processors, spareNanos, Clock.SYSTEM, ThreadActivity::ofCurrent);
    }

    /// Creates a pool that sees its threads and the time in another way.
    ///
    /// @param activities returns the activity of the calling thread
    CarrierPool(
            int threadsMax,
            int processors,
            long spareNanos,
            Clock clock,
            Supplier<ThreadActivity> activities) {
        this.threadsMax = threadsMax;
        this.processors = Math.min(processors, threadsMax);
        this.spareNanos = spareNanos;
        this.clock = clock;
        this.activities = activities;
        this.allowed = new AtomicInteger(this.processors);
    }

    /// Runs `work` on a thread of the pool.
    ///
    /// @throws RejectedExecutionException after [#shutdown]
    /// @throws OutOfMemoryError if the system has no more threads, and the pool has none
    @Override
    public void execute(Runnable work) {
        add(work, true);
    }

    @Override
    public long waitNanos() {
        return starts.waitNanos(clock.nanos());
    }

    @Override
    public long standingNanos(long nowNanos) {
        return starts.look(nowNanos);
    }

    @Override
    public void resume(Runnable work) {
        add(work, false);
    }

    private void add(Runnable work, boolean isFresh) {
        if (shutdown) {
            throw new RejectedExecutionException("The server has stopped");
        }
        Queue<Runnable> queue = isFresh ? fresh : begun;
        queue.add(work);
        if (isFresh) {
            starts.addShared(clock.nanos());
        }
        monitor.begin(); // before memory may run out
        try {
            activate();
        } catch (RuntimeException | Error e) { // such as no more threads
            if (threads.get() == 0 && queue.remove(work)) {
                if (isFresh) {
                    starts.dropShared();
                }
                throw e;
            }
            // A thread of the pool takes it later, or the monitor tries again.
        }
        if (isWaiting()) {
            monitor.wake();
        }
    }

    /// Returns whether work waits for a thread.
    private boolean isWaiting() {
        return !begun.isEmpty() || !fresh.isEmpty();
    }

    /// Returns the next piece.
    private @Nullable Runnable next() {
        boolean newFirst = turns.incrementAndGet() % TURNS_OF_NEW == 0;
        @Nullable Runnable piece = newFirst ? nextFresh() : begun.poll();
        if (piece == null) {
            piece = newFirst ? begun.poll() : nextFresh();
        }
        return piece;
    }

    private @Nullable Runnable nextFresh() {
        @Nullable Runnable piece = fresh.poll();
        if (piece instanceof Worker.FirstTurn turn && turn.isCancelled()) {
            starts.dropShared();
        } else if (piece != null) {
            starts.takeShared(clock.nanos());
        }
        return piece;
    }

    /// Returns whether each thread that may exist is kept by a piece of work that blocks or is long.
    @Override
    public boolean isFull() {
        return active.get() >= threadsMax && !shutdown;
    }

    /// Returns the current number of threads.
    public int threads() {
        return threads.get();
    }

    /// Returns how many threads are active.
    int active() {
        return active.get();
    }

    /// Returns how many threads may be active.
    int allowed() {
        return allowed.get();
    }

    /// Stops accepting work. What waits still runs.
    public void shutdown() {
        shutdown = true;
        for (Member one : resting) {
            LockSupport.unpark(one.thread);
        }
        monitor.end();
    }

    /// Makes threads active while work waits and more may be active.
    private void activate() {
        while (isWaiting() && mayActivate()) {
            @Nullable Member rested = resting.pollFirst();
            if (rested != null) {
                rested.resume();
                continue;
            }
            if (!mayStart()) { // a thread is about to rest or to end, and then looks for work
                active.decrementAndGet();
                return;
            }
            try {
                start();
            } catch (RuntimeException | Error e) { // the system has no more threads, or memory
                active.decrementAndGet();
                throw e;
            }
        }
    }

    /// Counts one more thread, if it may be.
    private boolean mayStart() {
        int now = threads.get();
        while (now < threadsMax) {
            if (threads.compareAndSet(now, now + 1)) {
                return true;
            }
            now = threads.get();
        }
        return false;
    }

    /// Counts one more active thread, if it may be.
    private boolean mayActivate() {
        int now = active.get();
        while (now < allowed.get()) {
            if (active.compareAndSet(now, now + 1)) {
                return true;
            }
            now = active.get();
        }
        return false;
    }

    /// Takes back what blocked or long pieces of work have allowed, once they have ended.
    private void allowNoMore() {
        int _ =
                allowed.updateAndGet(
                        before -> Math.max(processors, Math.min(before, active.get())));
    }

    /// Starts a thread, which is counted already.
    private void start() {
        @Nullable Member member = null;
        try {
            member = new Member();
            members.add(member);
            member.thread.start();
        } catch (RuntimeException | Error e) {
            if (member != null) {
                members.remove(member);
            }
            threads.decrementAndGet();
            throw e;
        }
    }

    private void gone(Member member) {
        members.remove(member);
        threads.decrementAndGet();
        activateIfPossible();
    }

    /// Serves work that came while a thread was neither active nor resting.
    private void activateIfPossible() {
        try {
            activate();
        } catch (Throwable e) { // as in add
            monitor.wake(); // it tries again
        }
    }

    /// Logs what a thread of the pool survived. The thread continues even if logging fails, for want
    /// of memory or because one of its classes is unusable since memory ran out.
    private static void report(String what, Throwable thrown) {
        try {
            LOG.log(ERROR, what, thrown);
        } catch (Throwable e) {
            // Nothing is left that could tell it.
        }
    }

    private Thread thread(String name, Runnable body) {
        return Thread.ofPlatform()
                .name(name)
                .daemon()
                .inheritInheritableThreadLocals(false)
                .stackSize(WorkerThreads.STACK_BYTES)
                .unstarted(body);
    }

    /// A thread. It is counted as active before it starts and before it resumes.
    private final class Member implements Runnable {
        final Thread thread = thread("serval-carrier-" + made.incrementAndGet(), this);
        private volatile @Nullable ThreadActivity activity; // set by the thread
        private volatile long begunNanos; // of the piece of work
        private volatile boolean works;
        private volatile boolean resumed;

        @Override
        public void run() {
            @Nullable ThreadActivity own = activity();
            activity = own;
            try {
                do {
                    work();
                } while (rest());
            } finally {
                gone(this);
                if (own != null) {
                    own.close();
                }
            }
        }

        /// Returns null if there is no memory. The thread then counts as one that computes.
        private @Nullable ThreadActivity activity() {
            try {
                return activities.get();
            } catch (Throwable e) { // it must start all the same, because it is counted
                return null;
            }
        }

        /// Runs pieces of work until the thread must not be active any more.
        private void work() {
            while (true) {
                @Nullable Runnable piece = next();
                if (piece != null) {
                    run(piece);
                }
                int now = active.get();
                if (piece != null && now <= allowed.get()) {
                    continue;
                }
                active.decrementAndGet();
                if (!isWaiting()) {
                    ranOut = true;
                    allowNoMore();
                }
                // Work that came meanwhile may have found this thread still active.
                if (!isWaiting() || !mayActivate()) {
                    return;
                }
            }
        }

        private void run(Runnable piece) {
            begunNanos = clock.nanos();
            works = true;
            try {
                piece.run();
            } catch (Throwable e) { // the thread must stay counted
                report("A piece of work threw an exception", e);
            } finally {
                works = false;
            }
        }

        /// Waits until the thread becomes active again.
        ///
        /// @return false if it must end
        private boolean rest() {
            resumed = false;
            try {
                resting.addFirst(this);
            } catch (OutOfMemoryError e) {
                return false; // another thread starts when it is needed
            }
            activateIfPossible();
            long until = clock.nanos() + spareNanos;
            while (!resumed) {
                long left = until - clock.nanos();
                if ((left <= 0 || shutdown) && resting.remove(this)) {
                    return false;
                }
                LockSupport.parkNanos(CarrierPool.this, Math.max(left, LOOK_NANOS));
            }
            return true;
        }

        void resume() {
            resumed = true;
            LockSupport.unpark(thread);
        }

        /// Returns whether the thread uses a processor for a piece of work that is not long.
        boolean counts(long nowNanos) {
            @Nullable ThreadActivity known = activity;
            return !works
                    || (nowNanos - begunNanos < LONG_NANOS
                            && (known == null || !known.isBlocked()));
        }
    }

    /// Decides how many threads may be active, while work waits.
    private final class Monitor implements Runnable {
        private final AtomicBoolean started = new AtomicBoolean();
        private volatile @Nullable Thread thread;
        private volatile boolean parked;
        private int idleLooks; // that saw an idle processor, one after the other

        /// Makes the monitor look, if it does not already.
        void wake() {
            @Nullable Thread present = thread;
            if (present == null) {
                begin();
            } else if (parked) {
                LockSupport.unpark(present);
            }
        }

        /// Starts its thread, if it has none.
        void begin() {
            if (started.get() || !started.compareAndSet(false, true)) {
                return;
            }
            try {
                Thread created = thread("serval-carrier-monitor", this);
                thread = created;
                created.start();
            } catch (RuntimeException | Error e) { // no more threads, or memory: try again later
                thread = null;
                started.set(false);
            }
        }

        void end() {
            LockSupport.unpark(thread);
        }

        @Override
        public void run() {
            while (!shutdown || isWaiting()) {
                try {
                    watch();
                } catch (Throwable e) { // without the monitor, work may wait for ever
                    report("A look at the pool failed; it continues", e);
                }
            }
        }

        private void watch() {
            if (!isWaiting()) {
                rest();
                return;
            }
            LockSupport.parkNanos(
                    CarrierPool.this, LOOK_NANOS * (1 + active.get() / THREADS_PER_LOOK));
            if (isWaiting()) { // otherwise the pool may have come to rest
                look();
            }
        }

        private void rest() {
            idleLooks = 0;
            allowNoMore();
            parked = true;
            if (!isWaiting() && !shutdown) {
                LockSupport.park(CarrierPool.this);
            }
            parked = false;
        }

        private void look() {
            int before = allowed.get(); // first: a later change of it makes this look void
            if (ranOut) {
                ranOut = false;
                idleLooks = 0;
            }
            long now = clock.nanos();
            int counted = 0;
            int present = 0;
            for (Member one : members) {
                if (one.works) {
                    present++;
                    counted += one.counts(now) ? 1 : 0;
                }
            }
            // Those that are active without a piece wait for a processor, to take one.
            int starting = Math.max(0, active.get() - present);
            present += starting;
            counted += starting;
            // If none is active, the pieces that earlier looks saw have ended.
            idleLooks = present > 0 && counted < processors ? idleLooks + 1 : 0;
            // If the pieces that were added do not suffice, the number of those added doubles.
            int more = idleLooks < 2 ? 0 : 1 << Math.min(idleLooks - 2, DOUBLED_MAX);
            // Unless the pool came to rest meanwhile: what this look saw is over then.
            boolean _ =
                    allowed.compareAndSet(
                            before, Math.min(threadsMax, present - counted + processors + more));
            try {
                activate();
            } catch (OutOfMemoryError e) {
                // The threads that exist do the work; the next look tries again.
            }
        }
    }
}
