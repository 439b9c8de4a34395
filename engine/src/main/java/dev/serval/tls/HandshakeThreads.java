package dev.serval.tls;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.codec.ClientKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Threads for the work of handshakes that takes long, such as signatures. So a loop goes on with its
/// other connections, and neither application code nor slow disks delay a handshake. There is one
/// thread for each processor. They end after 10 s without work. Any thread may submit work.
public final class HandshakeThreads implements AutoCloseable {
    /// Pieces of work that may wait. A handshake of a client has one at a time. With an ECDSA key it
    /// takes about a millisecond, so the last one waits for a second on one processor.
    public static final int WAITING_MAX = 1024;

    /// If more than half of the places for waiting work are taken, one client address may have this part
    /// of them, one of so many. So one address cannot keep others from their handshakes. Addresses of
    /// IPv6 count by their first 64 bits ([ClientKey]).
    static final int ADDRESS_SHARE = 4;

    private static final System.Logger LOG = System.getLogger(HandshakeThreads.class.getName());
    private static final long SPARE_SECONDS = 10;

    private final ThreadPoolExecutor threads;
    private final int waitingMax;
    private final Map<Long, Integer> unfinished = new ConcurrentHashMap<>(); // by client

    /// Creates as many threads as there are processors, each when it is needed.
    public HandshakeThreads() {
        this(Runtime.getRuntime().availableProcessors(), WAITING_MAX);
    }

    /// @param threadsMax the most threads
    /// @param waitingMax the most pieces of work that wait for one
    HandshakeThreads(int threadsMax, int waitingMax) {
        this(
                threadsMax,
                waitingMax,
                Thread.ofPlatform().name("serval-handshake-", 1).daemon().factory());
    }

    /// @param factory makes the threads
    HandshakeThreads(int threadsMax, int waitingMax, ThreadFactory factory) {
        this.waitingMax = waitingMax;
        threads =
                new ThreadPoolExecutor(
                        threadsMax,
                        threadsMax,
                        SPARE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(waitingMax),
                        factory);
        threads.allowCoreThreadTimeOut(true);
    }

    /// Submits work of a handshake with a client.
    ///
    /// @return false if too much waits, of all clients or of this one, or there is no thread, because they
    ///     have ended or the system gives none; then it will not run
    public boolean submit(SocketAddress client, Runnable work) {
        @Nullable InetAddress address =
                client instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (address == null) {
            return execute(work);
        }
        long key = ClientKey.of(address);
        int own = unfinished.merge(key, 1, Integer::sum);
        boolean crowded = 2 * waiting() >= waitingMax && own > waitingMax / ADDRESS_SHARE;
        boolean taken = false;
        try {
            taken = !crowded && execute(() -> runOf(key, work));
            return taken;
        } finally {
            if (!taken) { // also if no memory is left
                finished(key);
            }
        }
    }

    /// If the system gives no further thread, those that there are do the work.
    private boolean execute(Runnable work) {
        Runnable safe = () -> run(work);
        try {
            threads.execute(safe);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        } catch (OutOfMemoryError e) {
            return threads.getPoolSize() > 0 && threads.getQueue().offer(safe);
        }
    }

    private void runOf(long client, Runnable work) {
        try {
            work.run();
        } finally {
            finished(client);
        }
    }

    private void finished(long client) {
        unfinished.computeIfPresent(client, (_, own) -> own == 1 ? null : own - 1);
    }

    /// The thread continues after a fault, which the engine reports to its connection.
    private static void run(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            LOG.log(ERROR, "The work of a TLS handshake threw an exception", e);
        }
    }

    /// Returns the number of client addresses with work that is not finished.
    int addresses() {
        return unfinished.size();
    }

    /// Returns the current number of threads.
    int threads() {
        return threads.getPoolSize();
    }

    /// Returns the pieces of work that wait.
    int waiting() {
        return threads.getQueue().size();
    }

    /// Ends the threads. Work that waits is dropped.
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
