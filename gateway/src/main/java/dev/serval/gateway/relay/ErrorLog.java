package dev.serval.gateway.relay;

import static java.lang.System.Logger.Level.WARNING;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Writes what applications print to STDERR to the log. Loops hand it over and never wait; a
/// virtual thread logs it. Any thread.
public final class ErrorLog {
    /// The most texts that wait; further ones are counted and dropped.
    static final int WAITING_MAX = 256;

    private static final System.Logger LOG = System.getLogger(ErrorLog.class.getName());

    private final Supplier<String> name;
    private final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicBoolean writing = new AtomicBoolean();

    /// Creates the log of a mount.
    ///
    /// @param name of the mount, for people; it may change
    public ErrorLog(Supplier<String> name) {
        this.name = name;
    }

    /// Logs a text soon. Its control characters are escaped already.
    public void add(String text) {
        if (waiting.incrementAndGet() > WAITING_MAX) {
            waiting.decrementAndGet();
            dropped.incrementAndGet();
            return;
        }
        queue.add(text);
        if (writing.compareAndSet(false, true)) {
            try {
                Thread.ofVirtual().name("serval-stderr").start(this::write);
            } catch (RuntimeException | Error e) { // no memory: the next text tries again
                writing.set(false);
            }
        }
    }

    private void write() {
        do {
            try {
                writeWaiting();
            } catch (Throwable e) { // such as no memory: what came later is still logged
                dropped.incrementAndGet();
            }
            writing.set(false);
        } while (!queue.isEmpty() && writing.compareAndSet(false, true));
    }

    private void writeWaiting() {
        for (@Nullable String text = queue.poll(); text != null; text = queue.poll()) {
            waiting.decrementAndGet();
            LOG.log(WARNING, name.get() + ": " + text);
        }
        int lost = dropped.getAndSet(0);
        if (lost > 0) {
            LOG.log(WARNING, name.get() + ": " + lost + " more messages were not logged");
        }
    }
}
