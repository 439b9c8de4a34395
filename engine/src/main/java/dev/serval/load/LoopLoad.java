package dev.serval.load;

import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import dev.serval.loop.EventLoop;
import dev.serval.loop.ThreadClock;
import dev.serval.policy.LoadMode;
import java.util.ArrayList;
import java.util.List;

/// The part of one loop in the load of its server: it has the [LoadMonitor] look as requests arrive,
/// and bounds the time that the loop spends on refusals.
///
/// The loop may spend `Limits.Loads.refusingPercent` of its time on refusals. While the load is
/// critical, it measures what its thread computes from the first request of a turn to the end of the
/// loop's own work, and divides it equally among the turn's requests. A refusal in a turn without
/// requests counts as its time by the clock, up to twice what the last one cost. If nothing is known,
/// the clock counts up to 0.2 ms.
///
/// If refusals have used more than that, [#acceptPauseNanos] tells the loop's listeners to accept
/// nothing for a while, so that connections wait in the system's queue, or the system drops them.
/// Owned by the loop.
public final class LoopLoad {
    private static final long CREDIT_MAX_NANOS = 100_000_000; // of time that earns
    private static final long PAUSE_MAX_NANOS = 300_000_000;
    private static final long REFUSAL_MAX_NANOS = 200_000; // more is time of other threads
    private static final long PAUSE_LEAST_NANOS = 5_000_000;
    private static final long PERCENT = 100;
    private static final int THIS_THREAD = 0; // to the ThreadClock

    private final EventLoop loop;
    private final LoadMonitor monitor;
    private final ThreadClock computed;
    private final Command notify = new Command(this::changed);
    private final Deadline look = new Deadline(this::lookAgain);
    private final List<Runnable> listeners = new ArrayList<>();
    private long lookNanos = Long.MIN_VALUE;
    private int requests; // of this turn
    private int refusals; // of this turn
    private long computedNanos = ThreadClock.UNKNOWN; // at the first request of computedTurn
    private long computedTurn = -1;
    private long refusalMaxNanos = REFUSAL_MAX_NANOS; // of one that is not measured
    private long creditNanos; // of time for refusals; negative if too much was spent
    private long creditedNanos;
    private boolean ended;

    /// Creates the part of a loop that does not run yet.
    ///
    /// @param computed tells how long a thread has computed
    public LoopLoad(EventLoop loop, LoadMonitor monitor, ThreadClock computed) {
        this.loop = loop;
        this.monitor = monitor;
        this.computed = computed;
        this.creditedNanos = loop.nowNanos() - CREDIT_MAX_NANOS;
        monitor.onChange(() -> loop.submit(notify));
    }

    /// Has `action` called on the loop after the mode has changed.
    public void onChange(Runnable action) {
        listeners.add(action);
    }

    /// Returns the monitor of the server.
    public LoadMonitor monitor() {
        return monitor;
    }

    /// Returns the mode as the last look found it.
    public LoadMode mode() {
        return monitor.observed();
    }

    /// Notes that a request has arrived.
    public void requested() {
        requests++;
        arrived();
        if (mode() == LoadMode.CRITICAL && computedTurn != loop.turns()) {
            computedTurn = loop.turns();
            computedNanos = computed.nanos(THIS_THREAD);
        }
    }

    /// Notes that something has arrived.
    public void arrived() {
        long now = loop.nowNanos();
        if (now - lookNanos >= 0 || lookNanos == Long.MIN_VALUE) {
            lookNanos = now + LoadMonitor.LOOK_NANOS;
            monitor.look(now);
        }
    }

    /// Notes that a request was refused because of the load.
    public void refused() {
        refusals++;
        monitor.refused(loop.nowNanos());
    }

    /// Returns for how long no connection should be accepted; 0 if they may be.
    public long acceptPauseNanos() {
        if (creditNanos >= 0) {
            return 0;
        }
        credit(loop.nowNanos());
        long debt = -creditNanos;
        return debt <= 0 ? 0 : Math.max(PAUSE_LEAST_NANOS, debt * PERCENT / percent());
    }

    /// Looks no more by itself, because the server stops.
    public void end() {
        ended = true;
        loop.timers().cancel(look);
    }

    /// Counts the time of the turn's refusals. Called after the loop's own work of each turn.
    public void turned() {
        if (refusals > 0) {
            long began = loop.nowNanos();
            long now = loop.readClock();
            credit(now);
            long share = Math.min(ofRequest(now - began), refusalMaxNanos) * refusals;
            creditNanos = Math.max(creditNanos - share, -earned(PAUSE_MAX_NANOS));
        }
        refusals = 0;
        requests = 0;
    }

    /// Returns what a request of this turn took.
    ///
    /// @param turnNanos the time of the turn
    private long ofRequest(long turnNanos) {
        // Workers, which may change the thread, have run since a measurement in another turn.
        boolean known = computedTurn == loop.turns() && computedNanos != ThreadClock.UNKNOWN;
        long end = known ? computed.nanos(THIS_THREAD) : ThreadClock.UNKNOWN;
        if (end == ThreadClock.UNKNOWN) {
            return turnNanos / Math.max(refusals, requests);
        }
        long each = (end - computedNanos) / Math.max(refusals, requests);
        refusalMaxNanos = Math.min(2 * each, REFUSAL_MAX_NANOS);
        return each;
    }

    private void credit(long now) {
        long earned = earned(now - creditedNanos);
        creditedNanos = now;
        creditNanos = Math.min(earned(CREDIT_MAX_NANOS), creditNanos + earned);
    }

    /// Returns how much of that time may go to refusals.
    private long earned(long nanos) {
        return nanos * percent() / PERCENT;
    }

    private int percent() {
        return monitor.settings().refusingPercent();
    }

    private void changed() {
        listeners.forEach(Runnable::run);
        lookAgain();
    }

    /// Looks from time to time while the load is high, so that its end is seen without requests.
    private void lookAgain() {
        long now = loop.nowNanos();
        monitor.look(now);
        if (!ended && monitor.observed().compareTo(LoadMode.HEAVY) >= 0) {
            loop.timers().set(look, now + LoadMonitor.LOOK_NANOS);
        }
    }
}
