package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// An epoll instance: which descriptors are registered, and who gets their events. Level-triggered.
///
/// The system reuses the number of a closed descriptor at once, perhaps while an event of the old one
/// still waits for its dispatch. So each number has a generation, which its events carry, and an event
/// of an earlier generation is void.
///
/// Owned by the loop, but for [#wakeup].
final class EpollInstance {
    private static final int EVENTS = 512;

    /// The target of the events of a descriptor.
    sealed interface Registered permits EpollTransport, EpollListening, EpollConnecting, Watched {
        /// Handles the events of a poll.
        ///
        /// @param events a mask such as [Syscalls#EPOLLIN]
        void ready(int events);
    }

    /// A descriptor of another owner, who closes it.
    private record Watched(Runnable action) implements Registered {
        @Override
        public void ready(int events) {
            action.run();
        }
    }

    private final Syscalls calls;
    private final MemorySegment events;
    private final MemorySegment event;
    private final MemorySegment count; // of the wake-up descriptor, as it is read
    private final Syscalls wakeCalls; // guarded by the lock of wakeup
    private final MemorySegment one;
    private final int epoll;
    private final int wakeFd;
    private final int eventData; // the offset of the data, which end an epoll_event
    private @Nullable Registered[] registered = new @Nullable Registered[1024]; // by descriptor
    private int[] generations = new int[1024];
    private int reported; // the events of the last poll
    private int next; // the first of them that is not dispatched yet
    private long polls;
    private boolean closed;

    /// Opens an instance.
    ///
    /// @param arena holds its memory, and is closed after it
    /// @throws UncheckedIOException if no file descriptor is left
    EpollInstance(Arena arena, Syscalls calls) {
        this.calls = calls;
        this.events = arena.allocate((long) EVENTS * 16, 8);
        this.event = arena.allocate(16, 8);
        this.count = arena.allocate(8, 8);
        this.wakeCalls = new Syscalls(arena);
        this.one = arena.allocate(8, 8);
        one.set(JAVA_LONG_UNALIGNED, 0, 1);
        this.epoll = opened(calls.epollCreate());
        this.wakeFd = opened(calls.eventfd());
        this.eventData = eventsArePacked() ? 4 : 8;
    }

    /// Registers the wake-up descriptor, and uses it to detect the layout of struct epoll_event.
    /// Only on x86-64 is it packed, so that the data follow the mask without a gap.
    ///
    /// @return whether the struct is packed
    private boolean eventsArePacked() {
        event.set(JAVA_INT_UNALIGNED, 0, Syscalls.EPOLLIN);
        event.set(JAVA_INT_UNALIGNED, 4, wakeFd);
        event.set(JAVA_INT_UNALIGNED, 8, wakeFd);
        opened(calls.epollControl(epoll, Syscalls.EPOLL_CTL_ADD, wakeFd, event.address()));
        calls.write(wakeFd, one.address(), 8);
        opened(calls.epollWait(epoll, events.address(), 1, 0));
        calls.read(wakeFd, count.address(), 8);
        return events.get(JAVA_INT_UNALIGNED, 4) == wakeFd;
    }

    private static int opened(int result) {
        if (result < 0) {
            String why = Syscalls.text(result);
            throw new UncheckedIOException(
                    "epoll could not be opened: " + why, new IOException(why));
        }
        return result;
    }

    // Events

    /// Waits for events, unless some of the last poll are not dispatched yet.
    ///
    /// @param timeoutMillis -1 for no limit
    void poll(int timeoutMillis) {
        if (next < reported) {
            return; // the last dispatch had enough before the end
        }
        int n = calls.epollWait(epoll, events.address(), EVENTS, timeoutMillis);
        if (n == -Syscalls.EINTR) {
            // The process was stopped, perhaps for long. What came meanwhile counts before
            // deadlines.
            n = calls.epollWait(epoll, events.address(), EVENTS, 0);
        }
        if (n < 0 && n != -Syscalls.EINTR) {
            throw new IllegalStateException("epoll_wait: " + Syscalls.text(n));
        }
        reported = Math.max(0, n);
        next = 0;
        polls++;
    }

    /// Returns the number of polls.
    long polls() {
        return polls;
    }

    /// Passes the events of the last poll on, until `enough` says so. The rest is left for the next
    /// dispatch.
    void dispatch(BooleanSupplier enough) {
        while (next < reported && !enough.getAsBoolean()) {
            long at = eventAt(next++);
            int happened = events.get(JAVA_INT_UNALIGNED, at);
            long data = events.get(JAVA_LONG_UNALIGNED, at + eventData);
            int fd = (int) data;
            if (fd == wakeFd) {
                calls.read(wakeFd, count.address(), 8);
                continue;
            }
            @Nullable Registered target = registered[fd];
            if (target != null && generations[fd] == (int) (data >>> 32)) {
                target.ready(happened);
            }
        }
    }

    /// Returns whether the last poll has reported an event of a descriptor that is not dispatched
    /// yet.
    boolean isReported(int fd) {
        for (int i = next; i < reported; i++) {
            if ((int) events.get(JAVA_LONG_UNALIGNED, eventAt(i) + eventData) == fd) {
                return true;
            }
        }
        return false;
    }

    private long eventAt(int index) {
        return (long) index * (eventData + Long.BYTES);
    }

    /// Ends the wait of [#poll], or that of the next one. Any thread.
    synchronized void wakeup() {
        if (!closed) {
            wakeCalls.write(wakeFd, one.address(), 8);
        }
    }

    // Registrations

    /// Notes a descriptor that is not registered yet, so that [#close] closes it.
    void note(int fd, Registered target) {
        if (fd >= registered.length) {
            int length = Math.max(fd + 1, 2 * registered.length);
            registered = Arrays.copyOf(registered, length);
            generations = Arrays.copyOf(generations, length);
        }
        registered[fd] = target;
    }

    /// Registers `fd`, so that `target` receives the events in `interest`.
    void register(int fd, int interest, Registered target) {
        note(fd, target);
        control(Syscalls.EPOLL_CTL_ADD, fd, interest);
    }

    /// Runs `ready` while a descriptor of another owner is readable.
    void watch(int fd, Runnable ready) {
        register(fd, Syscalls.EPOLLIN, new Watched(ready));
    }

    /// Changes the events that the target of a registered descriptor receives.
    void change(int fd, int interest) {
        control(Syscalls.EPOLL_CTL_MOD, fd, interest);
    }

    /// Passes the events of a registered descriptor to another target.
    void retarget(int fd, Registered target) {
        registered[fd] = target;
    }

    /// Ends the reports of a descriptor that stays open and keeps its target.
    void suspend(int fd) {
        control(Syscalls.EPOLL_CTL_DEL, fd, 0);
    }

    /// Ends the registration of a descriptor that stays open.
    void unregister(int fd) {
        registered[fd] = null;
        control(Syscalls.EPOLL_CTL_DEL, fd, 0);
    }

    /// Ends the registration of a descriptor that leaves for another instance. Events that were
    /// already reported become void, because that instance may close the descriptor at any time.
    void leave(int fd) {
        generations[fd]++;
        unregister(fd);
    }

    /// Closes a descriptor. The system drops its registration, and already reported events become
    /// void.
    void closeFd(int fd) {
        if (fd < registered.length) {
            registered[fd] = null;
            generations[fd]++;
        }
        calls.close(fd);
    }

    private void control(int operation, int fd, int interest) {
        event.set(JAVA_INT_UNALIGNED, 0, interest);
        long generation = fd < generations.length ? generations[fd] : 0;
        event.set(JAVA_LONG_UNALIGNED, eventData, generation << 32 | fd);
        int result = calls.epollControl(epoll, operation, fd, event.address());
        if (result < 0) {
            throw new IllegalStateException("epoll_ctl: " + Syscalls.text(result));
        }
    }

    /// Closes the instance, and every descriptor that was noted or registered, except for watched
    /// ones.
    void close() {
        for (int fd = 0; fd < registered.length; fd++) {
            if (registered[fd] != null && !(registered[fd] instanceof Watched)) {
                calls.close(fd);
            }
        }
        synchronized (this) {
            closed = true;
            calls.close(wakeFd);
            calls.close(epoll);
        }
    }
}
