package dev.serval;

import dev.serval.exchange.ExchangeLoop;
import dev.serval.handler.ExecutorKind;
import dev.serval.load.LoadMonitor;
import dev.serval.load.LoopLoad;
import dev.serval.loop.Clock;
import dev.serval.loop.EventLoop;
import dev.serval.loop.LoopParts;
import dev.serval.loop.ReportLog;
import dev.serval.loop.Reports;
import dev.serval.loop.ThreadClock;
import dev.serval.net.Connection;
import dev.serval.net.NetLoop;
import dev.serval.net.Network;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;
import dev.serval.tls.HandshakeThreads;
import dev.serval.worker.Carriers;
import dev.serval.worker.LoopWorkers;
import dev.serval.worker.SocketPoller;
import dev.serval.worker.SocketPollers;
import dev.serval.worker.WorkerThreads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// The event loops of a server, with the threads that work for them: the carriers, the pool, and the
/// thread that logs reports.
///
/// Legal order: [#start], [#stop]; or [#abandon] instead of both. One thread at a time calls [#start]
/// or [#abandon]; any thread may call the rest.
final class ServerLoops {
    private static final long LOOK_NANOS = 2_000_000;
    private static final long CLEAN_UP_NANOS = 5_000_000_000L;
    private static final long ASK_NANOS = 1_000_000_000;
    private static final int BLOCKING_THREADS = 64;
    private static final int DISK_THREADS = 16;
    private static final int BLOCKING_QUEUE = 4096;

    private final Metrics metrics;
    private final BlockingPool pool;
    private final ReportLog reports;
    private final LoadMonitor load;
    private final boolean pollsSockets;
    private final List<ServerLoop> all = new ArrayList<>();
    private final Carriers carriers;
    private boolean stopped; // under this lock
    private final AtomicBoolean handedOver = new AtomicBoolean(); // to a thread of the stop
    private volatile boolean ended;

    /// Creates loops that do not turn yet.
    ///
    /// @param limits the sizes of their buffers, and how many threads there may be
    /// @param networks makes the system's sockets for each loop
    /// @param workers what carries Workers
    /// @param metrics gets a column for each loop
    /// @param load decides the load mode
    /// @param fatal called when a thread that the server cannot run without has ended
    ServerLoops(
            int number,
            Limits limits,
            Supplier<Network> networks,
            WorkerKind workers,
            Metrics metrics,
            LoadMonitor load,
            Runnable fatal) {
        this.metrics = metrics;
        this.load = load;
        // A Worker that is pinned to its loop needs another thread for the loop, which polls for
        // it.
        this.pollsSockets =
                workers.threads() == WorkerThreads.Kind.LOOP
                        && limits.workers().keptThreadsMax() > 0;
        this.pool =
                new BlockingPool(
                        BLOCKING_THREADS,
                        DISK_THREADS,
                        limits.workers().poolThreadsMax(),
                        BLOCKING_QUEUE);
        this.reports = new ReportLog(() -> metrics.count(Counter.ERRORS), fatal);
        ThreadClock computed = ThreadClock.NONE;
        try {
            WorkerThreads threads = new WorkerThreads(workers.threads(), pool.carriers());
            load.add(threads::standingNanos);
            for (int i = 0; i < number; i++) {
                Network network = networks.get();
                if (i == 0) {
                    computed = network.threadClock();
                }
                all.add(loop(i, network, limits.buffers(), number, threads));
            }
            int working = Math.ceilDiv(limits.workers().workingMax(), number);
            for (ServerLoop loop : all) {
                loop.exchanges().workers().atMost(working);
            }
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
        this.carriers =
                new Carriers(
                        all.stream().map(loop -> loop.exchanges().workers()).toList(),
                        limits.workers().keptThreadsMax(),
                        WorkerThreads.STACK_BYTES,
                        Clock.SYSTEM,
                        computed,
                        reports);
    }

    private ServerLoop loop(
            int index, Network network, Limits.Buffers buffers, int number, WorkerThreads threads) {
        NetLoop net =
                new NetLoop(
                        new LoopParts(index, Clock.SYSTEM, reports),
                        network,
                        (work, dropped) -> pool.submit(ExecutorKind.DISK, work, dropped),
                        buffers.readBytes(),
                        buffers.turnBytes(),
                        buffers.heldMaxBytes() / number);
        LoopWorkers workers = new LoopWorkers(net.loop(), threads);
        load.add(workers::standingNanos);
        LoopLoad loopLoad = new LoopLoad(net.loop(), load, network.threadClock());
        workers.afterTurn(loopLoad::turned);
        loopLoad.onChange(() -> net.forEach(Connection::loadChanged));
        ExchangeLoop exchanges =
                new ExchangeLoop(
                        workers, metrics.column(), pool, new PoolLender(net.pool()), loopLoad);
        return new ServerLoop(net, exchanges);
    }

    /// Starts the loops.
    ///
    /// @throws IllegalStateException if the system has no thread for one of them
    void start() {
        carriers.start();
        all.forEach(this::takePollers);
    }

    /// Has a loop poll its part of the sockets that virtual threads of this JVM wait for.
    private void takePollers(ServerLoop loop) {
        EventLoop own = loop.net().loop();
        if (!pollsSockets || !loop.net().network().watches()) {
            return;
        }
        for (SocketPoller one : SocketPollers.share(own.index(), all.size())) {
            if (one.take()) {
                own.execute(() -> watch(loop, one));
            }
        }
    }

    private static void watch(ServerLoop loop, SocketPoller poller) {
        try {
            loop.net().network().watch(poller.descriptor(), poller::poll);
            loop.exchanges().workers().polls(poller);
        } catch (RuntimeException | Error e) { // such as an exhausted limit of the system
            poller.release();
            throw e;
        }
    }

    /// Releases loops that were never started.
    void abandon() {
        all.forEach(loop -> loop.net().close());
        pool.close();
        reports.close();
    }

    /// Returns the loops; their number never changes.
    List<ServerLoop> all() {
        return all;
    }

    /// Returns what receives the faults of a server.
    Reports reports() {
        return reports;
    }

    /// Returns the threads that run the loops.
    Carriers carriers() {
        return carriers;
    }

    /// Returns the memory in bytes that the connections of all loops hold now.
    long heldBytes() {
        long sum = 0;
        for (ServerLoop loop : all) {
            sum += loop.net().pool().held();
        }
        return sum;
    }

    /// Returns the number of Workers that have not ended.
    int workers() {
        long sum = metrics.sum(Counter.WORKERS_STARTED) - metrics.sum(Counter.WORKERS_ENDED);
        return (int) Math.max(0, sum);
    }

    /// Returns what every Worker does now. Asks one loop after the other, and leaves out a loop that
    /// does not answer within a second.
    List<WorkerView> workerViews() throws InterruptedException {
        List<WorkerView> views = new ArrayList<>();
        for (ServerLoop one : all) {
            EventLoop loop = one.net().loop();
            BlockingQueue<List<WorkerView>> answer = new ArrayBlockingQueue<>(1);
            loop.execute(() -> answer.add(WorkerView.all(one.exchanges().workers().all(), loop)));
            Optional.ofNullable(answer.poll(1, TimeUnit.SECONDS)).ifPresent(views::addAll);
        }
        return views;
    }

    /// Returns what each loop does now, by its index. Asks all loops at once, and leaves out a loop that
    /// does not answer within a second.
    List<LoopView> loopViews() throws InterruptedException {
        BlockingQueue<LoopView> answers = new ArrayBlockingQueue<>(all.size());
        for (ServerLoop one : all) {
            long askedNanos = Clock.SYSTEM.nanos();
            one.net().loop().execute(() -> answers.add(LoopView.of(one, askedNanos)));
        }
        List<LoopView> views = new ArrayList<>();
        long endNanos = Clock.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(1);
        while (views.size() < all.size()) {
            Optional<LoopView> next =
                    Optional.ofNullable(
                            answers.poll(endNanos - Clock.SYSTEM.nanos(), TimeUnit.NANOSECONDS));
            if (next.isEmpty()) {
                break;
            }
            views.add(next.get());
        }
        views.sort(Comparator.comparingInt(LoopView::index));
        return views;
    }

    /// Stops the server as [Serval#stop] says.
    void stop(Listeners listeners, HandshakeThreads handshakes, long atMostNanos) {
        Runnable stopping = () -> stopOnce(listeners, handshakes, atMostNanos);
        if (ended || !isOwn()) {
            stopping.run();
        } else if (!handedOver.getAndSet(true)) {
            Thread.ofPlatform().name("serval-stop").start(stopping); // the handler must end first
        }
    }

    /// Returns whether the current thread is one of the loops, does blocking work or runs a Worker.
    private boolean isOwn() {
        Thread caller = Thread.currentThread();
        AtomicBoolean found =
                new AtomicBoolean(
                        pool.isHere()
                                || all.stream()
                                        .anyMatch(one -> caller.equals(one.net().loop().owner())));
        if (!found.get()) {
            AtomicInteger left =
                    onEach(one -> {
                        if (one.exchanges().workers().all().stream()
                                .anyMatch(worker -> caller.equals(worker.thread()))) {
                            found.set(true);
                        }
                    });
            await(() -> left.get() == 0, ASK_NANOS);
        }
        return found.get();
    }

    private synchronized void stopOnce(
            Listeners listeners, HandshakeThreads handshakes, long atMostNanos) {
        if (stopped) {
            return;
        }
        stopped = true;
        listeners.close(); // not on a loop: who holds their lock may wait for that loop
        drain(listeners::connections, atMostNanos);
        end();
        handshakes.close();
        ended = true;
    }

    /// Lets requests in progress complete and closes idle connections. Returns after the last
    /// connection has closed, or after `atMostNanos`.
    ///
    /// @param connections returns the number of open connections
    private void drain(IntSupplier connections, long atMostNanos) {
        AtomicInteger left =
                onEach(loop -> {
                    loop.exchanges().endMaintenance();
                    loop.net().forEach(Connection::drain);
                });
        // Until every loop has run its command, some connections may not be counted yet.
        await(() -> left.get() + connections.getAsInt() == 0, atMostNanos);
    }

    /// Ends the loops with all connections and threads. Returns after the loops have ended.
    private void end() {
        endApplications();
        all.forEach(loop -> loop.net().loop().stop());
        carriers.awaitEnd();
        pool.close();
        reports.close();
    }

    /// Interrupts application code that still runs, and gives it a moment to clean up. Meanwhile
    /// the loops run, so they can take back what they lent.
    private void endApplications() {
        pool.end();
        AtomicInteger left = onEach(loop -> loop.exchanges().workers().end());
        // Until every loop has run its command, some Workers may not be counted yet.
        await(() -> left.get() + workers() == 0 && pool.hasEnded(), CLEAN_UP_NANOS);
    }

    /// Posts `action` to every loop.
    ///
    /// @return the number of loops that have not run it yet
    private AtomicInteger onEach(Consumer<ServerLoop> action) {
        AtomicInteger left = new AtomicInteger(all.size());
        for (ServerLoop loop : all) {
            loop.net()
                    .loop()
                    .execute(() -> {
                        action.accept(loop);
                        left.decrementAndGet();
                    });
        }
        return left;
    }

    private static void await(BooleanSupplier done, long atMostNanos) {
        long end = Clock.SYSTEM.nanos() + atMostNanos;
        while (!done.getAsBoolean() && Clock.SYSTEM.nanos() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
