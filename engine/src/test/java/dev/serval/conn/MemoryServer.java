package dev.serval.conn;

import dev.serval.LeakCheck;
import dev.serval.exchange.Admission;
import dev.serval.exchange.EngineExchange;
import dev.serval.exchange.ExchangeLoop;
import dev.serval.exchange.Service;
import dev.serval.exchange.ServiceLoop;
import dev.serval.handler.AccessRecord;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.http.FieldChanges;
import dev.serval.load.LoadMonitor;
import dev.serval.load.LoopLoad;
import dev.serval.loop.FakeClock;
import dev.serval.loop.TestLoops;
import dev.serval.loop.ThreadClock;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Listener;
import dev.serval.net.NetLoop;
import dev.serval.net.memory.MemoryNetwork;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.AddressRange;
import dev.serval.policy.Counter;
import dev.serval.policy.ErrorPages;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.policy.Metrics;
import dev.serval.policy.ProxyProtocol;
import dev.serval.policy.TrustedProxies;
import dev.serval.testkit.Await;
import dev.serval.worker.LoopWorkers;
import dev.serval.worker.WorkerThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// A whole server in memory: one loop that the test turns, a clock that the test moves, and
/// clients. Work for [ExecutorKind#BLOCKING] waits until [#work]. [#close] resets the remaining
/// clients and checks for leaks.
public final class MemoryServer implements AutoCloseable {
    private static final SocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
    private static final int QUIET_TURNS = 4;
    private static final int TURNS_MOST = 2_000_000;

    private final FakeClock clock = new FakeClock();
    private final TestLoops loops = new TestLoops(clock);
    private final MemoryNetwork network = new MemoryNetwork();
    private final Metrics metrics = new Metrics();
    private final ArrayDeque<Runnable> blocking = new ArrayDeque<>();
    private final List<MemoryPeer> clients = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final NetLoop net;
    private final Service service;
    private final ExchangeLoop exchanges;
    private final Listener listener;
    private ExecutorKind.Pools executors = this::enqueue;
    private int blockingMax = Integer.MAX_VALUE;
    private final LoadMonitor load;
    private IntSupplier connectionsPercent = () -> 0;
    private int pauses;
    private int loadPauses;
    private boolean logs = true;
    private long lastReceived;

    /// Returns a server with this handler and the default limits.
    public static MemoryServer of(Handler handler) {
        return new MemoryServer(handler, Limits.DEFAULT);
    }

    /// Returns a server with this handler.
    public static MemoryServer of(Handler handler, Limits limits) {
        return new MemoryServer(handler, limits);
    }

    /// Returns a server with one mount at `/`, so that handlers may pass.
    public static MemoryServer chain(Handler... chain) {
        Route route = new Route("/", List.of(chain));
        return new MemoryServer(x -> EngineExchange.of(x).enter(route), Limits.DEFAULT);
    }

    /// Returns a server whose connections speak another protocol.
    static MemoryServer of(Handler handler, Limits limits, Protocol protocol) {
        return new MemoryServer(handler, limits, protocol);
    }

    /// Returns a server whose connections begin with a PROXY header.
    static MemoryServer proxied(
            Handler handler, Limits limits, Protocol protocol, ProxyProtocol rule) {
        return new MemoryServer(handler, limits, protocol, rule);
    }

    private MemoryServer(Handler handler, Limits limits) {
        this(handler, limits, new Http1(Leniency.defaults()));
    }

    private MemoryServer(Handler handler, Limits limits, Protocol protocol) {
        this(handler, limits, protocol, null);
    }

    private MemoryServer(
            Handler handler,
            Limits limits,
            Protocol protocol,
            @Nullable ProxyProtocol proxyProtocol) {
        Limits.Buffers buffers = limits.buffers();
        net =
                new NetLoop(
                        loops.parts(0),
                        network,
                        (work, dropped) -> executors.submit(ExecutorKind.DISK, work, dropped),
                        buffers.readBytes(),
                        buffers.turnBytes(),
                        buffers.heldMaxBytes());
        service =
                new Service(
                        new Service.Settings(
                                limits,
                                handler,
                                ErrorPages.SHORT,
                                this::ended,
                                new Mapping("test")),
                        1);
        WorkerThreads threads = loops.threads();
        LoopWorkers workers = new LoopWorkers(net.loop(), threads);
        load = new LoadMonitor(() -> service.limits().load(), () -> connectionsPercent.getAsInt());
        load.add(workers::standingNanos);
        load.add(threads::standingNanos);
        LoopLoad loopLoad = new LoopLoad(net.loop(), load, ThreadClock.NONE);
        workers.afterTurn(loopLoad::turned);
        loopLoad.onChange(() -> net.forEach(Connection::loadChanged));
        exchanges =
                new ExchangeLoop(
                        workers,
                        metrics.column(),
                        (executor, work, dropped) -> executors.submit(executor, work, dropped),
                        new TestLender(net.pool()),
                        loopLoad);
        Driver.Factory drivers =
                protocol.drivers(
                        new ServiceLoop(exchanges, service, proxyProtocol, FieldChanges.NONE));
        try {
            listener = Listener.open(ADDRESS, List.of(net), 64, drivers, watcher());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Listener.Watcher watcher() {
        return new Listener.Watcher() {
            @Override
            public void paused(NetLoop net) {
                pauses++;
            }

            @Override
            public void pausedForLoad(NetLoop net) {
                loadPauses++;
            }
        };
    }

    /// Returns a client after the server has accepted it.
    public MemoryPeer connect() {
        MemoryPeer client = network.client(ADDRESS);
        clients.add(client);
        turn();
        return client;
    }

    /// Returns a client that the server accepts in its next turn.
    public MemoryPeer client() {
        MemoryPeer client = network.client(ADDRESS);
        clients.add(client);
        return client;
    }

    /// Returns a client with that address after the server has accepted it.
    public MemoryPeer connect(String from) {
        MemoryPeer client = network.client(ADDRESS, new InetSocketAddress(from, 1));
        clients.add(client);
        turn();
        return client;
    }

    /// Runs one turn of the loop.
    public void turn() {
        loops.work();
        net.loop().turn(false);
    }

    /// Turns until nothing changes, without moving the clock.
    public void run() {
        long before = progress();
        int quiet = 0;
        for (int turns = 0; quiet < QUIET_TURNS; turns++) {
            if (turns == TURNS_MOST) {
                throw new AssertionError("The loop does not come to rest");
            }
            turn();
            long now = progress();
            quiet = now == before ? quiet + 1 : 0;
            before = now;
        }
    }

    /// Lets time pass, 100 ms a turn, then calls [#run].
    public void pass(Duration time) {
        long left = time.toNanos();
        while (left > 0) {
            long step = Math.min(left, 100_000_000);
            clock.advance(step);
            left -= step;
            turn();
        }
        run();
    }

    /// Runs the work that waits for [ExecutorKind#BLOCKING], then calls [#run].
    public void work() {
        workOnly();
        run();
    }

    /// Runs the work that waits for [ExecutorKind#BLOCKING], without a turn of the loop.
    public void workOnly() {
        for (Runnable one = blocking.pollFirst(); one != null; one = blocking.pollFirst()) {
            one.run();
        }
    }

    /// Runs until every Worker has ended. Another thread interrupts them, so this waits.
    public void awaitWorkers() {
        Await.until(
                "the Workers' end",
                () -> {
                    run();
                    return exchanges.workers().count() == 0;
                });
    }

    /// Sets how many pieces of work may wait for [ExecutorKind#BLOCKING]; more are refused.
    public void blockingMax(int pieces) {
        blockingMax = pieces;
    }

    /// Sets what takes the work for [ExecutorKind#BLOCKING] from now on; null for the queue of
    /// [#work].
    public void executors(ExecutorKind.@Nullable Pools other) {
        executors = other == null ? this::enqueue : other;
    }

    /// Sends the text, runs, and returns what the client received.
    public String ask(MemoryPeer client, String text) {
        client.send(text);
        run();
        return client.takeText();
    }

    /// Drains, as [dev.serval.Serval#stop] does on each loop.
    public void drain() {
        listener.close();
        exchanges.endMaintenance();
        net.loop().execute(() -> net.forEach(Connection::drain));
        run();
    }

    /// Stops, as [dev.serval.Serval#stop] does at its deadline.
    void stop() {
        drain();
        net.close();
    }

    /// Returns the count of that counter.
    public long count(Counter counter) {
        return metrics.sum(counter);
    }

    /// Returns the counts of that counter by label.
    public SortedMap<String, Long> counts(LabelledCounter counter) {
        return metrics.sums(counter);
    }

    /// Returns the counters and times.
    public Metrics metrics() {
        return metrics;
    }

    /// Returns the exchanges that have ended: `METHOD target status bytes`, or `- status` if the
    /// head could not be parsed.
    public List<String> log() {
        return log;
    }

    /// Returns the bytes that were received for the exchange that has ended last.
    long lastReceived() {
        return lastReceived;
    }

    /// Turns off the log, so that a request allocates nothing here.
    public void logNothing() {
        logs = false;
    }

    /// Returns the loop with its sockets.
    public NetLoop net() {
        return net;
    }

    /// Returns the state that the loop's exchanges share.
    public ExchangeLoop exchanges() {
        return exchanges;
    }

    /// Returns the service, whose settings may be replaced.
    public Service service() {
        return service;
    }

    /// Trusts the proxies with these addresses.
    public void trust(String range) {
        TrustedProxies proxies = new TrustedProxies(List.of(AddressRange.of(range)));
        service.replace(service.settings().withTrustedProxies(proxies));
    }

    /// Returns the number of bytes that connections hold.
    public long held() {
        return net.pool().held();
    }

    /// Returns the admission of connections and exchanges.
    public Admission admission() {
        return service.admission();
    }

    /// Returns the sockets.
    public MemoryNetwork network() {
        return network;
    }

    /// Returns the loop's time.
    public FakeClock clock() {
        return clock;
    }

    /// Returns the clock's time, from any thread that the test's own waits for.
    public long now() {
        return clock.nanos();
    }

    /// Moves the clock without a turn.
    public void advance(long nanos) {
        clock.advance(nanos);
    }

    /// Returns the load mode.
    public LoadMode mode() {
        return load.mode();
    }

    /// Sets the open connections that the server believes it has, in percent of their limit.
    public void connectionsPercent(int percent) {
        connectionsPercent(() -> percent);
    }

    /// Sets what tells the open connections in percent of their limit.
    void connectionsPercent(IntSupplier percent) {
        connectionsPercent = percent;
    }

    /// Returns how often accepting paused because of refusals.
    public int loadPauses() {
        return loadPauses;
    }

    /// Returns how often accepting paused.
    public int pauses() {
        return pauses;
    }

    @Override
    public void close() {
        clients.forEach(MemoryPeer::reset);
        listener.close();
        exchanges.endMaintenance();
        run();
        work();
        awaitWorkers();
        LeakCheck.nothingHeld(net, exchanges, admission());
    }

    private boolean enqueue(ExecutorKind executor, Runnable work, Runnable dropped) {
        if (blocking.size() >= blockingMax) {
            return false;
        }
        blocking.addLast(work);
        return true;
    }

    private void ended(AccessRecord record) {
        lastReceived = record.receivedBytes();
        if (!logs) {
            return;
        }
        log.add(
                record.hasRequest()
                        ? record.request().method()
                                + " "
                                + record.request().target().text()
                                + " "
                                + record.status()
                                + " "
                                + record.contentBytes()
                        : "- " + record.status());
    }

    private long progress() {
        long sum = blocking.size();
        for (int i = 0; i < clients.size(); i++) {
            MemoryPeer client = clients.get(i);
            sum = sum * 31 + client.length();
            sum = sum * 31 + client.unread();
            sum = sum * 31 + client.writes();
            sum = sum * 31 + (client.isClosed() ? 1 : 0) + (client.sawEnd() ? 2 : 0);
        }
        return sum;
    }
}
