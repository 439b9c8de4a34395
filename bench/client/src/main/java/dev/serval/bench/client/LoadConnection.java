package dev.serval.bench.client;

import dev.serval.net.Readiness;
import dev.serval.net.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One connection of a [LoadEngine]. Only the engine's thread uses it.
public final class LoadConnection implements Readiness {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final LoadEngine engine;
    private final Transport transport;
    private final Conversation conversation;
    private ByteBuffer out = NOTHING;
    private boolean reads = true;
    private boolean open = true;

    /// Takes over an open socket.
    LoadConnection(LoadEngine engine, Transport transport, Conversation conversation) {
        this.engine = engine;
        this.transport = transport;
        this.conversation = conversation;
        transport.attach(this);
    }

    /// Begins the conversation.
    void start() {
        try {
            interest();
            conversation.connected(this);
        } catch (IOException e) {
            end(e);
        }
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        try {
            if (open && readable && reads) {
                receive();
            }
            if (open && writable && out.hasRemaining()) {
                flush();
            }
        } catch (IOException e) {
            end(e);
        }
    }

    @Override
    public void broken() {
        end(new IOException("The connection was lost"));
    }

    private void receive() throws IOException {
        ByteBuffer in = engine.buffer();
        int n = transport.read(in);
        if (n < 0) {
            end(null);
        } else if (n > 0) {
            conversation.received(in.flip());
        }
    }

    private void end(@Nullable IOException cause) {
        if (open) {
            close();
            conversation.ended(cause);
        }
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
        int n = 1;
        while (n > 0 && out.hasRemaining()) {
            n = transport.write(out);
        }
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
        if (open) {
            transport.interest(reads, out.hasRemaining());
        }
    }

    /// Closes with a reset (RST).
    public void reset() {
        if (open) {
            open = false;
            transport.reset();
        }
    }

    /// Closes the connection. The conversation hears no more of it.
    public void close() {
        if (open) {
            open = false;
            transport.close();
        }
    }
}
