package dev.serval.bench.client;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/// Drives the connections of a load in one thread without blocking. What they send and expect is up
/// to their [Conversation].
public final class LoadEngine implements AutoCloseable {

    private static final int READ_BYTES = 256 << 10;

    private final Selector selector = Selector.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);

    /// Creates an engine without connections.
    public LoadEngine() throws IOException {}

    /// Connects and waits for the connection. On the loopback address that saves two turns.
    public LoadConnection connect(SocketAddress server, Conversation conversation)
            throws IOException {
        return adopt(SocketChannel.open(server), conversation);
    }

    /// Takes over a channel that is connected.
    public LoadConnection adopt(SocketChannel channel, Conversation conversation)
            throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new LoadConnection(channel, selector, conversation, in);
    }

    /// Begins to connect. The conversation continues with [Conversation#connected].
    public void connectLater(SocketAddress server, Conversation conversation) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            if (channel.connect(server)) {
                conversation.connected(adopt(channel, conversation));
            } else {
                new LoadConnection(channel, selector, conversation, in);
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// Waits for events, at most so many milliseconds, and handles them.
    public void turn(long millis) throws IOException {
        selector.select(LoadEngine::ready, millis);
    }

    private static void ready(SelectionKey key) {
        ((LoadConnection) key.attachment()).ready();
    }

    /// Ends the wait of [#turn]. Any thread.
    public void wakeUp() {
        selector.wakeup();
    }

    /// Closes all connections.
    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
