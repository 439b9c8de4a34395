package dev.serval.net.memory;

import dev.serval.net.LooseSocket;
import dev.serval.net.Readiness;
import dev.serval.net.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The loop's end of a connection in memory. The other end is a [MemoryPeer]. It behaves as a
/// socket does:
///
/// - A write takes no more bytes than the peer's window.
/// - After a reset, writes fail, and reads after what had arrived.
/// - Closing with unread bytes resets the peer (RFC 9112 §9.6 describes this problem).
final class MemoryTransport implements Transport, LooseSocket {
    private static final int SCRATCH_BYTES = 16 << 10;

    private MemoryNetwork network;
    private final SocketAddress local;
    private final SocketAddress peer;
    private final MemoryPeer remote = new MemoryPeer();
    private final ByteBuffer scratch = ByteBuffer.allocate(SCRATCH_BYTES);
    private Readiness readiness = Readiness.NONE;
    private boolean registered;
    private boolean wantsRead;
    private boolean wantsWrite;

    MemoryTransport(MemoryNetwork network, SocketAddress local, SocketAddress peer) {
        this.network = network;
        this.local = local;
        this.peer = peer;
    }

    MemoryPeer remote() {
        return remote;
    }

    /// Returns whether the poller has an event to report.
    boolean isReady() {
        return registered
                && (remote.wasReset()
                        || (wantsRead && remote.isReadable())
                        || (wantsWrite && remote.room() > 0));
    }

    /// Reports the events. As with epoll, a reset is reported even if interest in reading and
    /// writing is off.
    void ready() {
        if (!isReady()) {
            return;
        }
        boolean broken = remote.wasReset();
        if (broken && !wantsRead && !wantsWrite) {
            registered = false; // it would be reported again and again
            readiness.broken();
        } else {
            readiness.ready(
                    broken || (wantsRead && remote.isReadable()),
                    broken || (wantsWrite && remote.room() > 0));
        }
    }

    @Override
    public SocketAddress local() {
        return local;
    }

    @Override
    public SocketAddress peer() {
        return peer;
    }

    @Override
    public void attach(Readiness told) {
        readiness = told;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (remote.isClosed() || remote.unread() == 0) {
            requireOpen();
        }
        return remote.giveTo(into);
    }

    @Override
    public void acknowledgeNow() {
        remote.countAcknowledgement();
    }

    @Override
    public void keepAlive() {
        remote.noteProbes();
    }

    @Override
    public int write(ByteBuffer part) throws IOException {
        requireOpen();
        remote.countWrite();
        return remote.take(part);
    }

    @Override
    public int writeBeforeFile(ByteBuffer part) throws IOException {
        remote.countBeforeFile();
        return write(part);
    }

    @Override
    public long write(ByteBuffer[] parts, int count) throws IOException {
        requireOpen();
        remote.countWrite();
        long written = 0;
        for (int i = 0; i < count; i++) {
            written += remote.take(parts[i]);
            if (parts[i].hasRemaining()) {
                break;
            }
        }
        return written;
    }

    @Override
    public long transfer(FileChannel file, long position, long count) throws IOException {
        requireOpen();
        remote.countWrite();
        long sent = 0;
        while (sent < count && remote.room() > 0) {
            long most = Math.min(remote.room(), count - sent);
            scratch.clear().limit((int) Math.min(scratch.capacity(), most));
            int n = file.read(scratch, position + sent);
            if (n <= 0) {
                break;
            }
            sent += remote.take(scratch.flip());
        }
        return sent;
    }

    @Override
    public void interest(boolean read, boolean write) {
        registered = true;
        wantsRead = read;
        wantsWrite = write;
    }

    @Override
    public LooseSocket release() {
        network.closed(this);
        registered = false;
        readiness = Readiness.NONE;
        return this;
    }

    /// Joins the network of another loop.
    void join(MemoryNetwork other) {
        network = other;
        other.opened(this);
    }

    @Override
    public void shutdownOutput() throws IOException {
        requireOpen();
        remote.seeEnd();
    }

    @Override
    public void close() {
        if (!remote.isClosed()) {
            if (remote.unread() > 0) {
                remote.seeReset();
            }
            remote.seeClose();
            network.closed(this);
        }
    }

    @Override
    public void reset() {
        if (!remote.isClosed()) {
            remote.seeReset();
            close();
        }
    }

    private void requireOpen() throws IOException {
        if (remote.isClosed()) {
            throw new IOException("The connection is closed");
        }
        if (remote.wasReset()) {
            throw new IOException("Connection reset by peer");
        }
    }
}
