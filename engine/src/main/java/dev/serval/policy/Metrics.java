package dev.serval.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/// The counters of a server: a column for each writing thread, summed when somebody reads, so that
/// counting shares no cache line. Any thread may read.
public final class Metrics {
    private static final int PADDING = 16; // longs: two cache lines
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int COUNTERS = Counter.values().length;

    private final List<Column> columns = new CopyOnWriteArrayList<>();
    private final AtomicLongArray others = new AtomicLongArray(COUNTERS);

    /// A new column for one writing thread.
    public Column column() {
        Column column = new Column();
        columns.add(column);
        return column;
    }

    /// Adds one, from any thread: for what is rare. Allocates nothing.
    @SuppressWarnings("EnumOrdinal") // a counter is its cell
    public void count(Counter counter) {
        others.incrementAndGet(counter.ordinal());
    }

    /// The counter's sum over all columns. Columns are read one after the other while writing goes
    /// on, so sums taken together may differ by what happened in between.
    @SuppressWarnings("EnumOrdinal") // as above
    public long sum(Counter counter) {
        long sum = others.get(counter.ordinal());
        for (Column column : columns) {
            sum += column.get(counter);
        }
        return sum;
    }

    /// One thread's counters. Written by that thread only.
    @SuppressWarnings("EnumOrdinal") // a counter is its cell
    public static final class Column {
        private final long[] cells = new long[PADDING + COUNTERS + PADDING];

        private Column() {}

        /// Adds one.
        public void count(Counter counter) {
            add(counter, 1);
        }

        /// Adds `n`.
        public void add(Counter counter, long n) {
            int cell = PADDING + counter.ordinal();
            CELL.setOpaque(cells, cell, cells[cell] + n);
        }

        /// Counts a response by the class of its status; none for 0.
        public void countResponse(int status) {
            switch (status / 100) {
                case 1 -> count(Counter.RESPONSES_1XX);
                case 2 -> count(Counter.RESPONSES_2XX);
                case 3 -> count(Counter.RESPONSES_3XX);
                case 4 -> count(Counter.RESPONSES_4XX);
                case 5 -> count(Counter.RESPONSES_5XX);
                default -> {}
            }
        }

        /// This thread's count.
        public long get(Counter counter) {
            return (long) CELL.getOpaque(cells, PADDING + counter.ordinal());
        }
    }
}
