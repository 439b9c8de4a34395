package dev.serval.net.epoll;

import dev.serval.net.Conduit;
import dev.serval.net.LooseSocket;
import dev.serval.net.Readiness;
import dev.serval.net.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// A connected socket of an [EpollNetwork]. It is registered only if the connection has to wait.
/// Owned by the loop, but for [#local] and [#peer].
final class EpollTransport implements Transport, EpollInstance.Registered {
    private static final int UNREGISTERED = -1;
    private static final long NEVER = Long.MAX_VALUE;

    private final EpollNetwork network;
    private final Syscalls calls;
    private final int fd;
    private final SocketAddress peer;
    private volatile SocketAddress local;
    private Readiness readiness = Readiness.NONE;
    private int interest = UNREGISTERED;
    private long emptyAtPoll = NEVER; // the poll after which a read found no more bytes
    private boolean outputEnded;
    private boolean open = true; // written under the lock

    /// @param local the local address; a wildcard address is replaced by the connection's own on
    ///     first use
    EpollTransport(EpollNetwork network, int fd, SocketAddress local, SocketAddress peer) {
        this.network = network;
        this.calls = network.calls();
        this.fd = fd;
        this.local = local;
        this.peer = peer;
    }

    /// Adopts a descriptor that is already registered.
    void takeOver(int present) {
        interest = present;
        network.instance().retarget(fd, this);
    }

    /// Returns the local address. If the connection is closed before the first call, that is the
    /// address that the server listens at. Any thread.
    @Override
    public SocketAddress local() {
        SocketAddress known = local;
        if (known instanceof InetSocketAddress inet && inet.getAddress().isAnyLocalAddress()) {
            known = ownName(known);
            local = known;
        }
        return known;
    }

    /// Returns the peer's address. Any thread.
    @Override
    public SocketAddress peer() {
        return peer;
    }

    @Override
    public void attach(Readiness told) {
        readiness = told;
    }

    @Override
    public void ready(int events) {
        emptyAtPoll = NEVER;
        boolean broken = (events & (Syscalls.EPOLLERR | Syscalls.EPOLLHUP)) != 0;
        if (broken && interest == 0) {
            // What has arrived can still be read. The poller would report the end again and again.
            network.instance().unregister(fd);
            interest = UNREGISTERED;
            if (!outputEnded || (events & Syscalls.EPOLLERR) != 0) {
                readiness.broken();
            }
            return;
        }
        readiness.ready(
                broken || (events & Syscalls.EPOLLIN) != 0,
                broken || (events & Syscalls.EPOLLOUT) != 0);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int room = into.remaining();
        long n = calls.receive(fd, BufferAddress.of(into), room);
        // The end of the stream may follow bytes that fit; only the next poll reports it.
        emptyAtPoll =
                n == -Syscalls.EAGAIN || (n > 0 && n < room) ? network.instance().polls() : NEVER;
        if (n > 0) {
            into.position(into.position() + (int) n);
            return (int) n;
        }
        if (n == 0) {
            return -1;
        }
        return (int) orNothing(n);
    }

    /// Moves bytes that have been received into an empty pipe.
    ///
    /// @return as [#read]
    int moveInto(int pipe, int most, int flags) throws IOException {
        long n = calls.splice(fd, pipe, most, flags);
        emptyAtPoll = n == -Syscalls.EAGAIN ? network.instance().polls() : NEVER;
        return n == 0 ? -1 : (int) orNothing(n);
    }

    @Override
    public boolean sendsConduits() {
        return true;
    }

    @Override
    public long transfer(Conduit from, long count) throws IOException {
        if (from instanceof EpollConduit pipe) {
            return orNothing(pipe.moveInto(fd, count));
        }
        throw new IllegalArgumentException("Not a conduit of epoll: " + from);
    }

    @Override
    public boolean mayHaveInput() {
        return network.instance().polls() <= emptyAtPoll || network.instance().isReported(fd);
    }

    @Override
    public long acknowledged() {
        return network.options().acknowledged(fd);
    }

    @Override
    public void acknowledgeNow() {
        if (peer instanceof InetSocketAddress) {
            network.options().acknowledgeNow(fd);
        }
    }

    @Override
    public void keepAlive() {
        if (peer instanceof InetSocketAddress) {
            try {
                network.options().keepAlive(fd);
            } catch (IOException e) {
                // The next read or write fails, too.
            }
        }
    }

    @Override
    public int write(ByteBuffer part) throws IOException {
        return write(part, Syscalls.MSG_NOSIGNAL);
    }

    @Override
    public int writeBeforeFile(ByteBuffer part) throws IOException {
        return write(part, Syscalls.MSG_NOSIGNAL | Syscalls.MSG_MORE);
    }

    private int write(ByteBuffer part, int flags) throws IOException {
        int n = (int) orNothing(network.buffers().send(fd, part, flags));
        part.position(part.position() + n);
        return n;
    }

    @Override
    public long write(ByteBuffer[] parts, int count) throws IOException {
        long n = orNothing(network.buffers().send(fd, parts, count));
        BufferCalls.skip(parts, count, n);
        return n;
    }

    @Override
    public long transfer(FileChannel file, long position, long count) throws IOException {
        return orNothing(network.buffers().sendFile(fd, file, position, count));
    }

    @Override
    public void interest(boolean read, boolean write) {
        int wanted = (read ? Syscalls.EPOLLIN : 0) | (write ? Syscalls.EPOLLOUT : 0);
        if (wanted == interest) {
            return;
        }
        if (interest == UNREGISTERED) {
            network.instance().register(fd, wanted, this);
        } else {
            network.instance().change(fd, wanted);
        }
        interest = wanted;
        emptyAtPoll = NEVER; // the polls before may have reported no input
    }

    @Override
    public void shutdownOutput() throws IOException {
        orNothing(calls.shutdown(fd, Syscalls.SHUT_WR));
        outputEnded = true;
    }

    @Override
    public LooseSocket release() {
        synchronized (this) {
            open = false;
        }
        if (interest != UNREGISTERED) {
            interest = UNREGISTERED;
            network.instance().leave(fd);
        }
        return new EpollNetwork.LooseDescriptor(fd, local, peer);
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            network.instance().closeFd(fd);
        }
    }

    @Override
    public void reset() {
        if (open) {
            try {
                network.options().setLinger(fd);
            } finally { // also if no memory was left
                close();
            }
        }
    }

    /// Returns the count, or 0 if the socket is not ready.
    ///
    /// @throws IOException if the call failed
    private static long orNothing(long result) throws IOException {
        if (result >= 0) {
            return result;
        }
        if (result == -Syscalls.EAGAIN || result == -Syscalls.EINTR) {
            return 0;
        }
        throw new IOException(Syscalls.text(result));
    }

    /// Asks the system for the local address. The lock keeps the loop from closing the descriptor
    /// meanwhile: its number would then be that of another connection.
    private synchronized SocketAddress ownName(SocketAddress otherwise) {
        if (!open) {
            return otherwise;
        }
        try {
            return SocketAddresses.local(fd);
        } catch (IOException e) {
            return otherwise; // the peer has disconnected
        }
    }
}
