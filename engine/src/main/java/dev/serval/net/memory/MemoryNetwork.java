package dev.serval.net.memory;

import dev.serval.net.LooseSocket;
import dev.serval.net.Network;
import dev.serval.net.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Connects without sockets. The thread that turns the loop by hand holds the other ends as
/// [MemoryPeer]s. A poll never sleeps, so tests and measurements control every step. Owned by one
/// thread, which also turns the loop.
public final class MemoryNetwork implements Network {
    private static final int FIRST_PORT = 49152;

    private final List<MemoryListening> listening = new ArrayList<>();
    private final List<MemoryTransport> open = new ArrayList<>();
    private final List<MemoryTransport> noted = new ArrayList<>();
    private final ArrayDeque<Dial> dials = new ArrayDeque<>();
    private final ArrayDeque<Dial> answered = new ArrayDeque<>();
    private @Nullable IOException acceptFault;
    private @Nullable RuntimeException connectFault;
    private final Map<SocketAddress, Integer> queueMax = new HashMap<>();
    private int nextPort = FIRST_PORT;
    private long inMemoryBytes;

    /// Creates a network without listeners and connections.
    public MemoryNetwork() {}

    // Calls from the other ends

    /// Connects a client to the listener at `address`. The listener accepts it in the next turn.
    ///
    /// @throws NoSuchElementException if there is no listener
    public MemoryPeer client(SocketAddress address) {
        return client(address, new InetSocketAddress(InetAddress.getLoopbackAddress(), nextPort()));
    }

    /// Connects a client as the other `client` does, with `from` as its address.
    public MemoryPeer client(SocketAddress address, SocketAddress from) {
        for (MemoryListening one : listening) {
            if (one.begun && one.address.equals(address)) {
                MemoryTransport transport = new MemoryTransport(this, one.address, from);
                one.backlog.addLast(transport);
                return transport.remote();
            }
        }
        throw new NoSuchElementException("No listener at " + address);
    }

    /// Returns the number given last by [Listening#queueAtMost] of an address, which has no other
    /// effect here.
    public int queueMax(SocketAddress address) {
        return queueMax.getOrDefault(address, Integer.MAX_VALUE);
    }

    /// Makes every accept fail with `fault`, as a system without free file descriptors does. Null
    /// ends this.
    public void failAccepts(@Nullable IOException fault) {
        acceptFault = fault;
    }

    /// Returns the oldest [#connect] without an answer. The caller answers the [Dial].
    ///
    /// @throws NoSuchElementException if there is none
    public Dial dialled() {
        return dials.removeFirst();
    }

    /// Lets each later [#connect] throw, as that of a system which cannot register a socket.
    public void failConnects(RuntimeException why) {
        connectFault = why;
    }

    /// Lets [#readNow] read the first bytes of each file, as if the system had them in memory.
    public void filesInMemory(long bytes) {
        inMemoryBytes = bytes;
    }

    /// Returns the number of transports that are not closed.
    public int open() {
        return open.size();
    }

    // Network

    @Override
    public long readNow(FileChannel file, long position, ByteBuffer[] into, int count) {
        long read = 0;
        try {
            for (int i = 0; i < count && position + read < inMemoryBytes; i++) {
                int limit = into[i].limit();
                long most = Math.min(into[i].remaining(), inMemoryBytes - position - read);
                into[i].limit(into[i].position() + (int) most);
                read += Math.max(0, file.read(into[i], position + read));
                into[i].limit(limit);
            }
        } catch (IOException e) {
            return 0;
        }
        return read;
    }

    @Override
    public SocketAddress probe(SocketAddress address) throws BindException {
        return free(address, false);
    }

    @Override
    public Listening bind(Binding binding, Acceptor acceptor) throws BindException {
        SocketAddress bound = free(binding.address(), binding.shared());
        MemoryListening socket = new MemoryListening(bound, binding.shared(), acceptor);
        listening.add(socket);
        return socket;
    }

    @Override
    public Runnable connect(SocketAddress address, Connecting then) {
        @Nullable RuntimeException fault = connectFault;
        if (fault != null) {
            throw fault;
        }
        Dial dial = new Dial(this, address, then);
        dials.addLast(dial);
        return () -> {
            dials.remove(dial);
            answered.remove(dial);
        };
    }

    @Override
    public Transport adopt(LooseSocket socket) {
        if (socket instanceof MemoryTransport loose) {
            loose.join(this);
            return loose;
        }
        throw new IllegalArgumentException("Not a connection in memory: " + socket);
    }

    @Override
    public void poll(long timeoutNanos) {
        noted.clear();
        for (int i = 0; i < open.size(); i++) {
            MemoryTransport transport = open.get(i);
            if (transport.isReady()) {
                noted.add(transport);
            }
        }
    }

    @Override
    public void dispatch(BooleanSupplier enough) {
        for (int i = 0; i < listening.size(); i++) {
            listening.get(i).accept();
        }
        for (Dial dial = answered.pollFirst(); dial != null; dial = answered.pollFirst()) {
            dial.tell();
        }
        for (int i = 0; i < noted.size(); i++) {
            noted.get(i).ready();
        }
        noted.clear();
    }

    @Override
    public void wakeup() {
        // The test's thread turns the loop.
    }

    @Override
    public void close() {
        listening.clear();
        while (!open.isEmpty()) {
            open.getLast().close();
        }
    }

    void opened(MemoryTransport transport) {
        open.add(transport);
    }

    void closed(MemoryTransport transport) {
        open.remove(transport);
    }

    private SocketAddress free(SocketAddress address, boolean shared) throws BindException {
        if (address instanceof InetSocketAddress inet && inet.getPort() == 0) {
            return new InetSocketAddress(inet.getAddress(), nextPort());
        }
        for (MemoryListening one : listening) {
            if (one.address.equals(address) && !(shared && one.shared)) {
                throw new BindException("Address already in use: " + address);
            }
        }
        return address;
    }

    private int nextPort() {
        return nextPort++;
    }

    /// Represents a listening socket.
    private final class MemoryListening implements Listening {
        private final SocketAddress address;
        private final boolean shared;
        private final Acceptor acceptor;
        private final ArrayDeque<MemoryTransport> backlog = new ArrayDeque<>();
        private boolean begun;
        private boolean accepting = true;

        MemoryListening(SocketAddress address, boolean shared, Acceptor acceptor) {
            this.address = address;
            this.shared = shared;
            this.acceptor = acceptor;
        }

        @Override
        public void begin() {
            begun = true;
        }

        @Override
        public void accepting(boolean on) {
            accepting = on;
        }

        @Override
        public void queueAtMost(int connections) {
            queueMax.put(address, connections);
        }

        @Override
        public void close() {
            acceptAll();
            listening.remove(this);
        }

        void accept() {
            if (accepting && !backlog.isEmpty() && acceptor.mayAccept()) {
                acceptAll();
            }
        }

        private void acceptAll() {
            for (int left = backlog.size(); left > 0; left--) { // not those that come meanwhile
                @Nullable IOException fault = acceptFault;
                if (fault != null) {
                    acceptor.acceptFailed(fault);
                    return;
                }
                MemoryTransport transport = backlog.removeFirst();
                opened(transport);
                acceptor.accepted(transport);
            }
        }
    }

    /// Represents a connection that the loop tries to open. The test answers it once, by [#accept]
    /// or [#refuse]. The loop learns the result in its next turn.
    public static final class Dial {
        private final MemoryNetwork network;
        private final SocketAddress address;
        private final Connecting then;
        private @Nullable MemoryTransport transport;
        private @Nullable IOException fault;

        private Dial(MemoryNetwork network, SocketAddress address, Connecting then) {
            this.network = network;
            this.address = address;
            this.then = then;
        }

        /// Accepts the connection and returns its other end.
        public MemoryPeer accept() {
            SocketAddress local =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), network.nextPort());
            MemoryTransport made = new MemoryTransport(network, local, address);
            transport = made;
            network.answered.addLast(this);
            return made.remote();
        }

        /// Refuses the connection.
        public void refuse() {
            network.answered.addLast(this);
        }

        /// Lets the connect fail for another reason than a refusal.
        public void fail(IOException why) {
            fault = why;
            refuse();
        }

        private void tell() {
            @Nullable MemoryTransport made = transport;
            @Nullable IOException why = fault;
            if (made == null) {
                then.connectFailed(
                        why == null ? new ConnectException("Connection refused: " + address) : why);
            } else {
                network.opened(made);
                then.connected(made);
            }
        }
    }
}
