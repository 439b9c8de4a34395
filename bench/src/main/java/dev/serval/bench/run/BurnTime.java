package dev.serval.bench.run;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.JavaCommand;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.war.Burn;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;

/// Measures how long [Burn] takes on the server's CPU. It is also a program, since the suite runs
/// on another CPU. Its argument is a number of steps, and it prints their CPU time in nanoseconds.
public final class BurnTime {
    private static final long FIRST_STEPS = 1_000_000;
    private static final int WARM_UP_ROUNDS = 30;
    private static final long MEASURED_NANOS = 500_000_000;
    private static final int ROUNDS_MIN = 5;

    private BurnTime() {}

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

    /// Returns the CPU time of this number of steps, in nanoseconds.
    public static long nanos(long steps, Cpus cpus) {
        List<String> command =
                JavaCommand.of(
                        List.of("-XX:+UseSerialGC"), JavaCommand.suite(BurnTime.class), steps);
        String output = Programs.output(cpus.onServer(command)).trim();
        if (!output.matches("[1-9]\\d{0,17}")) {
            throw new BenchFailure("the program that burns CPU time printed: " + output);
        }
        return Long.parseLong(output);
    }

    /// Returns the number of steps that take this CPU time.
    public static long steps(long nanos, Cpus cpus) {
        long first = Math.max(1, FIRST_STEPS * nanos / nanos(FIRST_STEPS, cpus));
        return Math.max(1, Math.round((double) first * nanos / nanos(first, cpus)));
    }
}
