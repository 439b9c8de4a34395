package dev.serval.policy;

import dev.serval.http.ProtocolError;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/// The counters of a server, with a label or without: a column for each writing thread, summed when
/// they are read, so that counting shares no cache line that is written. Any thread may read.
public final class Metrics {
    private static final int PADDING = 16; // longs: two cache lines
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int COUNTERS = Counter.values().length;
    private static final LabelledCounter[] LABELLED = LabelledCounter.values();

    private final List<Column> columns = new CopyOnWriteArrayList<>();
    private final AtomicLongArray others = new AtomicLongArray(COUNTERS);
    private final LabelValues[] values = new LabelValues[LABELLED.length];

    /// No columns yet.
    public Metrics() {
        for (int i = 0; i < values.length; i++) {
            values[i] = new LabelValues(LABELLED[i].valuesMax());
        }
    }

    /// A new column for one writing thread.
    public Column column() {
        Column column = new Column(values);
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

    /// The counter's sums over all columns, by the label's values; those that were counted. As with
    /// the other sums, columns are read one after the other.
    @SuppressWarnings("EnumOrdinal") // a counter is its cells
    public SortedMap<String, Long> sums(LabelledCounter counter) {
        SortedMap<String, Long> sums = new TreeMap<>();
        values[counter.ordinal()].forEach((value, index) -> {
            long sum = 0;
            for (Column column : columns) {
                sum += column.get(counter, index);
            }
            if (sum > 0) {
                sums.put(value, sum);
            }
        });
        return Collections.unmodifiableSortedMap(sums);
    }

    /// One thread's counters. Written by that thread only.
    @SuppressWarnings("EnumOrdinal") // a counter is its cell
    public static final class Column {
        private final LabelValues[] values;
        private final int[] starts = new int[LABELLED.length]; // of each labelled counter's cells
        private final long[] cells;

        private Column(LabelValues[] values) {
            this.values = values;
            int end = PADDING + COUNTERS;
            for (int i = 0; i < starts.length; i++) {
                starts[i] = end;
                end += LABELLED[i].valuesMax() + 1; // and OTHER
            }
            this.cells = new long[end + PADDING];
        }

        /// Adds one.
        public void count(Counter counter) {
            add(counter, 1);
        }

        /// Adds `n`.
        public void add(Counter counter, long n) {
            add(PADDING + counter.ordinal(), n);
        }

        /// Adds one for a value of the counter's label. Takes no lock and allocates nothing, unless
        /// the value is new to this server.
        public void count(LabelledCounter counter, String value) {
            int family = counter.ordinal();
            add(starts[family] + values[family].index(value), 1);
        }

        /// Counts a refusal by itself and as a reason.
        public void refuse(Counter reason) {
            count(reason);
            count(LabelledCounter.REFUSALS, reason.text());
        }

        /// Counts what broke the protocol, by itself and as a reason.
        public void refuse(ProtocolError error) {
            count(Counter.PROTOCOL_ERRORS);
            count(LabelledCounter.REFUSALS, error.what());
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

        private long get(LabelledCounter counter, int index) {
            return (long) CELL.getOpaque(cells, starts[counter.ordinal()] + index);
        }

        private void add(int cell, long n) {
            CELL.setOpaque(cells, cell, cells[cell] + n);
        }
    }
}
