package dev.serval;

import dev.serval.handler.ExecutorKind;
import dev.serval.worker.BoundedPool;
import dev.serval.worker.CarrierPool;
import dev.serval.worker.WorkerThreads;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Platform threads for code that blocks, with a bounded queue: if it is full, work is refused.
/// `ExecutorKind.DISK` has its own threads, so that sleeping application code delays no file.
///
/// The threads are platform threads, because reading a file pins a virtual thread's carrier, and
/// there are only as many carriers as processors. Threads end after 10 s without work. Any thread
/// may submit work.
final class BlockingPool implements ExecutorKind.Pools, AutoCloseable {
    private static final long SPARE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// The pool to which the current thread belongs.
    private static final ThreadLocal<@Nullable BlockingPool> OWNER = new ThreadLocal<>();

    private final BoundedPool blocking;
    private final BoundedPool disk;
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
        Runnable owned = () -> OWNER.set(this);
        blocking = new BoundedPool("serval-blocking-", threadsMax, queueMax, spareNanos, owned);
        disk = new BoundedPool("serval-disk-", diskThreadsMax, queueMax, spareNanos, owned);
        int processors = Runtime.getRuntime().availableProcessors();
        carriers = new CarrierPool(carrierThreadsMax, processors, spareNanos);
    }

    @Override
    public boolean submit(ExecutorKind executor, Runnable work, Runnable dropped) {
        return switch (executor) {
            case BLOCKING -> blocking.submit(work, dropped);
            case DISK -> disk.submit(work, dropped);
            case LOOP, WORKER -> false;
        };
    }

    @Override
    public boolean interrupted() {
        return blocking.isInterrupted();
    }

    /// Returns the pool that carries the Workers that a loop should not carry. It accepts all work,
    /// because there are never more Workers than requests in progress.
    WorkerThreads.Pool carriers() {
        return carriers;
    }

    /// Returns the current number of threads.
    int threads() {
        return blocking.threads() + disk.threads() + carriers.threads();
    }

    /// Returns the number of pieces of work that wait.
    int waiting() {
        return blocking.waiting() + disk.waiting();
    }

    /// Stops accepting work. At `ExecutorKind.BLOCKING`, running work is interrupted and waiting
    /// work is dropped. Disk look-ups are short and end by themselves.
    void end() {
        blocking.interrupt();
        disk.shutdown();
    }

    /// Returns whether `BLOCKING` and `DISK` have ended: nothing runs there, and nothing will.
    boolean hasEnded() {
        return blocking.hasEnded() && disk.hasEnded();
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
}
