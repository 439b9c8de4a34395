package dev.serval.bench.run;

import dev.serval.bench.bare.BurnClock;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.JavaCommand;
import dev.serval.bench.peer.Programs;
import java.util.List;

/// Measures how long steps of [Burn][dev.serval.bench.war.Burn] take on the server's CPU.
public final class BurnTime {
    private static final long FIRST_STEPS = 1_000_000;

    private BurnTime() {}

    /// Returns the CPU time of this number of steps, in nanoseconds.
    public static long nanos(long steps, Cpus cpus) {
        List<String> command =
                JavaCommand.of(
                        List.of("-XX:+UseSerialGC"), JavaCommand.suite(BurnClock.class), steps);
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
