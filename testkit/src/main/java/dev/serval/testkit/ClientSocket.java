package dev.serval.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A non-blocking client socket, TCP or Unix-domain, with a selector to wait for it. Owned by the
/// thread of its test.
final class ClientSocket {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final @Nullable TlsLayer tls;
    private boolean closed;

    private ClientSocket(SocketChannel channel, @Nullable TlsLayer tls) throws IOException {
        this.channel = channel;
        this.tls = tls;
        channel.configureBlocking(false);
        this.selector = Selector.open();
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    /// Connects to an address.
    ///
    /// @param receiveBytes approximate size of the receive buffer; 0 for the system's default
    static ClientSocket connect(SocketAddress address, int receiveBytes) {
        try {
            boolean unix = address instanceof UnixDomainSocketAddress;
            SocketChannel channel =
                    unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
            if (!unix) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            if (receiveBytes > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
            }
            channel.connect(address);
            return new ClientSocket(channel, null);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + address, e);
        }
    }

    /// Connects with TLS to an address, and completes the handshake.
    static ClientSocket connect(SocketAddress address, TlsClient client) {
        try {
            SocketChannel channel = SocketChannel.open(address);
            boolean agreed = false;
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                TlsLayer tls = new TlsLayer(channel, client);
                tls.agree();
                agreed = true;
                return new ClientSocket(channel, tls);
            } finally {
                if (!agreed) {
                    channel.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + address, e);
        }
    }

    /// Reads the available bytes.
    ///
    /// @return number of bytes; 0 if none are available; -1 if the server has finished sending
    int read(ByteBuffer into) throws IOException {
        return tls == null ? channel.read(into) : tls.read(into);
    }

    /// Writes as much as the socket accepts at once.
    int write(ByteBuffer from) throws IOException {
        return tls == null ? channel.write(from) : tls.write(from);
    }

    /// Finishes sending (half-close). Reading continues.
    void finish() throws IOException {
        if (tls != null) {
            tls.end();
        }
        channel.shutdownOutput();
    }

    /// Waits until one of the operations is possible, at most `millis` milliseconds.
    void await(int operations, long millis) {
        try {
            key.interestOps(
                    tls != null && tls.waits() ? operations | SelectionKey.OP_WRITE : operations);
            selector.select(_ -> {}, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Closes with a reset (RST), so that the server's reads and writes fail.
    void reset() {
        if (closed) {
            return;
        }
        try {
            selector.close();
            channel.configureBlocking(true);
            if (channel.getLocalAddress() instanceof InetSocketAddress) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        close();
    }

    void close() {
        closed = true;
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
