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
    private final @Nullable ClientTls tls; // null in the clear
    private ByteBuffer out = NOTHING;
    private boolean begun; // the conversation
    private boolean reads = true;
    private boolean open = true;

    /// Takes over an open socket.
    ///
    /// @param tls encrypts what is sent; null in the clear
    LoadConnection(
            LoadEngine engine,
            Transport transport,
            Conversation conversation,
            @Nullable ClientTls tls) {
        this.engine = engine;
        this.transport = transport;
        this.conversation = conversation;
        this.tls = tls;
        transport.attach(this);
    }

    /// Begins the conversation, over TLS after the handshake.
    void start() {
        try {
            if (tls != null) {
                tls.begin();
                interest();
            } else {
                interest();
                begin();
            }
        } catch (IOException e) {
            end(e);
        }
    }

    private void begin() throws IOException {
        begun = true;
        conversation.connected(this);
    }

    /// Closes the connection if its conversation has not begun.
    void abandon() {
        if (!begun) {
            close();
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
            } else if (open && writable && tls != null) {
                tls.flush();
                interest();
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
        } else if (n > 0 && tls != null) {
            receive(tls, in.flip());
        } else if (n > 0) {
            conversation.received(in.flip());
        }
    }

    private void receive(ClientTls by, ByteBuffer records) throws IOException {
        ByteBuffer content = by.open(records);
        if (!begun && by.isOpen()) {
            begin();
        }
        if (open && content.hasRemaining()) {
            conversation.received(content);
        }
        if (by.isEnded()) {
            end(null);
        }
        interest();
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
            n = tls == null ? transport.write(out) : tls.write(out);
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
            boolean waits = tls != null && tls.hasUnsent();
            transport.interest(reads, waits || out.hasRemaining());
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
            if (tls != null) {
                tls.end();
            }
            transport.close();
        }
    }
}
