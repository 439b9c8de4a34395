package dev.serval.net.nio;

import dev.serval.net.LooseSocket;
import dev.serval.net.Readiness;
import dev.serval.net.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// A connected java.nio channel. It is registered with the selector only if the connection has to
/// wait: a connection whose only request has already arrived is never registered.
final class NioTransport implements Transport, NioNetwork.Registered {
    /// The most bytes of a write from the heap. The JDK copies all that it is given to a direct buffer, which
    /// the thread keeps, also if the socket then takes little of it.
    private static final int HEAP_MAX_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final Selector selector;
    private final SocketAddress local;
    private final SocketAddress peer;
    private @Nullable SelectionKey key;
    private Readiness readiness = Readiness.NONE;
    private int ops;

    NioTransport(
            SocketChannel channel, Selector selector, SocketAddress local, SocketAddress peer) {
        this.channel = channel;
        this.selector = selector;
        this.local = local;
        this.peer = peer;
    }

    /// Adopts a key that the channel already has.
    void take(SelectionKey present) {
        key = present;
        present.attach(this);
        ops = present.interestOps();
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
    public void ready() {
        @Nullable SelectionKey present = key;
        if (present != null && present.isValid()) {
            int ready = present.readyOps();
            readiness.ready(
                    (ready & SelectionKey.OP_READ) != 0, (ready & SelectionKey.OP_WRITE) != 0);
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    /// Does nothing on systems that have no TCP_QUICKACK, and for Unix-domain sockets.
    @Override
    public void acknowledgeNow() {
        if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_QUICKACK)) {
            try {
                channel.setOption(ExtendedSocketOptions.TCP_QUICKACK, true);
            } catch (IOException e) {
                // The system acknowledges later.
            }
        }
    }

    @Override
    public void keepAlive() {
        if (peer instanceof InetSocketAddress) {
            try {
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                set(ExtendedSocketOptions.TCP_KEEPIDLE, SILENCE_SECONDS);
                set(ExtendedSocketOptions.TCP_KEEPINTERVAL, PROBE_SECONDS);
                set(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
            } catch (IOException e) {
                // The next read or write fails, too.
            }
        }
    }

    private void set(SocketOption<Integer> option, int value) throws IOException {
        if (channel.supportedOptions().contains(option)) { // not on every system
            channel.setOption(option, value);
        }
    }

    @Override
    public int write(ByteBuffer part) throws IOException {
        if (!isLong(part)) {
            return channel.write(part);
        }
        int limit = part.limit();
        part.limit(part.position() + HEAP_MAX_BYTES);
        try {
            return channel.write(part);
        } finally {
            part.limit(limit);
        }
    }

    /// Announces nothing, since java.nio has no option for it.
    @Override
    public int writeBeforeFile(ByteBuffer part) throws IOException {
        return write(part);
    }

    @Override
    public long write(ByteBuffer[] parts, int count) throws IOException {
        if (isLong(parts[0])) {
            return write(parts[0]);
        }
        int some = 1;
        while (some < count && !isLong(parts[some])) {
            some++;
        }
        return channel.write(parts, 0, some);
    }

    private static boolean isLong(ByteBuffer part) {
        return !part.isDirect() && part.remaining() > HEAP_MAX_BYTES;
    }

    @Override
    public long transfer(FileChannel file, long position, long count) throws IOException {
        return file.transferTo(position, count, channel);
    }

    @Override
    public void interest(boolean read, boolean write) {
        int wanted = (read ? SelectionKey.OP_READ : 0) | (write ? SelectionKey.OP_WRITE : 0);
        if (wanted == ops) {
            return;
        }
        ops = wanted;
        @Nullable SelectionKey present = key;
        if (present != null) {
            present.interestOps(wanted);
            return;
        }
        try {
            key = channel.register(selector, wanted, this);
        } catch (ClosedChannelException e) {
            throw new IllegalStateException("A closed connection cannot be registered", e);
        }
    }

    @Override
    public LooseSocket release() {
        @Nullable SelectionKey present = key;
        if (present != null) {
            present.cancel();
        }
        return new NioNetwork.LooseChannel(channel, local, peer);
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The descriptor is released even if close fails.
        }
    }

    @Override
    public void reset() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException | UnsupportedOperationException e) {
            // A Unix-domain socket has no reset, so it can only be closed.
        }
        close();
    }
}
