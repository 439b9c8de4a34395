package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.LeakCheck;
import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.handler.Route;
import dev.serval.net.MaskedTransport;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.Caller;
import dev.serval.testkit.SocketWire;
import dev.serval.testkit.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A server in one [ContractMode], its clients, and the notes and loans of its handlers. [#close]
/// disconnects the clients, waits until nothing is in progress, and checks for leaks.
final class ContractServer implements AutoCloseable {
    /// Allows content up to 4 GiB; other limits are the defaults.
    static final Limits LIMITS = Limits.DEFAULT.with(draft -> draft.content.maxBytes = 4L << 30);

    private final ContractMode mode;
    private final @Nullable MemoryServer memory;
    private final @Nullable Serval sockets;
    private final List<Caller> callers = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> notes = new ConcurrentLinkedQueue<>();
    private final AtomicLong lent = new AtomicLong();
    private final AtomicLong lentMost = new AtomicLong();
    private int buffersMost;

    /// Starts a server. The handler receives the server, to write notes.
    static ContractServer start(ContractMode mode, Function<ContractServer, Handler> handler) {
        return start(mode, LIMITS, handler);
    }

    /// Starts a server with these limits.
    static ContractServer start(
            ContractMode mode, Limits limits, Function<ContractServer, Handler> handler) {
        return new ContractServer(mode, limits, server -> List.of(handler.apply(server)));
    }

    /// Starts a server with a chain of handlers.
    static ContractServer chain(
            ContractMode mode, Function<ContractServer, List<Handler>> handlers) {
        return new ContractServer(mode, LIMITS, handlers);
    }

    private ContractServer(
            ContractMode mode, Limits limits, Function<ContractServer, List<Handler>> handlers) {
        this.mode = mode;
        Protocol plain =
                switch (mode.speech()) {
                    case HTTP1, HTTP2 -> new Http(Leniency.defaults());
                    case TOY -> ToyConnection.PROTOCOL;
                };
        Protocol protocol = layered(mode, plain);
        List<Handler> chain = new ArrayList<>(handlers.apply(this));
        chain.set(0, Handler.ofConnect(chain.getFirst(), "test"));
        if (mode.inMemory()) {
            Route route = new Route("/", chain);
            Handler entrance = x -> EngineExchange.of(x).enter(route);
            memory = MemoryServer.of(Handler.ofConnect(entrance, "test"), limits, protocol);
            sockets = null;
        } else {
            memory = null;
            sockets = serval(mode, limits, chain, protocol);
        }
    }

    private static Protocol layered(ContractMode mode, Protocol plain) {
        return switch (mode.layer()) {
            case NONE -> plain;
            case MASK -> service -> MaskedTransport.over(plain.drivers(service));
            case TLS -> TlsWire.over(plain);
        };
    }

    private static Serval serval(
            ContractMode mode, Limits limits, List<Handler> chain, Protocol protocol) {
        Serval.Builder builder =
                Serval.builder()
                        .transport(mode.transport())
                        .loops(1)
                        .limits(limits)
                        .listen(
                                new ListenerSpec(
                                                new InetSocketAddress(
                                                        InetAddress.getLoopbackAddress(), 0))
                                        .withProtocol(protocol))
                        .mount("/", chain.toArray(new Handler[0]));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns a new client.
    Caller connect() {
        MemoryServer here = memory;
        Wire plain =
                here != null
                        ? new MemoryWire(here)
                        : SocketWire.connect(serval().addresses().getFirst());
        Wire wire =
                switch (mode.layer()) {
                    case NONE -> plain;
                    case MASK -> new MaskedWire(plain);
                    case TLS ->
                            mode.speech() == ContractMode.Speech.HTTP2
                                    ? TlsWire.connect(plain, "h2")
                                    : TlsWire.connect(plain);
                };
        Caller caller =
                switch (mode.speech()) {
                    case HTTP1 -> Caller.http1(wire);
                    case HTTP2 -> Caller.http2(wire);
                    case TOY -> Caller.toy(wire);
                };
        callers.add(caller);
        return caller;
    }

    /// Returns a client that can send requests while `busy` has an exchange in progress: `busy`
    /// itself if its connection has streams, otherwise a new client.
    Caller beside(Caller busy) {
        return mode.hasStreams() ? busy : connect();
    }

    /// Returns the notes of handlers, in order. Any thread.
    List<String> notes() {
        return List.copyOf(notes);
    }

    /// Writes a note. Any thread.
    void note(String what) {
        notes.add(what);
    }

    /// Returns how often that was noted.
    long noted(String what) {
        return notes.stream().filter(what::equals).count();
    }

    /// Returns a piece of content, and counts it as lent until it is released.
    Body lend(ByteBuffer bytes) {
        int n = bytes.remaining();
        lentMost.accumulateAndGet(lent.addAndGet(n), Math::max);
        return new Body.Bytes(bytes, () -> lent.addAndGet(-n));
    }

    /// Returns the largest number of content bytes that handlers had lent at a time.
    long lentMost() {
        return lentMost.get();
    }

    /// Returns the largest number of buffers that connections held when [#look] ran; only in
    /// memory.
    int buffersMost() {
        return buffersMost;
    }

    /// Records the number of buffers lent now. Always returns true.
    boolean look() {
        MemoryServer here = memory;
        if (here != null) {
            buffersMost = Math.max(buffersMost, here.net().pool().lent());
        }
        return true;
    }

    /// Returns the count of that counter; on sockets, what was counted so far.
    long count(Counter counter) {
        MemoryServer here = memory;
        return here != null ? here.count(counter) : serval().metrics().sum(counter);
    }

    /// Moves the clock in memory. On sockets, time passes by itself.
    void pass(Duration time) {
        MemoryServer here = memory;
        if (here != null) {
            here.pass(time);
        }
    }

    /// Stops at once, even if requests are in progress.
    void stop() {
        MemoryServer here = memory;
        if (here != null) {
            here.stop();
            LeakCheck.nothingHeld(here.net(), here.exchanges(), here.admission());
        } else {
            serval().close();
            LeakCheck.nothingHeld(serval());
        }
        callers.forEach(Caller::close);
        assertThat(lent.get()).as("bytes of content lent").isZero();
    }

    @Override
    public void close() {
        callers.forEach(Caller::close);
        MemoryServer here = memory;
        if (here != null) {
            here.close();
        } else {
            Serval server = serval();
            Await.until(
                    "no connection, exchange or Worker is left",
                    () ->
                            server.connections() == 0
                                    && LeakCheck.exchanges(server) == 0
                                    && server.workers() == 0);
            server.close();
            LeakCheck.nothingHeld(server);
        }
        assertThat(lent.get()).as("bytes of content lent").isZero();
    }

    private Serval serval() {
        Serval server = sockets;
        if (server == null) {
            throw new IllegalStateException("This server is in memory");
        }
        return server;
    }
}
