package dev.serval;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.handler.ExecutorKind;
import dev.serval.worker.CarrierPool;
import dev.serval.worker.WorkerThreads;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Platform threads for code that blocks, with a bounded queue: if it is full, work is refused.
/// `ExecutorKind.DISK` has its own threads, so that sleeping application code delays no file.
///
/// The threads are platform threads, because reading a file pins a virtual thread's carrier, and
/// there are only as many carriers as processors. A piece of work gets a new thread until the
/// maximum is reached, then a free one; [CarrierPool] decides otherwise. Threads end after 10 s
/// without work. Any thread may submit work.
final class BlockingPool implements ExecutorKind.Pools, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BlockingPool.class.getName());
    private static final long SPARE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// The pool to which the current thread belongs.
    private static final ThreadLocal<@Nullable BlockingPool> OWNER = new ThreadLocal<>();

    private final ThreadPoolExecutor blocking;
    private final ThreadPoolExecutor disk;
    private final CarrierPool carriers;

    /// Creates pools without threads.
    ///
    /// @param threadsMax the limit of threads of `ExecutorKind.BLOCKING`
    /// @param diskThreadsMax the limit of threads of `ExecutorKind.DISK`
    /// @param carrierThreadsMax the limit of threads of [#carriers]
    /// @param queueMax the limit of pieces of work that wait for a thread, for each executor
    BlockingPool(int threadsMax, int diskThreadsMax, int carrierThreadsMax, int queueMax) {
        this(threadsMax, diskThreadsMax, carrierThreadsMax, queueMax, SPARE_NANOS);
    }

    /// Creates pools that keep a thread without work for another time.
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
        int processors = Runtime.getRuntime().availableProcessors();
        carriers = new CarrierPool(carrierThreadsMax, processors, spareNanos);
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

    /// Returns the pool that carries the Workers that a loop should not carry. It accepts all work,
    /// because there are never more Workers than requests in progress.
    WorkerThreads.Pool carriers() {
        return carriers;
    }

    /// Returns the current number of threads.
    int threads() {
        return blocking.getPoolSize() + disk.getPoolSize() + carriers.threads();
    }

    /// Returns the number of pieces of work that wait.
    int waiting() {
        return blocking.getQueue().size() + disk.getQueue().size();
    }

    /// Stops accepting work. At `ExecutorKind.BLOCKING`, running work is interrupted and waiting
    /// work is dropped. Disk look-ups are short and end by themselves.
    void end() {
        for (Runnable waiting : blocking.shutdownNow()) {
            ((Piece) waiting).dropped.run();
        }
        disk.shutdown();
    }

    /// Returns whether `BLOCKING` and `DISK` have ended: nothing runs there, and nothing will.
    boolean hasEnded() {
        return blocking.isTerminated() && disk.isTerminated();
    }

    /// Ends the pools as [#end] does, and stops accepting Workers.
    @Override
    public void close() {
        end();
        carriers.shutdown();
    }

    /// Returns whether the current thread does work of `BLOCKING` or `DISK` here.
    boolean isHere() {
        return equals(OWNER.get());
    }

    private ThreadPoolExecutor pool(String name, int threadsMax, int queueMax, long spareNanos) {
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
                                        .unstarted(() -> runOwned(body)),
                        (work, _) -> ((Piece) work).refused = true));
    }

    private void runOwned(Runnable body) {
        OWNER.set(this);
        body.run();
    }

    private static ThreadPoolExecutor timingOut(ThreadPoolExecutor pool) {
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /// A piece of work that records whether it was refused, so that a refusal needs no exception.
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
            } catch (Throwable e) {
                report(e);
            }
        }

        /// The thread continues even if logging fails, such as for want of memory.
        private static void report(Throwable thrown) {
            try {
                LOG.log(ERROR, "Blocking work threw an exception", thrown);
            } catch (Throwable e) {
                // Nothing is left that could tell it.
            }
        }
    }
}
