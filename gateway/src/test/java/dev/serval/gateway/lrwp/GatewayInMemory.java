package dev.serval.gateway.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.Http;
import dev.serval.exchange.EngineExchange;
import dev.serval.exchange.ExchangeLoop;
import dev.serval.exchange.Lender;
import dev.serval.exchange.Service;
import dev.serval.exchange.ServiceLoop;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.proxy.ProxyHandler;
import dev.serval.gateway.proxy.ProxyTarget;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.loop.Clock;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.net.BufferPool;
import dev.serval.net.DiskThreads;
import dev.serval.net.Driver;
import dev.serval.net.Listener;
import dev.serval.net.NetLoop;
import dev.serval.net.memory.MemoryNetwork;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.AddressRange;
import dev.serval.policy.ErrorPages;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;
import dev.serval.policy.TrustedProxies;
import dev.serval.testkit.Http2Peer;
import dev.serval.worker.LoopWorkers;
import dev.serval.worker.WorkerThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server with an LRWP agent and several loops, all in memory: the test turns the loops, moves the
/// clock and holds the other ends. [#close] checks for leaks.
@SuppressWarnings("exports") // types of the engine that only the gateway sees
public final class GatewayInMemory implements AutoCloseable {
    /// What an extended CONNECT may ask for.
    public static final String CONNECT_PROTOCOL = "websocket";

    private static final SocketAddress HTTP = at(80);
    private static final SocketAddress LRWP = at(1081);
    private static final int TURNS = 8;

    private final TestClock clock = new TestClock();
    private final Metrics metrics = new Metrics();
    private final List<MemoryNetwork> networks = new ArrayList<>();
    private final List<NetLoop> nets = new ArrayList<>();
    private final List<ExchangeLoop> exchanges = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final List<MemoryPeer> ends = new ArrayList<>();
    private final ArrayDeque<Runnable> disk = new ArrayDeque<>();
    private final List<Duration> upstreamTimes = new ArrayList<>();
    private final Service service;

    /// Returns a pool with one upstream. Its connections are taken by [#accept].
    public static PeerPool pool(PoolLimits limits) {
        return PeerPool.dialOut("p", limits, List.of(new Upstream(at(1), "up")));
    }

    /// Returns a server of one loop whose root mount is a proxy.
    ///
    /// @param collects whether content is collected before a connection is asked for
    public static GatewayInMemory proxying(PeerPool pool, boolean collects) {
        Collecting collecting = new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), collects);
        return new GatewayInMemory(
                1,
                new LrwpAgent(LrwpSettings.DEFAULT),
                new ProxyHandler(pool, ProxyTarget.DEFAULT, collecting));
    }

    /// Creates a server whose root mount has these handlers.
    public GatewayInMemory(int loops, LrwpAgent agent, Handler... chain) {
        this(loops, agent, Limits.DEFAULT, chain);
    }

    GatewayInMemory(int loops, LrwpAgent agent, Limits limits, Handler... chain) {
        this(loops, agent, limits, new Route("/", List.of(chain)));
    }

    /// Creates a server with one mount, which gets all requests.
    GatewayInMemory(int loops, LrwpAgent agent, Limits limits, Route route) {
        service =
                new Service(
                        new Service.Settings(
                                limits,
                                Handler.ofEveryMethod(
                                        Handler.ofConnect(
                                                x -> EngineExchange.of(x).enter(route),
                                                CONNECT_PROTOCOL)),
                                ErrorPages.SHORT,
                                x -> upstreamTimes.add(Duration.ofNanos(x.upstreamNanos())),
                                new Mapping("test")),
                        loops);
        WorkerThreads threads =
                new WorkerThreads(
                        WorkerThreads.Kind.PLATFORM,
                        _ -> {
                            throw new IllegalStateException("No Worker is used here");
                        });
        for (int i = 0; i < loops; i++) {
            open(i, agent, limits, threads);
        }
    }

    private void open(int index, LrwpAgent agent, Limits limits, WorkerThreads threads) {
        MemoryNetwork network = new MemoryNetwork();
        NetLoop net =
                new NetLoop(
                        new LoopParts(index, clock, Reports.AT_ONCE),
                        network,
                        DiskThreads.NONE,
                        limits.buffers().readBytes(),
                        limits.buffers().turnBytes(),
                        limits.buffers().heldMaxBytes());
        ExchangeLoop loop =
                new ExchangeLoop(
                        new LoopWorkers(net.loop(), threads),
                        metrics.column(),
                        this::submit,
                        new PoolBuffers(net.pool()));
        ServiceLoop part = new ServiceLoop(loop, service);
        networks.add(network);
        nets.add(net);
        exchanges.add(loop);
        listen(HTTP, net, new Http(Leniency.defaults()).drivers(part));
        listen(LRWP, net, agent.protocol().drivers(part));
    }

    private void listen(SocketAddress address, NetLoop net, Driver.Factory drivers) {
        try {
            listeners.add(Listener.open(address, List.of(net), 64, drivers, _ -> {}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns what was counted.
    public Metrics metrics() {
        return metrics;
    }

    /// Returns how long each exchange that has ended was at upstreams, as the access log shows it.
    public List<Duration> upstreamTimes() {
        return upstreamTimes;
    }

    /// Returns a new HTTP client of a loop.
    public MemoryPeer client(int loop) {
        return end(loop, HTTP);
    }

    /// Trusts every client as a proxy, so that its forwarding fields count.
    public void trustClients() {
        TrustedProxies all = new TrustedProxies(List.of(AddressRange.of("0.0.0.0/0")));
        service.replace(service.settings().withTrustedProxies(all));
    }

    /// Returns a new client of a loop that speaks HTTP/2 and has sent its preface.
    public Http2Peer http2(int loop) {
        return new Http2Peer(new GatewayWire(this, client(loop))).begin();
    }

    /// Returns a new connection to the LRWP port of a loop.
    public MemoryPeer peer(int loop) {
        return end(loop, LRWP);
    }

    /// Returns a connection of a peer that has registered and may be used.
    public MemoryPeer registered(int loop, String name) {
        MemoryPeer peer = peer(loop);
        peer.send(name + "\u00ff\u00ff");
        run();
        assertThat(peer.takeText()).isEqualTo("OK");
        pass(Duration.ofMillis(100));
        return peer;
    }

    private MemoryPeer end(int loop, SocketAddress address) {
        MemoryPeer made = networks.get(loop).client(address);
        ends.add(made);
        run();
        return made;
    }

    /// Turns all loops until work has come to rest.
    public void run() {
        for (int i = 0; i < TURNS; i++) {
            for (NetLoop net : nets) {
                net.loop().turn(false);
            }
        }
    }

    /// Lets time pass.
    public void pass(Duration time) {
        long step = 20_000_000;
        for (long left = time.toNanos(); left > 0; left -= step) {
            clock.nanos += Math.min(step, left);
            run();
        }
    }

    /// Lets time pass within a turn of a loop.
    public void delay(Duration time) {
        clock.nanos += time.toNanos();
    }

    /// Lets a loop fail to open connections.
    public void failConnects(int loop, RuntimeException why) {
        networks.get(loop).failConnects(why);
    }

    /// Runs the work that waits for the disk, then [#run], until there is none.
    public void work() {
        while (!disk.isEmpty()) {
            disk.removeFirst().run();
            run();
        }
    }

    /// Returns how much work waits for the disk.
    public int diskWork() {
        return disk.size();
    }

    /// Sends a request, runs, and returns what the client has received.
    public String ask(MemoryPeer client, String text) {
        client.send(text);
        run();
        return client.takeText();
    }

    /// Accepts the oldest connection that the server tries to open on a loop.
    public MemoryPeer accept(int loop) {
        MemoryPeer made = networks.get(loop).dialled().accept();
        ends.add(made);
        run();
        return made;
    }

    /// Accepts the oldest connection that the server tries to open on a loop, and ends it before the
    /// loop runs.
    public void acceptAndEnd(int loop) {
        MemoryPeer made = networks.get(loop).dialled().accept();
        ends.add(made);
        made.end();
        run();
    }

    /// Refuses the oldest connection that the server tries to open on a loop.
    public void refuse(int loop) {
        networks.get(loop).dialled().refuse();
        run();
    }

    /// Lets the oldest connection that the server tries to open on a loop fail.
    public void fail(int loop, IOException why) {
        networks.get(loop).dialled().fail(why);
        run();
    }

    /// Returns one of the loops.
    public NetLoop net(int loop) {
        return nets.get(loop);
    }

    @Override
    public void close() {
        ends.forEach(end -> {
            if (!end.isClosed()) {
                end.reset();
            }
        });
        run();
        work();
        run();
        for (int i = 0; i < nets.size(); i++) {
            NetLoop net = nets.get(i);
            assertThat(net.connections()).as("connections").isZero();
            assertThat(net.pool().lent()).as("buffers lent").isZero();
            assertThat(net.pool().held()).as("bytes held").isZero();
            assertThat(net.loop().timers().armed()).as("deadlines set").isZero();
            assertThat(exchanges.get(i).headsLent()).as("heads lent").isZero();
        }
        assertThat(service.admission().connections()).as("connections admitted").isZero();
        assertThat(service.admission().exchanges()).as("exchanges admitted").isZero();
        listeners.forEach(Listener::close);
        nets.forEach(NetLoop::close);
    }

    private boolean submit(ExecutorKind executor, Runnable work, Runnable dropped) {
        return disk.add(work);
    }

    private static SocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private record PoolBuffers(BufferPool pool) implements Lender {
        @Override
        public ByteBuffer lend() {
            return pool.heap();
        }

        @Override
        public void hold(long bytes) {
            pool.hold(bytes);
        }

        @Override
        public void giveBack(ByteBuffer lent) {
            pool.giveBack(lent);
        }

        @Override
        public @Nullable ByteBuffer lendLong() {
            return null;
        }

        @Override
        public void giveBackLong(ByteBuffer lent, boolean reusable) {}

        @Override
        public byte[] spare() {
            return new byte[8 << 10];
        }

        @Override
        public void keep(byte[] spare) {}
    }

    private static final class TestClock implements Clock {
        /// Begins at the time of the system, which an [LrwpAgent] reads for its status.
        private final long began = Clock.SYSTEM.nanos();

        private long nanos = began;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long epochMillis() {
            return 1_767_225_600_000L + (nanos - began) / 1_000_000;
        }
    }
}
