package dev.serval.net;

import dev.serval.loop.ThreadClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Provides the sockets of one loop by one kind of system calls. Owned by the loop, except
/// [#wakeup].
public interface Network {
    /// Says what a network of another kind cannot do.
    String WITHOUT_DESCRIPTORS =
            "Listening sockets pass between processes only with the epoll transport of Linux, which"
                    + " this server does not use";

    /// Represents a listening socket.
    interface Listening {
        /// Stands for a socket that is not open yet, or is closed.
        Listening NONE =
                new Listening() {
                    @Override
                    public void begin() {}

                    @Override
                    public void accepting(boolean on) {}

                    @Override
                    public void close() {}
                };

        /// Begins to listen and to accept. Called once.
        ///
        /// @throws java.net.BindException if the system refuses it
        void begin() throws IOException;

        /// Pauses or resumes accepting, after [#begin].
        void accepting(boolean on);

        /// Changes how many connections the system queues, if this kind of network can.
        default void backlog(int connections) {}

        /// Has the system queue at most that many connections from now on, or its backlog if that is
        /// fewer, if this kind of network can. Has no effect before [#begin].
        default void queueAtMost(int connections) {}

        /// Closes the socket. Connections that the system has already completed are handed over
        /// first, but not without end those that it completes meanwhile.
        void close();

        /// Closes the socket and leaves the connections that wait, because another process accepts
        /// them.
        default void leave() {
            close();
        }

        /// Returns a duplicate of the socket's descriptor, for another process. The caller closes it.
        ///
        /// @throws IOException if this kind of network has no descriptors, or none is free
        default int duplicate() throws IOException {
            throw new IOException(WITHOUT_DESCRIPTORS);
        }
    }

    /// Receives the connections of a listening socket.
    interface Acceptor {
        /// Receives a new connection.
        void accepted(Transport transport);

        /// Returns whether connections may be accepted now. If not, the acceptor pauses and resumes
        /// accepting by itself.
        default boolean mayAccept() {
            return true;
        }

        /// Handles a failed accept, usually because file descriptors or memory ran out.
        void acceptFailed(IOException why);
    }

    /// This process or machine has no means for another socket, such as a free descriptor. The other end
    /// has no part in that.
    final class NoMeans extends IOException {
        private static final long serialVersionUID = 1;

        /// Creates it.
        public NoMeans(String what) {
            super(what);
        }
    }

    /// Receives the result of a connect.
    interface Connecting {
        /// Receives the open transport.
        void connected(Transport transport);

        /// Receives the error.
        void connectFailed(IOException why);
    }

    /// What a listening socket is to be bound to.
    ///
    /// @param shared whether other sockets of this process listen at the same address
    ///     (SO_REUSEPORT); ignored for Unix-domain addresses
    /// @param ownerOnly whether only the user of this process may connect to a Unix-domain socket, from
    ///     the moment at which its file exists; ignored for other addresses
    /// @param backlog how many connections the system queues
    record Binding(SocketAddress address, boolean shared, boolean ownerOnly, int backlog) {}

    /// Binds a socket, which neither listens nor accepts until [Listening#begin]. With java.nio, the
    /// system completes connections from here on; they wait.
    ///
    /// @throws java.net.BindException if the address is in use
    Listening bind(Binding binding, Acceptor acceptor) throws IOException;

    /// Returns a listening socket that another process may use too. Nothing is accepted until
    /// [Listening#begin]. The descriptor stays open; the network uses a duplicate.
    ///
    /// @param address the address of the socket
    /// @throws IOException if this kind of network has no descriptors, or this one is of no use
    default Listening inherit(int descriptor, SocketAddress address, Acceptor acceptor)
            throws IOException {
        throw new IOException(WITHOUT_DESCRIPTORS);
    }

    /// Checks that the address is free. Any thread. A shared socket cannot check this, because the system lets
    /// another process of the same user share the address and take half of the connections. The
    /// check binds a socket but does not listen, so that it takes no client.
    ///
    /// @return the address, with the chosen port if it has none
    /// @throws java.net.BindException if the address is in use or does not belong to this machine
    default SocketAddress probe(SocketAddress address) throws IOException {
        try (SocketChannel probe = SocketChannel.open()) {
            probe.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            probe.bind(address);
            boolean anyPort = address instanceof InetSocketAddress asked && asked.getPort() == 0;
            return anyPort ? probe.getLocalAddress() : address;
        }
    }

    /// Starts to connect. `then` receives the result in a later turn, or an error at once.
    ///
    /// @return ends the attempt if it has no result yet; then `then` receives none
    Runnable connect(SocketAddress address, Connecting then);

    /// Starts to connect from a local address, for more connections to one address than there are
    /// ports, or for a server that tells clients apart by their address. Otherwise as the other
    /// `connect`.
    ///
    /// @param from the local address; the system chooses a port if it is 0
    default Runnable connect(InetSocketAddress from, SocketAddress address, Connecting then) {
        then.connectFailed(new IOException("This kind of network has no local addresses"));
        return () -> {};
    }

    /// Takes a socket that another loop released ([Transport#release]).
    ///
    /// @throws IllegalArgumentException if the socket is of another kind of network
    Transport adopt(LooseSocket socket);

    /// Returns what measures how long threads have computed, for one thread of the caller.
    default ThreadClock threadClock() {
        return ThreadClock.NONE;
    }

    /// Reads bytes of a file that the system has in memory, without waiting for a disk. The positions of
    /// the first `count` buffers, which are direct, move on.
    ///
    /// @return bytes read; 0 if the system does not have them in memory, or cannot say that
    default long readNow(FileChannel file, long position, ByteBuffer[] into, int count) {
        return 0;
    }

    /// Makes an empty conduit; null if this kind of network has none, or the system has no memory or
    /// descriptors for it.
    default @Nullable Conduit conduit() {
        return null;
    }

    /// Returns whether [#watch] works.
    default boolean watches() {
        return false;
    }

    /// Calls `ready` in each turn in which a descriptor is readable. The caller reads from it, and closes
    /// it after this network.
    ///
    /// @throws UnsupportedOperationException if this kind of network has no descriptors
    default void watch(int descriptor, Runnable ready) {
        throw new UnsupportedOperationException();
    }

    /// See [dev.serval.loop.Poller#poll].
    void poll(long timeoutNanos);

    /// See [dev.serval.loop.Poller#dispatch].
    void dispatch(BooleanSupplier enough);

    /// See [dev.serval.loop.Poller#wakeup]. Any thread.
    void wakeup();

    /// Closes every socket.
    void close();
}
