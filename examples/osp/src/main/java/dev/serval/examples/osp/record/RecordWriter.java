package dev.serval.examples.osp.record;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Writes records by one thread, in batches: the records that arrive while a batch is being written
/// form the next one. So the disk is waited for once for many calls, and the calls do not wait for
/// each other.
///
/// ```
/// handlers ── write ──▶ queue (limited) ──▶ serval thread ── append(batch) ──▶ store
///     ▲                                          │
///     └────────── future completes ◀─────────────┘
/// ```
public final class RecordWriter implements AutoCloseable {
    /// The most records in a batch.
    static final int BATCH_MAX = 1_024;

    private static final System.Logger LOG = System.getLogger(RecordWriter.class.getName());
    private static final long CLOSE_SECONDS = 20;

    private final RecordStore store;
    private final BlockingQueue<Entry> queue;
    private final int recentMax;
    private final Deque<CallRecord> recent = new ArrayDeque<>();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Thread thread;
    private volatile boolean closing;
    private long loggedNanos;
    private long tickedNanos;

    /// What is in the queue.
    private sealed interface Entry {}

    /// A record to be stored.
    private record Waiting(CallRecord call, CompletableFuture<Boolean> done) implements Entry {}

    /// Wakes the thread, so that a close does not wait for its next turn.
    private record Wake() implements Entry {}

    /// Starts the thread.
    ///
    /// @param queueMax the most records that wait
    /// @param recentMax how many records [#recent] returns
    public RecordWriter(RecordStore store, int queueMax, int recentMax) {
        this.store = store;
        this.recentMax = recentMax;
        this.queue = new ArrayBlockingQueue<>(queueMax);
        this.loggedNanos = System.nanoTime() - TimeUnit.HOURS.toNanos(1);
        this.tickedNanos = System.nanoTime();
        this.thread = Thread.ofPlatform().name("osp-records").unstarted(this::run);
        thread.start();
    }

    /// Queues a record.
    ///
    /// @return completes with true when the record is stored, and with false if it could not be; null
    ///     if the queue is full
    public @Nullable CompletableFuture<Boolean> write(CallRecord call) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        return !closing && queue.offer(new Waiting(call, done)) ? done : null;
    }

    /// Returns the number of records that were stored.
    public long written() {
        return written.get();
    }

    /// Returns the number of records that could not be stored.
    public long failed() {
        return failed.get();
    }

    /// Returns where the records go.
    public String place() {
        return store.place();
    }

    /// Returns the last records, newest first.
    public List<CallRecord> recent() {
        synchronized (recent) {
            return List.copyOf(recent);
        }
    }

    private void run() {
        List<Entry> taken = new ArrayList<>(BATCH_MAX);
        while (!closing || !queue.isEmpty()) {
            taken.clear();
            try {
                Entry first = queue.poll(1, TimeUnit.SECONDS);
                if (first != null) {
                    taken.add(first);
                    queue.drainTo(taken, BATCH_MAX - 1);
                    append(records(taken));
                }
                long now = System.nanoTime();
                if (now - tickedNanos >= TimeUnit.SECONDS.toNanos(1)) {
                    tickedNanos = now;
                    store.tick();
                }
            } catch (InterruptedException e) {
                closing = true;
            } catch (Throwable e) { // without this thread no record is ever stored
                taken.forEach(RecordWriter::giveUp);
                report(e);
            }
        }
        try {
            store.close();
        } catch (IOException | RuntimeException e) {
            report(e);
        }
    }

    /// Completes the future of an entry that was not stored, if it is not complete.
    private static void giveUp(Entry entry) {
        if (entry instanceof Waiting record) {
            record.done.complete(false);
        }
    }

    private static List<Waiting> records(List<Entry> taken) {
        List<Waiting> batch = new ArrayList<>(taken.size());
        for (Entry entry : taken) {
            if (entry instanceof Waiting record) {
                batch.add(record);
            }
        }
        return batch;
    }

    private void append(List<Waiting> batch) {
        if (batch.isEmpty()) {
            return;
        }
        boolean stored = false;
        try {
            store.append(batch.stream().map(Waiting::call).toList());
            stored = true;
            written.addAndGet(batch.size());
            remember(batch);
        } catch (Throwable e) {
            report(e);
        } finally { // the clients must get an answer after an Error too
            if (!stored) {
                failed.addAndGet(batch.size());
            }
            complete(batch, stored);
        }
    }

    private static void complete(List<Waiting> batch, boolean stored) {
        for (Waiting each : batch) {
            each.done.complete(stored);
        }
    }

    private void remember(List<Waiting> batch) {
        synchronized (recent) {
            for (Waiting each : batch) {
                recent.addFirst(each.call);
            }
            while (recent.size() > recentMax) {
                recent.removeLast();
            }
        }
    }

    /// Logs a failure, at most one a minute.
    private void report(Throwable e) {
        long now = System.nanoTime();
        if (now - loggedNanos > TimeUnit.MINUTES.toNanos(1)) {
            loggedNanos = now;
            LOG.log(
                    System.Logger.Level.ERROR,
                    "Call detail records could not be stored in "
                            + store.place()
                            + "; the clients get status 503 and repeat their messages",
                    e);
        }
    }

    /// Stores what is queued and closes the store.
    @Override
    public void close() {
        closing = true;
        boolean _ = queue.offer(new Wake()); // a full queue wakes the thread too
        try {
            if (!thread.join(Duration.ofSeconds(CLOSE_SECONDS))) {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "Call detail records were still being written after "
                                + CLOSE_SECONDS
                                + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
