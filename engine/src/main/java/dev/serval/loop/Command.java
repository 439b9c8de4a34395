package dev.serval.loop;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Something a loop is asked to do by another thread; made once and used again. While it is queued,
/// submitting it again changes nothing.
public final class Command {
    final Runnable action;
    @Nullable Command next;
    private final AtomicBoolean queued = new AtomicBoolean();

    /// Not queued at first.
    ///
    /// @param action runs on the loop
    public Command(Runnable action) {
        this.action = action;
    }

    boolean claim() {
        return queued.compareAndSet(false, true);
    }

    /// From here on it may be submitted again; what was written before that is seen by the action.
    void run() {
        queued.set(false);
        action.run();
    }
}
