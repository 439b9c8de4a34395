package dev.serval.net;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Connections without sockets: whoever turns the loop by hand holds the other ends as
/// [MemoryPeer]s. A poll never sleeps, so it serves tests and measurements that need every step in
/// their own hands. Owned by one thread, which also turns the loop.
public final class MemoryNetwork implements Network {
    private static final int FIRST_PORT = 49152;

    private final List<MemoryListening> listening = new ArrayList<>();
    private final List<MemoryTransport> open = new ArrayList<>();
    private final List<MemoryTransport> noted = new ArrayList<>();
    private final ArrayDeque<Dial> dials = new ArrayDeque<>();
    private final ArrayDeque<Dial> answered = new ArrayDeque<>();
    private @Nullable IOException acceptFault;
    private int nextPort = FIRST_PORT;

    /// Nobody listens, nothing is open.
    public MemoryNetwork() {}

    // What the other ends call

    /// Connects a client to whoever listens at `address`; accepted in the next turn.
    ///
    /// @throws NoSuchElementException where nobody listens
    public MemoryPeer client(SocketAddress address) {
        return client(address, new InetSocketAddress(InetAddress.getLoopbackAddress(), nextPort()));
    }

    /// As the other `client`, from an address of its own.
    public MemoryPeer client(SocketAddress address, SocketAddress from) {
        for (MemoryListening one : listening) {
            if (one.address.equals(address)) {
                MemoryTransport transport = new MemoryTransport(this, one.address, from);
                one.backlog.addLast(transport);
                return transport.remote();
            }
        }
        throw new NoSuchElementException("Nobody listens at " + address);
    }

    /// Lets every accept fail with `fault`, as a system without descriptors does; null to recover.
    public void failAccepts(@Nullable IOException fault) {
        acceptFault = fault;
    }

    /// The oldest [#connect] that was not answered yet; its [Dial] is answered by the caller.
    ///
    /// @throws NoSuchElementException where there is none
    public Dial dialled() {
        return dials.removeFirst();
    }

    /// Transports that were not closed.
    public int open() {
        return open.size();
    }

    // Network

    @Override
    public SocketAddress probe(SocketAddress address) throws BindException {
        return free(address, false);
    }

    @Override
    public Listening listen(SocketAddress address, boolean shared, int backlog, Acceptor acceptor)
            throws BindException {
        SocketAddress bound = free(address, shared);
        MemoryListening socket = new MemoryListening(bound, shared, acceptor);
        listening.add(socket);
        return socket;
    }

    @Override
    public void connect(SocketAddress address, Connecting then) {
        dials.addLast(new Dial(this, address, then));
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
    public void dispatch() {
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
        // The loop is turned by the thread of its test.
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

    /// Somebody listens.
    private final class MemoryListening implements Listening {
        private final SocketAddress address;
        private final boolean shared;
        private final Acceptor acceptor;
        private final ArrayDeque<MemoryTransport> backlog = new ArrayDeque<>();
        private boolean accepting = true;

        MemoryListening(SocketAddress address, boolean shared, Acceptor acceptor) {
            this.address = address;
            this.shared = shared;
            this.acceptor = acceptor;
        }

        @Override
        public void accepting(boolean on) {
            accepting = on;
        }

        @Override
        public void close() {
            acceptAll();
            listening.remove(this);
        }

        void accept() {
            if (accepting) {
                acceptAll();
            }
        }

        private void acceptAll() {
            while (!backlog.isEmpty()) {
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

    /// A connection somebody on the loop asked for. Answered once, by [#accept] or [#refuse]; the
    /// loop hears of it in its next turn.
    public static final class Dial {
        private final MemoryNetwork network;
        private final SocketAddress address;
        private final Connecting then;
        private @Nullable MemoryTransport transport;

        private Dial(MemoryNetwork network, SocketAddress address, Connecting then) {
            this.network = network;
            this.address = address;
            this.then = then;
        }

        /// Lets it succeed.
        public MemoryPeer accept() {
            SocketAddress local =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), network.nextPort());
            MemoryTransport made = new MemoryTransport(network, local, address);
            transport = made;
            network.answered.addLast(this);
            return made.remote();
        }

        /// Lets it fail.
        public void refuse() {
            network.answered.addLast(this);
        }

        private void tell() {
            @Nullable MemoryTransport made = transport;
            if (made == null) {
                then.connectFailed(new ConnectException("Connection refused: " + address));
            } else {
                network.opened(made);
                then.connected(made);
            }
        }
    }
}
