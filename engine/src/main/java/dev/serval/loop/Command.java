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

    /// Whoever finds it queued already must be seen as well by the action that is to come: so each
    /// writes, and each reads what the other wrote.
    boolean claim() {
        return !(boolean) QUEUED.getAndSet(this, true);
    }

    /// From here on it may be submitted again; what was written before any submit so far is seen by
    /// the action.
    void run() {
        boolean _ = (boolean) QUEUED.getAndSet(this, false);
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
