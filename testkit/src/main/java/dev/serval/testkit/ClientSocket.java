package dev.serval.testkit;

import dev.serval.testkit.layer.Http2Layer;
import dev.serval.testkit.layer.Layer;
import dev.serval.testkit.layer.SocketLayer;
import dev.serval.testkit.mode.Mode;
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
import java.util.function.UnaryOperator;

/// A non-blocking client socket, TCP or Unix-domain, with a selector to wait for it. Owned by the
/// thread of its test.
final class ClientSocket {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final Layer layer;
    private boolean closed;

    private ClientSocket(SocketChannel channel, Layer layer) throws IOException {
        this.channel = channel;
        this.layer = layer;
        channel.configureBlocking(false);
        this.selector = Selector.open();
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    /// Connects to an address.
    ///
    /// @param receiveBytes approximate size of the receive buffer; 0 for the system's default
    static ClientSocket connect(SocketAddress address, int receiveBytes) {
        return plain(address, receiveBytes, below -> below);
    }

    /// Connects in a mode.
    ///
    /// @param receiveBytes approximate size of the receive buffer; 0 for the system's default
    static ClientSocket connect(SocketAddress address, int receiveBytes, Mode mode) {
        if (!mode.isTls()) {
            return plain(address, receiveBytes, above(mode));
        }
        TlsClient client = TlsClient.of(TestKeys.trustingLocal());
        return secured(address, receiveBytes, offering(client, mode), above(mode));
    }

    /// Connects with TLS in a mode that has it.
    static ClientSocket connect(SocketAddress address, TlsClient client, Mode mode) {
        return secured(address, 0, offering(client, mode), above(mode));
    }

    private static TlsClient offering(TlsClient client, Mode mode) {
        return client.offering(mode.isHttp2() ? "h2" : "http/1.1");
    }

    private static UnaryOperator<Layer> above(Mode mode) {
        return mode.isHttp2() ? below -> new Http2Layer(below, mode.scheme()) : below -> below;
    }

    private static ClientSocket plain(
            SocketAddress address, int receiveBytes, UnaryOperator<Layer> above) {
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
            return new ClientSocket(channel, above.apply(new SocketLayer(channel)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + address, e);
        }
    }

    /// Connects with TLS to an address, and completes the handshake.
    static ClientSocket connect(SocketAddress address, TlsClient client) {
        return secured(address, 0, client, below -> below);
    }

    private static ClientSocket secured(
            SocketAddress address, int receiveBytes, TlsClient client, UnaryOperator<Layer> above) {
        try {
            SocketChannel channel = SocketChannel.open();
            boolean agreed = false;
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                if (receiveBytes > 0) {
                    channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
                }
                channel.connect(address);
                TlsLayer tls = new TlsLayer(channel, client);
                tls.agree();
                agreed = true;
                return new ClientSocket(channel, above.apply(tls));
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
        return layer.read(into);
    }

    /// Writes as much as the socket accepts at once.
    int write(ByteBuffer from) throws IOException {
        return layer.write(from);
    }

    /// Finishes sending (half-close). Reading continues.
    void finish() throws IOException {
        layer.end();
    }

    /// Waits until one of the operations is possible, at most `millis` milliseconds.
    void await(int operations, long millis) {
        try {
            int wanted = layer.waits() ? operations | SelectionKey.OP_WRITE : operations;
            key.interestOps(layer.mustRead() ? SelectionKey.OP_READ : wanted);
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
