package dev.serval.exchange;

import dev.serval.codec.CodecKey;
import dev.serval.coding.GzipPool;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.RequestHeadWriter;
import dev.serval.load.LoadMonitor;
import dev.serval.load.LoopLoad;
import dev.serval.loop.EventLoop;
import dev.serval.loop.ThreadClock;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.policy.Metrics;
import dev.serval.worker.LoopWorkers;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The state that all exchanges of one loop share, for any protocol and listener. Owned by the
/// loop.
public final class ExchangeLoop {
    private static final int SPARE_HEADS_MAX = 256;
    private static final int SPARE_HEAD_MAX_BYTES = 8 << 10;

    private final LoopWorkers workers;
    private final Metrics.Column metrics;
    private final ExecutorKind.Pools executors;
    private final Lender lender;
    private final LoopLoad load;
    private final MaintenanceTimers maintenance;
    private final GzipPool gzips = new GzipPool();
    private final ArrayDeque<RequestHeadWriter> spareHeads = new ArrayDeque<>();
    private int headsLent;

    /// Creates the state of a loop whose server is never loaded.
    public ExchangeLoop(
            LoopWorkers workers,
            Metrics.Column metrics,
            ExecutorKind.Pools executors,
            Lender lender) {
        this(
                workers,
                metrics,
                executors,
                lender,
                new LoopLoad(
                        workers.loop(),
                        new LoadMonitor(() -> Limits.Loads.DEFAULT, () -> 0),
                        ThreadClock.NONE));
    }

    /// Creates the state of the loop that carries `workers`.
    ///
    /// @param metrics the loop's counters
    /// @param executors run work outside the loop
    /// @param lender the loop's buffers
    /// @param load the loop's part in the load of the server
    public ExchangeLoop(
            LoopWorkers workers,
            Metrics.Column metrics,
            ExecutorKind.Pools executors,
            Lender lender,
            LoopLoad load) {
        this.workers = workers;
        this.metrics = metrics;
        this.executors = executors;
        this.lender = lender;
        this.load = load;
        workers.loop().meter().observer(metrics.times());
        load.onChange(this::loadChanged);
        this.maintenance = new MaintenanceTimers(workers.loop(), executors);
    }

    private void loadChanged() {
        if (load.mode() == LoadMode.CRITICAL) {
            workers.overloaded();
        }
    }

    /// Returns the loop.
    public EventLoop loop() {
        return workers.loop();
    }

    /// Returns the Workers that the loop carries.
    public LoopWorkers workers() {
        return workers;
    }

    /// Returns the loop's counters.
    public Metrics.Column metrics() {
        return metrics;
    }

    /// Returns the loop's part in the load of the server.
    public LoopLoad load() {
        return load;
    }

    /// Lends a request head, with the writer that fills it, to a codec.
    public RequestHeadWriter lendHead() {
        headsLent++;
        @Nullable RequestHeadWriter spare = spareHeads.pollLast();
        RequestHeadWriter head = spare != null ? spare : new RequestHeadWriter(CodecKey.KEY);
        grown(head);
        return head;
    }

    /// Counts the memory that a head gained, after a codec wrote to it.
    public void grown(RequestHeadWriter head) {
        lender.hold(head.countGrowth());
    }

    /// Takes back a head of [#lendHead].
    public void giveBack(RequestHeadWriter head) {
        headsLent--;
        lender.hold(-head.endCount());
        if (spareHeads.size() == SPARE_HEADS_MAX || head.memoryBytes() > SPARE_HEAD_MAX_BYTES) {
            head.release(); // the exchange keeps the writer until its next request
        } else {
            head.reset();
            spareHeads.addLast(head);
        }
    }

    /// Ends the loan of a head that other threads may still read. It is not used again.
    public void abandon(RequestHeadWriter head) {
        headsLent--;
        lender.hold(-head.endCount());
    }

    /// Returns the number of heads that connections hold.
    public int headsLent() {
        return headsLent;
    }

    /// Returns the number of compressors that responses hold.
    public int compressorsLent() {
        return gzips.lent();
    }

    /// Stops maintenance and looks at the load, and releases spare memory, because the server stops.
    public void endMaintenance() {
        maintenance.end();
        load.end();
        gzips.close();
    }

    ExecutorKind.Pools executors() {
        return executors;
    }

    GzipPool gzips() {
        return gzips;
    }

    Lender lender() {
        return lender;
    }

    void maintenance(Handler.Maintenance work, long atNanos) {
        maintenance.set(work, atNanos);
    }
}
