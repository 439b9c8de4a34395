package dev.serval.lrwp.peer;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What happens to the connections of a peer: counts, the latest problem, and the log. Safe for
/// several threads.
///
/// A problem is logged when it is new, and again at most once a minute, because all connections
/// usually have the same one.
final class PeerEvents {
    private static final System.Logger LOG = System.getLogger(LrwpPeer.class.getName());
    private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String agent;
    private final int wanted;
    private final LongSupplier nanoTime;
    private final CountDownLatch leaving = new CountDownLatch(1);
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder served = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private @Nullable String problem;
    private boolean problemIsRefusal;
    private long loggedNanos;

    PeerEvents(String agent, int wanted, LongSupplier nanoTime) {
        this.agent = agent;
        this.wanted = wanted;
        this.nanoTime = nanoTime;
    }

    CountDownLatch leaving() {
        return leaving;
    }

    boolean isLeaving() {
        return leaving.getCount() == 0;
    }

    int open() {
        return open.get();
    }

    boolean isComplete() {
        return open.get() == wanted;
    }

    long servedCount() {
        return served.sum();
    }

    long failedCount() {
        return failed.sum();
    }

    long refusedCount() {
        return refusals.sum();
    }

    void served() {
        served.increment();
    }

    void failed() {
        failed.increment();
    }

    void registered(Registration registration) {
        if (open.incrementAndGet() == wanted) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "Connected to the agent at {0} with {1} connections, last as {2}",
                    agent,
                    wanted,
                    registration.name());
        }
        synchronized (this) {
            problem = null;
            notifyAll();
        }
    }

    void closed() {
        open.decrementAndGet();
    }

    void refused(Registration registration, String text) {
        refusals.increment();
        problem(
                "The agent at "
                        + agent
                        + " refused "
                        + registration.name()
                        + ": "
                        + text
                        + "; the next attempt is made after a pause",
                true);
    }

    /// Reports a connection that could not be made or was lost.
    ///
    /// @param wasUsed whether it had served requests, so that its end is ordinary
    void lost(Registration registration, String text, boolean wasUsed) {
        problem(
                "No connection to the agent at "
                        + agent
                        + " for "
                        + registration.name()
                        + ": "
                        + text
                        + (wasUsed
                                ? "; connecting again"
                                : "; the next attempt is made after a pause"),
                false);
    }

    private void problem(String text, boolean refusal) {
        boolean log;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            log = !text.equals(problem) || now - loggedNanos > AGAIN_NANOS;
            problem = text;
            problemIsRefusal = refusal;
            if (log) {
                loggedNanos = now;
            }
            notifyAll();
        }
        if (log && !isLeaving()) {
            LOG.log(System.Logger.Level.WARNING, text);
        }
    }

    /// Returns the latest problem, or null after a successful registration.
    synchronized @Nullable String problem() {
        return problem;
    }

    /// Waits until all connections are registered.
    ///
    /// @return false if the time is over
    /// @throws LrwpRefusedException if the agent refuses a registration
    boolean await(long nanos) throws InterruptedException, LrwpRefusedException {
        long end = System.nanoTime() + nanos;
        synchronized (this) {
            while (!isComplete()) {
                String text = problem;
                if (text != null && problemIsRefusal) {
                    throw new LrwpRefusedException(text);
                }
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        return true;
    }
}
