package dev.serval.worker;

import dev.serval.loop.EventLoop;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A platform thread that owns one loop after the other: the first from the server's start, or one
/// that was taken from application code that kept it. Between two loops it stands by.
final class Carrier implements Runnable {
    private static final String SPARE = "serval-spare";

    private final Carriers carriers;
    private final Thread thread;
    private volatile @Nullable EventLoop assigned;
    private volatile boolean dismissed;

    /// Not started yet.
    ///
    /// @param stackBytes how deep application code may call
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

    /// Hands it a loop that nobody owns. What was written to the loop before is seen by its thread.
    void assign(EventLoop loop) {
        assigned = loop;
        LockSupport.unpark(thread);
    }

    /// Ends it, once it stands by.
    void dismiss() {
        dismissed = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        try {
            for (@Nullable EventLoop loop = next(); loop != null; loop = next()) {
                name(loop.name());
                boolean ended = loop.runAsOwner();
                name(SPARE);
                carriers.standsBy(this, !ended);
                if (ended) { // last: whoever waits for it then waits for all that stand by
                    carriers.ended(loop);
                }
            }
        } catch (Throwable e) { // its loop has no owner any more, or may lack one soon
            carriers.died(e);
        }
    }

    private void name(String name) {
        try {
            thread.setName(name);
        } catch (Throwable e) { // memory is short: only people look at it
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
