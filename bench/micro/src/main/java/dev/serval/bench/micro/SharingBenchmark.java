package dev.serval.bench.micro;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Measures two threads that count as `Metrics` does, each in a cell of its own. The padding of
/// `Metrics`, `CommandQueue` and `LogRing` must justify itself by the distance of the cells.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Group)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class SharingBenchmark {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int MIDDLE = 64;

    /// The distance in longs.
    @Param({"1", "3", "16"})
    public int distance;

    private final long[] cells = new long[2 * MIDDLE];

    /// Counts.
    @Benchmark
    @Group("sharing")
    public void one() {
        count(MIDDLE);
    }

    /// Counts in the other cell.
    @Benchmark
    @Group("sharing")
    public void other() {
        count(MIDDLE + distance);
    }

    private void count(int cell) {
        CELL.setOpaque(cells, cell, cells[cell] + 1);
    }
}
