package dev.serval.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/// The sockets of one loop, by one kind of system calls. Owned by the loop but for [#wakeup].
public interface Network {
    /// A socket that listens.
    interface Listening {
        /// Stops or goes on telling of new connections.
        void accepting(boolean on);

        /// Closes it; connections that the system had completed already are handed over first.
        void close();
    }

    /// Hears of what a listening socket accepts.
    interface Acceptor {
        /// A new connection.
        void accepted(Transport transport);

        /// Accepting failed, most likely for want of descriptors or memory.
        void acceptFailed(IOException why);
    }

    /// Hears how a connect ended.
    interface Connecting {
        /// It is open.
        void connected(Transport transport);

        /// It failed.
        void connectFailed(IOException why);
    }

    /// Listens.
    ///
    /// @param shared whether other sockets of this process listen at the same address
    ///     (SO_REUSEPORT); ignored for Unix-domain addresses
    /// @throws java.net.BindException where the address is in use
    Listening listen(SocketAddress address, boolean shared, int backlog, Acceptor acceptor)
            throws IOException;

    /// Finds out whether the address is free, which a shared socket would not: the system lets
    /// another process of ours share it and take half of the connections. Binds without listening,
    /// so that no client meets the probe.
    ///
    /// @return the address, with the port that was chosen where it has none
    /// @throws java.net.BindException where the address is in use or not ours
    default SocketAddress probe(SocketAddress address) throws IOException {
        try (SocketChannel probe = SocketChannel.open()) {
            probe.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            probe.bind(address);
            boolean anyPort = address instanceof InetSocketAddress asked && asked.getPort() == 0;
            return anyPort ? probe.getLocalAddress() : address;
        }
    }

    /// Starts to connect; `then` hears of the outcome in a later turn.
    void connect(SocketAddress address, Connecting then);

    /// See [dev.serval.loop.Poller#poll].
    void poll(long timeoutNanos);

    /// See [dev.serval.loop.Poller#dispatch].
    void dispatch();

    /// See [dev.serval.loop.Poller#wakeup]. Any thread.
    void wakeup();

    /// Closes every socket.
    void close();
}
