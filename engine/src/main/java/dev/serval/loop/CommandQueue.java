package dev.serval.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Commands from many threads to one loop: a stack that the loop takes whole and reverses.
///
/// A producer wakes the loop only if the loop sleeps. Two pairs of volatile accesses ensure that no
/// wake-up is lost. The producer writes `head`, then reads `sleeping`. The loop writes `sleeping`,
/// then reads `head`. Both lie in the middle of arrays, so that they share no cache line with
/// anything else.
final class CommandQueue {
    private static final int MIDDLE = 32;
    private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(Command[].class);
    private static final VarHandle SLEEPING = MethodHandles.arrayElementVarHandle(int[].class);

    private final @Nullable Command[] head = new @Nullable Command[2 * MIDDLE];
    private final int[] sleeping = new int[2 * MIDDLE];

    /// Adds a command. Any thread.
    ///
    /// @return whether the caller must wake the loop
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

    /// Marks that the loop is about to sleep.
    ///
    /// @return whether it may sleep, because nothing is queued
    boolean sleep() {
        SLEEPING.setVolatile(sleeping, MIDDLE, 1);
        return HEAD.getVolatile(head, MIDDLE) == null;
    }

    /// Marks that the loop is awake.
    void awake() {
        SLEEPING.setOpaque(sleeping, MIDDLE, 0);
    }

    /// Returns whether the loop sleeps or is about to. Any thread.
    boolean isAsleep() {
        return (int) SLEEPING.getOpaque(sleeping, MIDDLE) == 1;
    }

    /// Takes all commands, oldest first, linked by `next`; null if there are none.
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
