package dev.serval.bench.bare;

import dev.serval.bench.war.Burn;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/// Prints how long [Burn] takes on its CPU. The argument is a number of steps, and it prints their CPU
/// time in nanoseconds.
public final class BurnClock {
    private static final long FIRST_STEPS = 1_000_000;
    private static final int WARM_UP_ROUNDS = 30;
    private static final long MEASURED_NANOS = 500_000_000;
    private static final int ROUNDS_MIN = 5;

    private BurnClock() {}

    /// Prints the median CPU time of several rounds.
    public static void main(String[] arguments) {
        long steps = Long.parseLong(arguments[0]);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long used = 0;
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            used += Burn.steps(FIRST_STEPS / WARM_UP_ROUNDS);
        }
        long before = threads.getCurrentThreadCpuTime();
        used += Burn.steps(steps);
        long once = Math.max(1, threads.getCurrentThreadCpuTime() - before);
        long[] nanos = new long[(int) Math.max(ROUNDS_MIN, MEASURED_NANOS / once)];
        for (int round = 0; round < nanos.length; round++) {
            long start = threads.getCurrentThreadCpuTime();
            used += Burn.steps(steps);
            nanos[round] = threads.getCurrentThreadCpuTime() - start;
        }
        Arrays.sort(nanos);
        System.out.println(used == 0 ? 0 : nanos[nanos.length / 2]);
    }
}
