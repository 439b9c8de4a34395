package dev.serval.worker;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The thread of the pool that runs one job of a platform Worker, from [#enter] to [#leave]. After
/// that the thread belongs to other jobs, which an interrupt of this job must not reach.
///
/// ```
///   WAITING ── enter ──▶ ENTERED ── leave ──▶ LEFT
///   interrupt: kept      interrupt: done      interrupt: nothing
/// ```
/// A lock keeps [#leave] from returning during an interrupt. The loop must not take it, because an
/// interrupt may wait for application code or the system.
final class JobThread {
    private enum State {
        WAITING,
        ENTERED,
        LEFT
    }

    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.WAITING; // under the lock
    private boolean wanted; // an interrupt before the job began; under the lock
    private volatile @Nullable Thread thread; // written under the lock

    /// Marks that the calling thread runs the job from now on.
    void enter() {
        lock.lock();
        try {
            state = State.ENTERED;
            Thread own = Thread.currentThread();
            thread = own;
            if (wanted) {
                own.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Marks that the calling thread no longer runs the job, and clears its interrupt status.
    void leave() {
        lock.lock();
        try {
            state = State.LEFT;
            thread = null;
            boolean _ = Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

    /// Interrupts the job, or has [#enter] do so if the job has not begun. Any thread but a loop.
    void interrupt() {
        lock.lock();
        try {
            if (thread != null) { // changed under the lock
                thread.interrupt();
            } else {
                wanted = state == State.WAITING;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns the thread that runs the job now, or null. Takes no lock. Any thread.
    @Nullable Thread running() {
        return thread;
    }
}
