package dev.serval.worker;

import static java.lang.System.Logger.Level.ERROR;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Platform threads for pieces of work that block, with a bounded queue. A piece goes to the thread
/// that came to rest last. If none rests, a new one starts, up to the limit. Beyond it, pieces wait in
/// the order of their arrival, and if the queue is full, they are refused. So a few threads serve a
/// load that needs only a few, and a piece waits only if each thread that may exist has one.
///
/// A `ThreadPoolExecutor` cannot do so: it starts a thread for each piece while there are fewer than
/// its core threads, and beyond them only when its queue is full.
///
/// Threads end when they have rested for the time that the pool was given. Any thread may submit work.
public final class BoundedPool {
    private static final System.Logger LOG = System.getLogger(BoundedPool.class.getName());

    private final int threadsMax;
    private final int queueMax;
    private final long spareNanos;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Member> members = new HashSet<>(); // by lock
    private final Deque<Member> resting = new ArrayDeque<>(); // by lock, the last one first
    private final Queue<Piece> waiting = new ArrayDeque<>(); // by lock; empty while members rest
    private boolean shutdown; // written by lock
    private volatile boolean interrupting;

    /// Creates a pool without threads.
    ///
    /// @param name the threads' name, to which each one's number is appended
    /// @param queueMax the limit of pieces that wait for a thread
    /// @param spareNanos how long a thread without work is kept
    /// @param atStart runs first on each thread
    public BoundedPool(
            String name, int threadsMax, int queueMax, long spareNanos, Runnable atStart) {
        this(threadsMax, queueMax, spareNanos, named(name, atStart));
    }

    /// Creates a pool that makes its threads in another way.
    ///
    /// @param threads makes threads that have not started
    BoundedPool(int threadsMax, int queueMax, long spareNanos, ThreadFactory threads) {
        this.threadsMax = threadsMax;
        this.queueMax = queueMax;
        this.spareNanos = spareNanos;
        this.threads = threads;
    }

    /// The threads inherit nothing from an application that happens to need a new one.
    private static ThreadFactory named(String name, Runnable atStart) {
        AtomicInteger made = new AtomicInteger();
        return body ->
                Thread.ofPlatform()
                        .name(name + made.incrementAndGet())
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .unstarted(() -> {
                            atStart.run();
                            body.run();
                        });
    }

    /// Runs `work` on a thread of the pool.
    ///
    /// @param dropped runs instead of `work` if [#interrupt] comes first; on the thread that calls it
    /// @return false if the queue is full or the pool has been shut down
    /// @throws OutOfMemoryError if the system has no more threads, and the pool has none
    public boolean submit(Runnable work, Runnable dropped) {
        Piece piece = new Piece(work, dropped);
        @Nullable Member started = null;
        lock.lock();
        try {
            if (shutdown) {
                return false;
            }
            @Nullable Member rested = resting.pollFirst();
            if (rested != null) {
                rested.take(piece);
            } else if (members.size() < threadsMax) {
                started = new Member(piece);
                members.add(started);
            } else {
                return enqueue(piece);
            }
        } finally {
            lock.unlock();
        }
        return started == null || start(started, piece);
    }

    private boolean start(Member member, Piece piece) {
        try {
            member.thread.start();
            return true;
        } catch (OutOfMemoryError e) { // the system has no more threads
            lock.lock();
            try {
                members.remove(member);
                if (members.isEmpty()) {
                    throw e;
                }
                @Nullable Member rested = resting.pollFirst(); // meanwhile
                if (rested == null) {
                    return enqueue(piece);
                }
                rested.take(piece);
                return true;
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean enqueue(Piece piece) {
        return waiting.size() < queueMax && waiting.add(piece);
    }

    /// Returns the current number of threads.
    public int threads() {
        lock.lock();
        try {
            return members.size();
        } finally {
            lock.unlock();
        }
    }

    /// Returns the number of pieces that wait for a thread.
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /// Stops accepting work. What waits still runs.
    public void shutdown() {
        lock.lock();
        try {
            shutdown = true;
            resting.forEach(Member::wake);
        } finally {
            lock.unlock();
        }
    }

    /// Stops accepting work, interrupts the work that runs and drops what waits.
    public void interrupt() {
        List<Member> running;
        List<Piece> dropped;
        lock.lock();
        try {
            interrupting = true;
            shutdown();
            running = new ArrayList<>(members);
            dropped = new ArrayList<>(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        // Without the lock, because an interrupt may wait for the system.
        running.forEach(member -> member.thread.interrupt());
        dropped.forEach(piece -> piece.dropped.run());
    }

    /// Returns whether [#interrupt] has been called.
    public boolean isInterrupted() {
        return interrupting;
    }

    /// Returns whether nothing runs and nothing will.
    public boolean hasEnded() {
        lock.lock();
        try {
            return shutdown && members.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private record Piece(Runnable work, Runnable dropped) {}

    /// A thread. It has a piece, or it rests.
    private final class Member implements Runnable {
        final Thread thread = threads.newThread(this);
        private final Condition given = lock.newCondition();
        private @Nullable Piece piece; // by lock

        Member(Piece first) {
            this.piece = first;
        }

        /// Gives a thread that rests its next piece. Called with the lock.
        void take(Piece next) {
            piece = next;
            given.signal();
        }

        /// Lets a thread that rests look for the end. Called with the lock.
        void wake() {
            given.signal();
        }

        @Override
        public void run() {
            try {
                for (Piece next = next(); next != null; next = next()) {
                    run(next.work);
                }
            } finally {
                leave(); // it has left already, unless memory ran out
            }
        }

        private static void run(Runnable work) {
            try {
                work.run();
            } catch (Throwable e) { // the thread continues
                report(e);
            }
        }

        /// Returns the next piece, for which it may wait.
        ///
        /// @return null if the thread has left the pool
        private @Nullable Piece next() {
            lock.lock();
            try {
                if (!interrupting) { // what the last piece left behind
                    boolean _ = Thread.interrupted();
                }
                @Nullable Piece next = taken();
                if (next == null && !shutdown) {
                    rest();
                    next = taken();
                }
                if (next == null) {
                    leave();
                }
                return next;
            } finally {
                lock.unlock();
            }
        }

        /// Returns the piece that this thread was given, or else the one that waits longest.
        private @Nullable Piece taken() {
            @Nullable Piece own = piece;
            piece = null;
            return own == null ? waiting.poll() : own;
        }

        private void rest() {
            resting.addFirst(this);
            long left = spareNanos;
            while (piece == null && !shutdown && left > 0) {
                try {
                    left = given.awaitNanos(left);
                } catch (InterruptedException e) {
                    // Either the pool ends, or it came from work that has ended.
                }
            }
        }

        private void leave() {
            lock.lock();
            try {
                resting.remove(this);
                members.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    /// Logs what a thread survived. The thread continues even if logging fails, such as for want of
    /// memory.
    private static void report(Throwable thrown) {
        try {
            LOG.log(ERROR, "Blocking work threw an exception", thrown);
        } catch (Throwable e) {
            // Nothing is left that could tell it.
        }
    }
}
