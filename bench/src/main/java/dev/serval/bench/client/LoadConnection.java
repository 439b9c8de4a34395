package dev.serval.bench.client;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// One connection of a [LoadEngine]. Only the engine's thread uses it.
public final class LoadConnection {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Conversation conversation;
    private final ByteBuffer in;
    private ByteBuffer out = NOTHING;
    private boolean reads = true;

    /// Registers a channel, which may still be connecting.
    ///
    /// @param in the engine's buffer
    LoadConnection(
            SocketChannel channel, Selector selector, Conversation conversation, ByteBuffer in)
            throws IOException {
        this.channel = channel;
        this.conversation = conversation;
        this.in = in;
        boolean connecting = channel.isConnectionPending();
        int events = connecting ? SelectionKey.OP_CONNECT : SelectionKey.OP_READ;
        this.key = channel.register(selector, events, this);
    }

    /// Handles the events of the channel.
    void ready() {
        try {
            if (!key.isValid()) {
                return; // another conversation closed it in this turn
            }
            if (channel.isConnectionPending()) {
                channel.finishConnect();
                interest();
                conversation.connected(this);
            } else {
                if (key.isReadable()) {
                    receive();
                }
                if (key.isValid() && key.isWritable()) {
                    flush();
                }
            }
        } catch (IOException e) {
            end(e);
        }
    }

    private void receive() throws IOException {
        int n = channel.read(in.clear());
        if (n < 0) {
            end(null);
        } else {
            conversation.received(in.flip());
        }
    }

    private void end(@Nullable IOException cause) {
        close();
        conversation.ended(cause);
    }

    /// Sends these bytes, and what the socket does not take as soon as it has room.
    public void send(ByteBuffer bytes) throws IOException {
        out = bytes;
        flush();
    }

    /// Sends these bytes as soon as the socket has room, but not at once.
    public void sendLater(ByteBuffer bytes) {
        out = bytes;
        interest();
    }

    private void flush() throws IOException {
        channel.write(out);
        if (!out.hasRemaining()) {
            conversation.sent();
        }
        interest();
    }

    /// Reads nothing from now on.
    public void stopReading() {
        reads = false;
        interest();
    }

    private void interest() {
        int wanted =
                (reads ? SelectionKey.OP_READ : 0)
                        | (out.hasRemaining() ? SelectionKey.OP_WRITE : 0);
        if (key.isValid() && key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    /// Closes with a reset (RST).
    public void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        close();
    }

    /// Closes the connection. The conversation hears no more of it.
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Closed or not, this end does nothing more with it.
            return;
        }
    }
}
