package dev.serval.policy;

import dev.serval.http.ProtocolError;
import dev.serval.metrics.EndedRequest;
import dev.serval.metrics.MountFigures;
import dev.serval.metrics.MountTotals;
import dev.serval.metrics.RequestTimes;
import dev.serval.metrics.SlowRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/// Holds the counters of a server, with and without labels. Each writing thread has its own column,
/// so that counting writes no shared cache line. Reading sums the columns. Any thread may read.
public final class Metrics {
    private static final int PADDING = 16; // longs: two cache lines
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int COUNTERS = Counter.values().length;
    private static final LabelledCounter[] LABELLED = LabelledCounter.values();

    @SuppressWarnings("EnumOrdinal") // a counter is its cells
    private static final int ROUTES = LabelledCounter.REQUESTS_BY_ROUTE.ordinal();

    private final List<Column> columns = new CopyOnWriteArrayList<>();
    private final AtomicLongArray others = new AtomicLongArray(COUNTERS);
    private final LabelValues[] values = new LabelValues[LABELLED.length];

    /// Creates metrics without columns.
    public Metrics() {
        for (int i = 0; i < values.length; i++) {
            values[i] = new LabelValues(LABELLED[i].valuesMax());
        }
    }

    /// Creates a column for one writing thread.
    public Column column() {
        Column column = new Column(values);
        columns.add(column);
        return column;
    }

    /// Adds one from any thread, for rare events. Allocates nothing.
    @SuppressWarnings("EnumOrdinal") // a counter is its cell
    public void count(Counter counter) {
        others.incrementAndGet(counter.ordinal());
    }

    /// Adds `n` from any thread, for rare events. Allocates nothing.
    @SuppressWarnings("EnumOrdinal") // a counter is its cell
    public void add(Counter counter, long n) {
        others.addAndGet(counter.ordinal(), n);
    }

    /// Returns the counter's sum over all columns. The columns are read one after the other while
    /// threads write. Sums taken together may therefore differ by the events in between.
    @SuppressWarnings("EnumOrdinal") // a counter is its cell
    public long sum(Counter counter) {
        long sum = others.get(counter.ordinal());
        for (Column column : columns) {
            sum += column.get(counter);
        }
        return sum;
    }

    /// Returns the counter's sums over all columns for each value of the label that was counted.
    /// The columns are read one after the other while threads write.
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

    /// Returns the requests that have ended, for each mount that was entered, sorted by its name, and
    /// as [LabelledCounter#OTHER] those outside all mounts and of mounts past the bound. The columns
    /// are read one after the other while threads write.
    public List<MountFigures> mounts() {
        List<MountFigures> mounts = new ArrayList<>();
        values[ROUTES].forEach((value, index) -> {
            MountFigures sum = MountFigures.none(value);
            for (Column column : columns) {
                sum = sum.plus(column.times.read(index, value));
            }
            mounts.add(sum);
        });
        mounts.sort(Comparator.comparing(MountFigures::mount));
        return mounts;
    }

    /// Returns the sum of the requests of all mounts but one, without their phases.
    ///
    /// @param except the name of that mount
    public MountFigures totals(String except) {
        MountTotals sum = new MountTotals();
        values[ROUTES].forEach((value, index) -> {
            if (!value.equals(except)) {
                for (Column column : columns) {
                    column.times.addTo(sum, index);
                }
            }
        });
        return sum.figures("all");
    }

    /// Returns the slowest requests of the last minutes, the slowest first. A group of pages has few of
    /// them, as [SlowRequest#slowest] says.
    ///
    /// @param most the number of requests at most
    /// @param except the name of a mount whose requests are left out
    public List<SlowRequest> slowest(int most, String except) {
        List<SlowRequest> all = new ArrayList<>();
        columns.forEach(column -> all.addAll(column.times.slow()));
        all.removeIf(one -> one.mount().equals(except));
        return SlowRequest.slowest(all, most);
    }

    /// Holds the counters of one thread. Only that thread writes it.
    @SuppressWarnings("EnumOrdinal") // a counter is its cell
    public static final class Column {
        private final LabelValues[] values;
        private final int[] starts = new int[LABELLED.length]; // of each labelled counter's cells
        private final long[] cells;
        private final RequestTimes times =
                new RequestTimes(LabelledCounter.REQUESTS_BY_ROUTE.valuesMax() + 1);

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

        /// Counts a request that enters a mount. Takes no lock and allocates nothing, unless the name is
        /// new to this server.
        ///
        /// @return the number of the mount, for [EndedRequest#mount]; 0 past the bound
        public int enter(String mount) {
            int index = values[ROUTES].index(mount);
            add(starts[ROUTES] + index, 1);
            return index;
        }

        /// Records a request that has ended.
        ///
        /// @param mount the name of the mount
        /// @param nowNanos the loop's clock
        public void ended(EndedRequest request, String mount, long nowNanos) {
            times.ended(request, mount, nowNanos);
        }

        /// Returns the times of the requests, which wait for the end of the loop's turns.
        public RequestTimes times() {
            return times;
        }

        /// Counts a refusal, and its reason in [LabelledCounter#REFUSALS].
        public void refuse(Counter reason) {
            count(reason);
            count(LabelledCounter.REFUSALS, reason.text());
        }

        /// Counts a protocol error, and its text in [LabelledCounter#REFUSALS].
        public void refuse(ProtocolError error) {
            count(Counter.PROTOCOL_ERRORS);
            count(LabelledCounter.REFUSALS, error.what());
        }

        /// Counts a response by the class of its status. Ignores 0.
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

        /// Returns this thread's count.
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
