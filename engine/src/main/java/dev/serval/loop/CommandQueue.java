package dev.serval.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Commands from many threads to one loop: a stack that the loop takes whole and turns round.
///
/// A producer wakes the loop only if it sleeps. That no wake-up is lost stands on two pairs of
/// volatile accesses: the producer writes `head`, then reads `sleeping`; the loop writes `sleeping`,
/// then reads `head`. Head and flag lie in the middle of arrays, so that what producers write shares
/// no cache line with anything else.
final class CommandQueue {
    private static final int MIDDLE = 32;
    private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(Command[].class);
    private static final VarHandle SLEEPING = MethodHandles.arrayElementVarHandle(int[].class);

    private final @Nullable Command[] head = new @Nullable Command[2 * MIDDLE];
    private final int[] sleeping = new int[2 * MIDDLE];

    /// Adds a command. Any thread.
    ///
    /// @return whether the loop must be woken, which is now the caller's duty
    boolean offer(Command command) {
        if (!command.claim()) {
            return false;
        }
        @Nullable Command last;
        do {
            last = (Command) HEAD.getVolatile(head, MIDDLE);
            command.next = last;
        } while (!HEAD.compareAndSet(head, MIDDLE, last, command));
        return (int) SLEEPING.getVolatile(sleeping, MIDDLE) == 1
                && SLEEPING.compareAndSet(sleeping, MIDDLE, 1, 0);
    }

    /// Says that the loop is about to sleep.
    ///
    /// @return whether it may: nothing is queued
    boolean sleep() {
        SLEEPING.setVolatile(sleeping, MIDDLE, 1);
        return HEAD.getVolatile(head, MIDDLE) == null;
    }

    /// Says that the loop is awake.
    void awake() {
        SLEEPING.setOpaque(sleeping, MIDDLE, 0);
    }

    /// Whether [#sleep] was called last. Any thread.
    boolean isAsleep() {
        return (int) SLEEPING.getOpaque(sleeping, MIDDLE) == 1;
    }

    /// Takes all commands, oldest first, linked by `next`; null where there are none.
    @Nullable Command takeAll() {
        if (HEAD.getOpaque(head, MIDDLE) == null) {
            return null;
        }
        @Nullable Command rest = (Command) HEAD.getAndSet(head, MIDDLE, null);
        @Nullable Command first = null;
        while (rest != null) {
            Command one = rest;
            rest = one.next;
            one.next = first;
            first = one;
        }
        return first;
    }
}
