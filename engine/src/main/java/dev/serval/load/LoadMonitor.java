package dev.serval.load;

import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.policy.LoadRow;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Decides which [LoadMode] a server is in. The signal is the larger of two: the standing delay of
/// requests until their Worker begins, and the open connections as a part of their limit.
///
/// ```
///            the signal reaches a higher mode: at once, but
///            a delay must have lasted for 1 s to be CRITICAL
///   LIGHT ──▶ NORMAL ──▶ HEAVY ──▶ CRITICAL
///     ◀──────────────────────────────┘
///            for 0.5 s the signal was far below the mode, and CRITICAL refused nothing
/// ```
///
/// The connections alone make a mode, too, which decides what concerns connections: how long they may
/// be idle, and whether they stay open after an answer. A client whose connection was closed opens
/// another, which costs more than a request, so that fewer connections would not shorten a delay.
///
/// Loops look at the signal as requests and connections arrive, each 100 ms at most. One thread at a
/// time does so, and the others do not wait for it. Nothing looks while nothing arrives, so a reader
/// of the mode looks, too. Any thread.
public final class LoadMonitor {
    /// The least time between two looks.
    static final long LOOK_NANOS = 100_000_000;

    /// How long a delay lasts until it is critical. A burst at a server that has just started is not.
    static final long LASTING_NANOS = 1_000_000_000;

    /// How long the load is lower until the mode is.
    static final long FALL_NANOS = 500_000_000;

    private static final int DELAY_MARGIN = 2; // a mode ends below half of its delay
    private static final int PERCENT_MARGIN = 5;
    private static final long NO_DELAY = -1; // less than that of any mode

    /// Measures one queue of requests.
    @FunctionalInterface
    public interface Delay {
        /// Returns the delay that every request has had since the last call. One thread at a time.
        long standingNanos(long nowNanos);
    }

    private final Supplier<Limits.Loads> settings;
    private final IntSupplier connectionsPercent;
    private final List<Delay> delays = new CopyOnWriteArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicInteger changes = new AtomicInteger();
    private final Level load = new Level();
    private final Level crowd = new Level(); // of the connections alone
    private volatile @Nullable LoadMode override;
    private volatile long nextNanos = Long.MIN_VALUE;
    private volatile long refusedNanos = Long.MIN_VALUE / 2;
    private volatile long delayNanos;
    private volatile int percent;
    private long briefNanos =
            Long.MIN_VALUE; // the last look that found no critical delay; by the thread that looks

    /// Creates a monitor in [LoadMode#LIGHT].
    ///
    /// @param settings returns when each mode begins
    /// @param connectionsPercent returns the open connections in percent of their limit
    public LoadMonitor(Supplier<Limits.Loads> settings, IntSupplier connectionsPercent) {
        this.settings = settings;
        this.connectionsPercent = connectionsPercent;
    }

    /// Adds a queue of requests.
    public void add(Delay delay) {
        delays.add(delay);
    }

    /// Has `action` called after each change of the mode, by the thread that looked. It must not
    /// wait.
    void onChange(Runnable action) {
        listeners.add(action);
    }

    /// Returns the mode in force: the one that is forced, or that of the load.
    public LoadMode mode() {
        @Nullable LoadMode forced = settings.get().forced();
        return forced == null ? observed() : forced;
    }

    /// Returns the mode that [#force] has set, or that of the load.
    public LoadMode observed() {
        @Nullable LoadMode fixed = override;
        return fixed == null ? load.mode : fixed;
    }

    /// Returns the mode that [#force] has set, or that of the connections alone.
    public LoadMode ofConnections() {
        @Nullable LoadMode fixed = override;
        return fixed == null ? crowd.mode : fixed;
    }

    /// Sets the mode that is in force whatever the load is; null for that of the load.
    public void force(@Nullable LoadMode fixed) {
        override = fixed;
        settingsChanged();
    }

    /// Returns whether the mode is in force whatever the load is.
    public boolean isForced() {
        return override != null || settings.get().forced() != null;
    }

    /// Returns the standing delay that the last look found.
    public long delayNanos() {
        return delayNanos;
    }

    /// Returns the open connections in percent of their limit, as the last look found.
    public int connectionsPercent() {
        return percent;
    }

    /// Returns whether so many connections are open at this moment that the mode of the row begins.
    public boolean isBegunBy(LoadRow row) {
        return connectionsPercent.getAsInt() >= row.connectionsPercent();
    }

    /// Returns whether so many connections are open at this moment that the mode of the row would last.
    public boolean isKeptBy(LoadRow row) {
        return connectionsPercent.getAsInt() + PERCENT_MARGIN >= row.connectionsPercent();
    }

    /// Returns how often the mode has changed.
    public int changes() {
        return changes.get();
    }

    /// Tells the loops that other settings apply, as if the mode had changed.
    public void settingsChanged() {
        listeners.forEach(Runnable::run);
    }

    /// Notes that a request was refused because of the load.
    void refused(long nowNanos) {
        refusedNanos = nowNanos;
    }

    /// Returns when each mode begins.
    Limits.Loads settings() {
        return settings.get();
    }

    /// Looks at the load, unless another thread does, or has done so just before.
    ///
    /// @param nowNanos the monotonic clock
    public void look(long nowNanos) {
        long next = nextNanos;
        boolean due = next == Long.MIN_VALUE || nowNanos - next >= 0;
        if (!due || !looking.compareAndSet(false, true)) {
            return;
        }
        boolean changed;
        try {
            nextNanos = nowNanos + LOOK_NANOS;
            changed = decide(nowNanos);
        } finally {
            looking.set(false);
        }
        if (changed) {
            for (Runnable each : listeners) {
                each.run();
            }
        }
    }

    private boolean decide(long nowNanos) {
        long delay = 0;
        for (Delay each : delays) {
            delay = Math.max(delay, each.standingNanos(nowNanos));
        }
        int full = connectionsPercent.getAsInt();
        delayNanos = delay;
        percent = full;
        if (delay < settings.get().critical().delayNanos() || briefNanos == Long.MIN_VALUE) {
            briefNanos = nowNanos;
        }
        boolean critical = load.mode == LoadMode.CRITICAL;
        boolean lasts = critical || nowNanos - briefNanos >= LASTING_NANOS;
        boolean refuses = critical && nowNanos - refusedNanos < LOOK_NANOS;
        int near = full == 0 ? 0 : full + PERCENT_MARGIN;
        LoadMode risen = of(lasts ? delay : belowCritical(delay), full);
        boolean changed = load.follow(risen, of(delay * DELAY_MARGIN, near), refuses, nowNanos);
        if (changed) {
            changes.incrementAndGet();
        }
        return crowd.follow(of(NO_DELAY, full), of(NO_DELAY, near), false, nowNanos) || changed;
    }

    private long belowCritical(long delay) {
        return Math.min(delay, settings.get().critical().delayNanos() - 1);
    }

    /// Returns the highest mode that begins at that load.
    private LoadMode of(long delay, int full) {
        Limits.Loads rows = settings.get();
        if (reaches(rows.critical(), delay, full)) {
            return LoadMode.CRITICAL;
        }
        if (reaches(rows.heavy(), delay, full)) {
            return LoadMode.HEAVY;
        }
        return reaches(rows.normal(), delay, full) ? LoadMode.NORMAL : LoadMode.LIGHT;
    }

    private static boolean reaches(LoadRow row, long delay, int full) {
        return delay >= row.delayNanos() || full >= row.connectionsPercent();
    }

    /// A mode that follows a signal: up at once, down after [#FALL_NANOS].
    private static final class Level {
        volatile LoadMode mode = LoadMode.LIGHT;
        private long heldNanos; // the last look that had to keep it; by the thread that looks

        /// Follows the signal.
        ///
        /// @param risen the mode that begins with it
        /// @param held the mode that it is enough to keep
        /// @param keeps whether something else keeps the mode
        /// @return whether the mode has changed
        boolean follow(LoadMode risen, LoadMode held, boolean keeps, long nowNanos) {
            LoadMode before = mode;
            if (risen.compareTo(before) > 0) {
                mode = risen;
                heldNanos = nowNanos;
            } else if (held.compareTo(before) >= 0 || keeps) {
                heldNanos = nowNanos;
            } else if (nowNanos - heldNanos >= FALL_NANOS) {
                mode = held;
                heldNanos = nowNanos;
            }
            return mode != before;
        }
    }
}
