package dev.serval.net.epoll;

import dev.serval.net.Network;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// A socket that is being connected. Owned by the loop.
final class EpollConnecting implements EpollInstance.Registered {
    /// The local address of an outgoing connection until it is asked for.
    private static final SocketAddress ANY_PORT = new InetSocketAddress(0);

    private final EpollNetwork network;
    private final int fd;
    private final SocketAddress address;
    private final Network.Connecting then;
    private boolean over;

    /// Creates the state of an attempt that has begun.
    ///
    /// @param then receives its result
    EpollConnecting(EpollNetwork network, int fd, SocketAddress address, Network.Connecting then) {
        this.network = network;
        this.fd = fd;
        this.address = address;
        this.then = then;
    }

    @Override
    public void ready(int events) {
        over = true;
        int error = network.options().pendingError(fd);
        if (error != 0) {
            network.instance().closeFd(fd);
            then.connectFailed(new IOException(Syscalls.text(error)));
            return;
        }
        EpollTransport transport = transport();
        transport.takeOver(Syscalls.EPOLLOUT);
        then.connected(transport);
    }

    /// Passes on a socket that connected at once, unless the attempt was ended since.
    void succeed() {
        if (!over) {
            over = true;
            then.connected(transport());
        }
    }

    /// Ends the attempt, unless it has a result.
    void end() {
        if (!over) {
            over = true;
            network.instance().closeFd(fd);
        }
    }

    private EpollTransport transport() {
        return new EpollTransport(network, fd, ANY_PORT, address);
    }
}
