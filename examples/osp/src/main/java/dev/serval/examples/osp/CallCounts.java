package dev.serval.examples.osp;

import dev.serval.examples.osp.message.Component;
import dev.serval.examples.osp.message.ComponentKind;
import dev.serval.examples.osp.message.OspMessage;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// Counts messages and components, keeps the messages of each of the last 60 seconds, and logs the
/// calls of each minute. A *call* is one AuthorizationRequest. Safe for several threads.
final class CallCounts implements AutoCloseable {
    /// The seconds that [#perSecond] shows.
    static final int SECONDS = 60;

    private static final System.Logger LOG = System.getLogger(CallCounts.class.getName());

    private final LongAdder messages = new LongAdder();
    private final Map<ComponentKind, LongAdder> components = new EnumMap<>(ComponentKind.class);
    private final LongSupplier recordsWritten;
    private final ScheduledExecutorService ticker;
    private final long[] perSecond = new long[SECONDS];
    private int ticks;
    private long messagesAtTick;
    private Totals atMinute = new Totals(0, 0, 0, 0);

    /// The counts since the start.
    ///
    /// @param components of all kinds
    record Totals(long messages, long calls, long components, long written) {}

    /// Creates counters that begin with [#start].
    ///
    /// @param recordsWritten returns the number of records stored
    CallCounts(LongSupplier recordsWritten) {
        this.recordsWritten = recordsWritten;
        for (ComponentKind kind : ComponentKind.values()) {
            components.put(kind, new LongAdder());
        }
        ticker =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("osp-counts").factory());
    }

    /// Starts to sample once a second.
    void start() {
        var _ = ticker.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    void count(OspMessage message) {
        messages.increment();
        for (Component component : message.components()) {
            count(component.kind()).increment();
        }
    }

    private LongAdder count(ComponentKind kind) {
        LongAdder adder = components.get(kind);
        if (adder == null) {
            throw new IllegalStateException(kind.name());
        }
        return adder;
    }

    /// Returns the number of components of a kind since the start.
    long of(ComponentKind kind) {
        return count(kind).sum();
    }

    Totals totals() {
        long all = 0;
        for (LongAdder each : components.values()) {
            all += each.sum();
        }
        return new Totals(
                messages.sum(),
                of(ComponentKind.AUTHORIZATION_REQUEST),
                all,
                recordsWritten.getAsLong());
    }

    /// Returns the messages of the last seconds, oldest first.
    synchronized long[] perSecond() {
        long[] ordered = new long[SECONDS];
        for (int i = 0; i < SECONDS; i++) {
            ordered[i] = perSecond[(ticks + i) % SECONDS];
        }
        return ordered;
    }

    /// Ends a second. Called by the ticker.
    synchronized void tick() {
        long now = messages.sum();
        perSecond[ticks % SECONDS] = now - messagesAtTick;
        messagesAtTick = now;
        ticks++;
        if (ticks % SECONDS == 0) {
            Totals totals = totals();
            if (totals.messages > atMinute.messages) {
                LOG.log(System.Logger.Level.INFO, line(atMinute, totals));
            }
            atMinute = totals;
        }
    }

    /// Returns the line of the log for the time between two counts.
    static String line(Totals from, Totals to) {
        return "calls per minute: "
                + (to.calls - from.calls)
                + ", messages: "
                + (to.messages - from.messages)
                + ", components: "
                + (to.components - from.components)
                + ", records: "
                + (to.written - from.written);
    }

    @Override
    public void close() {
        ticker.shutdownNow();
    }
}
