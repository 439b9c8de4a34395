package dev.serval.blocking;

import dev.serval.worker.WorkerThreads;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/// The threads of [BlockingPool#carriers], and the count of their unfinished work. Any thread.
final class CarrierPool implements WorkerThreads.Pool {
    private final int threadsMax;
    private final ThreadPoolExecutor executor;
    private final AtomicInteger taken = new AtomicInteger(); // unfinished pieces of work

    CarrierPool(int threadsMax, ThreadPoolExecutor executor) {
        this.threadsMax = threadsMax;
        this.executor = executor;
    }

    @Override
    public void execute(Runnable work) {
        Runnable counted =
                () -> {
                    try {
                        work.run();
                    } finally {
                        taken.decrementAndGet();
                    }
                };
        taken.incrementAndGet();
        try {
            executor.execute(counted);
        } catch (RuntimeException | Error e) {
            taken.decrementAndGet();
            throw e;
        }
    }

    @Override
    public boolean isFull() {
        return taken.get() >= threadsMax && !executor.isShutdown();
    }

    /// Returns the current number of threads.
    int threads() {
        return executor.getPoolSize();
    }

    /// Stops accepting work.
    void shutdown() {
        executor.shutdown();
    }
}
