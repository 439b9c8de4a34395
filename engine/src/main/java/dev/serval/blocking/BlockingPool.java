package dev.serval.blocking;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.http.Place;
import dev.serval.http.Places;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Platform threads for what blocks, with a bounded queue before them: past it work is refused.
///
/// Platform threads and not virtual ones, because reading a file holds a virtual thread's carrier,
/// of which there are only as many as processors. Threads are made when work waits and end after
/// 10 s without any. Any thread may submit.
public final class BlockingPool implements Places, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BlockingPool.class.getName());
    private static final long SPARE_SECONDS = 10;

    private final AtomicInteger made = new AtomicInteger();
    private final ThreadPoolExecutor pool;

    /// A pool without threads yet.
    ///
    /// @param threadsMax threads at most
    /// @param queueMax pieces of work that wait for a thread at most
    public BlockingPool(int threadsMax, int queueMax) {
        pool =
                new ThreadPoolExecutor(
                        threadsMax,
                        threadsMax,
                        SPARE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(queueMax),
                        this::thread,
                        (work, _) -> ((Piece) work).refused = true);
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public boolean submit(Place place, Runnable work) {
        if (place != Place.BLOCKING || pool.isShutdown()) {
            return false;
        }
        Piece piece = new Piece(work);
        pool.execute(piece);
        return !piece.refused;
    }

    /// Threads there are now.
    public int threads() {
        return pool.getPoolSize();
    }

    /// Pieces of work that wait.
    public int waiting() {
        return pool.getQueue().size();
    }

    /// Takes no more work and interrupts what runs.
    @Override
    public void close() {
        pool.shutdownNow();
    }

    private Thread thread(Runnable body) {
        return Thread.ofPlatform()
                .name("serval-blocking-" + made.incrementAndGet())
                .daemon()
                .unstarted(body);
    }

    /// Work that knows whether it was refused, so that refusing takes no exception.
    private static final class Piece implements Runnable {
        private final Runnable work;
        private boolean refused; // written and read by the submitting thread

        Piece(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                LOG.log(ERROR, "Work at Place.BLOCKING failed", e);
            }
        }
    }
}
