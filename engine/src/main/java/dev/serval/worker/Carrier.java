package dev.serval.worker;

import dev.serval.loop.EventLoop;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A platform thread that owns one event loop after another. It gets a loop when the server starts,
/// or when the loop is preempted. Between two loops it is idle.
final class Carrier implements Runnable {
    private static final String SPARE = "serval-spare";

    private final Carriers carriers;
    private final Thread thread;
    private volatile @Nullable EventLoop assigned;
    private volatile boolean dismissed;
    private volatile int number; // the system's, 0 if it is unknown

    /// Creates the thread, without starting it.
    ///
    /// @param stackBytes the stack size, which limits how deep application code may call
    Carrier(Carriers carriers, long stackBytes) {
        this.carriers = carriers;
        this.thread =
                Thread.ofPlatform()
                        .name(SPARE)
                        .daemon() // a call that never returns must not keep the JVM
                        .inheritInheritableThreadLocals(false)
                        .stackSize(stackBytes)
                        .unstarted(this);
    }

    Thread thread() {
        return thread;
    }

    /// Returns the system's number of the thread, or 0 if it is unknown.
    int number() {
        return number;
    }

    /// Gives the thread a loop that has no owner. The thread sees all that was written to the loop
    /// before.
    void assign(EventLoop loop) {
        assigned = loop;
        LockSupport.unpark(thread);
    }

    /// Ends the thread when it is idle.
    void dismiss() {
        dismissed = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        try {
            number = ThreadActivity.currentNumber();
            for (@Nullable EventLoop loop = next(); loop != null; loop = next()) {
                name(loop.name());
                boolean ended = loop.runAsOwner();
                name(SPARE);
                carriers.standsBy(this, !ended);
                if (ended) { // last: awaitEnd then joins the idle threads
                    carriers.ended(loop);
                }
            }
        } catch (Throwable e) { // its loop has no owner now, or may get none later
            carriers.died(e);
        }
    }

    private void name(String name) {
        try {
            thread.setName(name);
        } catch (Throwable e) { // out of memory: the name only helps people
            carriers.unnamed(e);
        }
    }

    private @Nullable EventLoop next() {
        @Nullable EventLoop loop = assigned;
        while (loop == null && !dismissed) {
            LockSupport.park(this);
            loop = assigned;
        }
        assigned = null;
        return loop;
    }
}
