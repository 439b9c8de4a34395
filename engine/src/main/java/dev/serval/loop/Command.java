package dev.serval.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Something a loop is asked to do by another thread; made once and used again. While it is queued,
/// submitting it again changes nothing.
public final class Command {
    private static final VarHandle QUEUED = queuedHandle();

    final Runnable action;
    @Nullable Command next;

    @SuppressWarnings("UnusedVariable") // by QUEUED alone
    private boolean queued;

    /// Not queued at first.
    ///
    /// @param action runs on the loop
    public Command(Runnable action) {
        this.action = action;
    }

    boolean claim() {
        return QUEUED.compareAndSet(this, false, true);
    }

    /// From here on it may be submitted again; what was written before that is seen by the action.
    void run() {
        QUEUED.setVolatile(this, false);
        action.run();
    }

    private static VarHandle queuedHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Command.class, "queued", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
