package dev.serval.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// An action that other threads submit to a loop. A command is created once and used many times.
/// Submitting it while it is queued has no effect.
public final class Command {
    private static final VarHandle QUEUED = queuedHandle();

    final Runnable action;
    @Nullable Command next;

    @SuppressWarnings("UnusedVariable") // used by QUEUED
    private boolean queued;

    /// Creates a command that is not queued.
    ///
    /// @param action runs on the loop
    public Command(Runnable action) {
        this.action = action;
    }

    /// Claims the command for the queue; false if it is queued already. Both this method and [#run]
    /// write and read the flag in one step. So an action that is still to run sees what the failed
    /// claimant wrote.
    boolean claim() {
        return !(boolean) QUEUED.getAndSet(this, true);
    }

    /// Returns whether the command waits in a queue. Any thread.
    public boolean isQueued() {
        return (boolean) QUEUED.getVolatile(this);
    }

    /// Runs the action. The command can be submitted again from here on. The action sees all that
    /// was written before any earlier submit.
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
