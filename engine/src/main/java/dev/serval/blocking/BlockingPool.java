package dev.serval.blocking;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.handler.ExecutorKind;
import dev.serval.worker.WorkerThreads;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Platform threads for what blocks, with a bounded queue before them: past it work is refused.
/// `ExecutorKind.DISK` has threads of its own, so that sleeping application code holds up no file.
///
/// Platform threads and not virtual ones, because reading a file holds a virtual thread's carrier,
/// of which there are only as many as processors. A piece of work gets a new thread up to the
/// maximum, then one that is free; threads end after 10 s without work. Any thread may submit.
public final class BlockingPool implements ExecutorKind.Pools, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BlockingPool.class.getName());
    private static final long SPARE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// Of threads that carry application code: it may call as deep on them as on a loop's.
    public static final long STACK_BYTES = 1 << 20;

    private final ThreadPoolExecutor blocking;
    private final ThreadPoolExecutor disk;
    private final CarrierPool carriers;

    /// Pools without threads yet.
    ///
    /// @param threadsMax threads of `ExecutorKind.BLOCKING` at most
    /// @param diskThreadsMax threads of `ExecutorKind.DISK` at most
    /// @param carrierThreadsMax threads of [#carriers] at most
    /// @param queueMax pieces of work that wait for a thread at each place at most
    public BlockingPool(int threadsMax, int diskThreadsMax, int carrierThreadsMax, int queueMax) {
        this(threadsMax, diskThreadsMax, carrierThreadsMax, queueMax, SPARE_NANOS);
    }

    /// As the other.
    ///
    /// @param spareNanos how long a thread without work is kept
    BlockingPool(
            int threadsMax,
            int diskThreadsMax,
            int carrierThreadsMax,
            int queueMax,
            long spareNanos) {
        blocking = pool("serval-blocking-", threadsMax, queueMax, spareNanos);
        disk = pool("serval-disk-", diskThreadsMax, queueMax, spareNanos);
        carriers = new CarrierPool(carrierThreadsMax, carriers(carrierThreadsMax, spareNanos));
    }

    @Override
    public boolean submit(ExecutorKind executor, Runnable work, Runnable dropped) {
        Piece piece = new Piece(work, dropped);
        switch (executor) {
            case BLOCKING -> blocking.execute(piece);
            case DISK -> disk.execute(piece);
            case LOOP, WORKER -> piece.refused = true;
        }
        return !piece.refused;
    }

    @Override
    public boolean interrupted() {
        return blocking.isShutdown();
    }

    /// What carries Workers that a loop should not. Takes all it is given: there are never more
    /// than requests in progress.
    public WorkerThreads.Pool carriers() {
        return carriers;
    }

    /// Threads there are now.
    public int threads() {
        return blocking.getPoolSize() + disk.getPoolSize() + carriers.threads();
    }

    /// Pieces of work that wait.
    public int waiting() {
        return blocking.getQueue().size() + disk.getQueue().size();
    }

    /// Takes no more work. At `ExecutorKind.BLOCKING`, what runs is interrupted and what waits is dropped;
    /// look-ups on disk are short and end by themselves.
    public void end() {
        for (Runnable waiting : blocking.shutdownNow()) {
            ((Piece) waiting).dropped.run();
        }
        disk.shutdown();
    }

    /// Whether nothing runs at its places any more, nor will.
    public boolean hasEnded() {
        return blocking.isTerminated() && disk.isTerminated();
    }

    /// As [#end]; takes no more Workers either.
    @Override
    public void close() {
        end();
        carriers.shutdown();
    }

    private static ThreadPoolExecutor pool(
            String name, int threadsMax, int queueMax, long spareNanos) {
        AtomicInteger made = new AtomicInteger();
        return timingOut(
                new ThreadPoolExecutor(
                        threadsMax,
                        threadsMax,
                        spareNanos,
                        TimeUnit.NANOSECONDS,
                        new ArrayBlockingQueue<>(queueMax),
                        body ->
                                Thread.ofPlatform()
                                        .name(name + made.incrementAndGet())
                                        .daemon()
                                        .unstarted(body),
                        (work, _) -> ((Piece) work).refused = true));
    }

    private static ThreadPoolExecutor carriers(int threadsMax, long spareNanos) {
        AtomicInteger made = new AtomicInteger();
        return timingOut(
                new ThreadPoolExecutor(
                        threadsMax,
                        threadsMax,
                        spareNanos,
                        TimeUnit.NANOSECONDS,
                        new LinkedBlockingQueue<>(),
                        body ->
                                Thread.ofPlatform()
                                        .name("serval-carrier-" + made.incrementAndGet())
                                        .daemon()
                                        .stackSize(STACK_BYTES)
                                        .unstarted(body)));
    }

    private static ThreadPoolExecutor timingOut(ThreadPoolExecutor pool) {
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /// Work that knows whether it was refused, so that refusing takes no exception.
    private static final class Piece implements Runnable {
        private final Runnable work;
        private final Runnable dropped;
        private boolean refused; // written and read by the submitting thread

        Piece(Runnable work, Runnable dropped) {
            this.work = work;
            this.dropped = dropped;
        }

        @Override
        public void run() {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                LOG.log(ERROR, "Work that may block failed", e);
            }
        }
    }
}
