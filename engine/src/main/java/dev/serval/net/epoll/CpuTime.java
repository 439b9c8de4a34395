package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.serval.loop.ThreadClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Asks Linux how long a thread has computed: its clock of `clock_gettime`, whose number follows
/// from the thread's (`pthread_getcpuclockid`). Unlike the figures in `/proc`, this time includes
/// what a running thread has computed since the last tick of the system.
final class CpuTime implements ThreadClock {
    private static final int TIME_BYTES = 16; // struct timespec: seconds, nanoseconds
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int OF_THREAD = 4; // CPUCLOCK_PERTHREAD_MASK
    private static final int SCHEDULED = 2; // CPUCLOCK_SCHED: in nanoseconds

    private final Arena arena = Arena.ofAuto();
    private final Syscalls calls = new Syscalls(arena);
    private final MemorySegment time = arena.allocate(TIME_BYTES, Long.BYTES);

    @Override
    public long nanos(int thread) {
        int clock = ~thread << 3 | OF_THREAD | SCHEDULED;
        if (calls.clockTime(clock, time.address()) < 0) {
            return UNKNOWN;
        }
        return time.get(JAVA_LONG, 0) * SECOND_NANOS + time.get(JAVA_LONG, Long.BYTES);
    }
}
