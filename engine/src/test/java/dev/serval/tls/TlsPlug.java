package dev.serval.tls;

import dev.serval.loop.FakeClock;
import dev.serval.loop.TestLoops;
import dev.serval.net.Connection;
import dev.serval.net.DiskThreads;
import dev.serval.net.Driver;
import dev.serval.net.Encryption;
import dev.serval.net.Input;
import dev.serval.net.Listener;
import dev.serval.net.NetLoop;
import dev.serval.net.Transport;
import dev.serval.net.memory.MemoryNetwork;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Runs one loop in memory whose connections speak TLS. The work of handshakes waits until the test
/// runs it, or runs by itself.
final class TlsPlug {
    static final SocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 443);
    static final long HANDSHAKE_NANOS = 10_000_000_000L;

    final FakeClock clock = new FakeClock();
    final MemoryNetwork network = new MemoryNetwork();
    final NetLoop net;
    final TestKeys keys = TestKeys.local();
    final List<String> calls = new ArrayList<>();
    final List<TlsHost.End> ends = new ArrayList<>();
    final List<TlsHost.Trouble> troubles = new ArrayList<>();
    final ArrayDeque<Runnable> work = new ArrayDeque<>();
    final ByteArrayOutputStream read = new ByteArrayOutputStream();
    Consumer<Connection> onReadable = this::readAll;
    Consumer<Connection> onOpen = _ -> {};
    TlsProvider provider;
    boolean worksByItself = true;
    boolean takesWork = true;
    boolean failsToWrite;
    boolean failsToEnd; // for want of memory
    boolean neverFails; // for what counts allocated bytes
    boolean asksForReads; // of the socket
    boolean asksForWrites; // likewise
    int faults;
    int floods; // of the faults
    private @Nullable Connection connection;
    private @Nullable MemoryPeer peer;
    private @Nullable TlsTransport transport;

    TlsPlug() {
        this(Long.MAX_VALUE);
    }

    /// @param heldMaxBytes the most memory of all connections
    TlsPlug(long heldMaxBytes) {
        net =
                new NetLoop(
                        new TestLoops(clock).parts(0),
                        network,
                        DiskThreads.NONE,
                        64 << 10,
                        128 << 10,
                        heldMaxBytes);
        try {
            provider =
                    TestLibrary.of(
                            new TlsSettings(
                                    List.of(new KeyFiles(keys.certificate(), keys.key())),
                                    TlsProfile.INTERMEDIATE));
            Listener.open(ADDRESS, List.of(net), 64, new Drivers(), _ -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Connects.
    MemoryPeer connect() {
        MemoryPeer made = network.client(ADDRESS);
        peer = made;
        turn();
        return made;
    }

    /// Connects and completes a handshake.
    TlsClient client(String... protocols) throws SSLException {
        connect();
        TlsClient client = TlsClient.of(keys.trusting(), protocols).begin();
        exchange(client);
        calls.clear();
        return client;
    }

    MemoryPeer peer() {
        return orFail(peer);
    }

    TlsTransport transport() {
        return orFail(transport);
    }

    Connection connection() {
        return orFail(connection);
    }

    Encryption encryption() {
        return orFail(connection().encryption());
    }

    private static <T> T orFail(@Nullable T present) {
        if (present == null) {
            throw new IllegalStateException("No connection is open: call connect() first");
        }
        return present;
    }

    /// Moves bytes in both directions until nothing is left.
    void exchange(TlsClient client) throws SSLException {
        boolean moved = true;
        while (moved) {
            moved = move(client);
        }
    }

    /// Moves what both sides have sent, and lets the loop turn.
    boolean move(TlsClient client) throws SSLException {
        byte[] out = client.toSend();
        if (out.length > 0) {
            peer().send(out);
        }
        turns(3);
        byte[] in = peer().take();
        client.receive(in, 0, in.length);
        return in.length > 0;
    }

    void turn() {
        net.loop().turn(false);
        while (worksByItself && !work.isEmpty()) {
            work();
            net.loop().turn(false);
        }
    }

    void turns(int number) {
        for (int i = 0; i < number; i++) {
            turn();
        }
    }

    /// Does the work of handshakes that waits.
    void work() {
        for (int n = work.size(); n > 0; n--) {
            work.removeFirst().run();
        }
    }

    private void readAll(Connection open) {
        Input in = open.in();
        while (in.fill() > 0) {
            read.write(in.array(), in.from(), in.length());
            in.consume(in.length());
        }
    }

    private final class Host implements TlsHost {
        @Override
        public SSLEngine engine(SocketAddress client) {
            return provider.engine(client);
        }

        @Override
        public boolean submit(SocketAddress client, Runnable piece) {
            return takesWork && work.add(piece);
        }

        @Override
        public long handshakeNanos() {
            return HANDSHAKE_NANOS;
        }

        @Override
        public void failed(SocketAddress client, TlsHost.Trouble why) {
            troubles.add(why);
        }

        @Override
        public void ended(TlsHost.End how) {
            ends.add(how);
            if (failsToEnd) {
                throw new OutOfMemoryError("meant: no memory at the end of a handshake");
            }
        }

        @Override
        public void faulted(boolean flood) {
            faults++;
            floods += flood ? 1 : 0;
        }
    }

    private final class Drivers implements Driver.Factory {
        @Override
        public Transport transport(NetLoop loop, Transport socket) {
            TlsTransport made =
                    new TlsTransport(loop, neverFails ? socket : failing(socket), new Host());
            transport = made;
            return made;
        }

        @Override
        public Driver open(Connection opened) {
            connection = opened;
            onOpen.accept(opened);
            return new Noting(opened);
        }
    }

    /// Returns the socket, whose writes may fail as if no memory was left.
    private Transport failing(Transport socket) {
        return (Transport)
                Proxy.newProxyInstance(
                        Transport.class.getClassLoader(),
                        new Class<?>[] {Transport.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("interest")) {
                                asksForReads = (boolean) arguments[0];
                                asksForWrites = (boolean) arguments[1];
                            }
                            if (failsToWrite && method.getName().equals("write")) {
                                throw new OutOfMemoryError("meant by the test");
                            }
                            try {
                                return method.invoke(socket, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private final class Noting implements Driver {
        private final Connection own;

        Noting(Connection own) {
            this.own = own;
        }

        @Override
        public void readable() {
            calls.add("readable");
            onReadable.accept(own);
        }

        @Override
        public void blocked() {
            calls.add("blocked");
        }

        @Override
        public void drained() {
            calls.add("drained");
        }

        @Override
        public void closed(boolean byPeer) {
            calls.add(byPeer ? "lost" : "closed");
        }

        @Override
        public void drain() {}
    }
}
