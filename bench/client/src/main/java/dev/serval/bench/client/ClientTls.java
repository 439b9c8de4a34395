package dev.serval.bench.client;

import dev.serval.net.Transport;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/// The client's side of TLS on one connection of a [LoadEngine], by the JDK's engine. Every connection
/// makes a full handshake. What the JDK's engine would leave to another thread is done at once, because
/// a load has one thread.
///
/// A connection keeps only an incomplete record, and what the socket does not take. All other bytes are
/// in arrays that the connections of a load share, because a user who thinks needs none.
final class ClientTls {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// More than a record can have.
    private static final int RECORD_MAX_BYTES = 34 << 10;

    /// What the connections of a load share.
    static final class Shared {
        private final SSLContext context = TestKeys.trustingLocal();
        private final ByteBuffer received;
        private final ByteBuffer content;
        private final ByteBuffer sealed = ByteBuffer.allocate(RECORD_MAX_BYTES);

        /// @param readBytes the most bytes that are received at once
        Shared(int readBytes) {
            received = ByteBuffer.allocate(RECORD_MAX_BYTES + readBytes);
            content = ByteBuffer.allocate(received.capacity());
        }
    }

    private final Shared shared;
    private final Transport socket;
    private final SSLEngine engine;
    private ByteBuffer rest = NOTHING; // received of a record whose end is missing
    private ByteBuffer unsent = NOTHING; // records that the socket has not taken

    ClientTls(Shared shared, Transport socket) {
        this.shared = shared;
        this.socket = socket;
        this.engine = shared.context.createSSLEngine(); // without an address: resumes nothing
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName("localhost")));
        engine.setSSLParameters(parameters);
    }

    /// Begins the handshake.
    void begin() throws IOException {
        engine.beginHandshake();
        seal(NOTHING);
    }

    /// Returns whether the handshake has ended and the connection has not.
    boolean isOpen() {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING && !isEnded();
    }

    /// Returns whether the server has ended the connection (close_notify).
    boolean isEnded() {
        return engine.isInboundDone();
    }

    /// Returns whether records wait for room in the socket.
    boolean hasUnsent() {
        return unsent.hasRemaining();
    }

    /// Opens the records that are complete with these bytes, and continues the handshake.
    ///
    /// @return their content, which is valid until the next call on any connection of the load
    ByteBuffer open(ByteBuffer bytes) throws IOException {
        ByteBuffer received = shared.received.clear().put(rest).put(bytes).flip();
        ByteBuffer content = shared.content.clear();
        boolean progress = true;
        while (progress) {
            progress =
                    switch (engine.getHandshakeStatus()) {
                        case NEED_TASK -> work();
                        case NEED_WRAP -> seal(NOTHING);
                        default -> received.hasRemaining() && opens(received, content);
                    };
        }
        rest = copy(received);
        return content.flip();
    }

    private boolean work() {
        for (Runnable task = engine.getDelegatedTask(); task != null; ) {
            task.run();
            task = engine.getDelegatedTask();
        }
        return true;
    }

    private boolean opens(ByteBuffer received, ByteBuffer content) throws IOException {
        Status status = engine.unwrap(received, content).getStatus();
        if (status == Status.BUFFER_OVERFLOW) {
            throw new SSLException("A record has more content than was received");
        }
        return status == Status.OK;
    }

    /// Seals content, at most one record, and sends what the socket takes.
    ///
    /// @return whether there was a record
    private boolean seal(ByteBuffer content) throws IOException {
        ByteBuffer sealed = shared.sealed.clear();
        SSLEngineResult result = engine.wrap(content, sealed);
        sealed.flip();
        if (unsent.hasRemaining()) {
            ByteBuffer both = ByteBuffer.allocate(unsent.remaining() + sealed.remaining());
            unsent = both.put(unsent).put(sealed).flip();
        } else {
            send(sealed);
            unsent = copy(sealed);
        }
        return result.getStatus() == Status.OK && result.bytesProduced() > 0;
    }

    /// Sends content, as far as the socket takes it.
    ///
    /// @return how many bytes are sent, or wait as a record ([#hasUnsent])
    int write(ByteBuffer content) throws IOException {
        flush();
        if (unsent.hasRemaining()) {
            return 0;
        }
        int before = content.remaining();
        seal(content);
        return before - content.remaining();
    }

    /// Sends the records that wait, as far as the socket takes them.
    void flush() throws IOException {
        send(unsent);
    }

    /// Says that the client ends the connection (close_notify), if the socket takes it.
    void end() {
        engine.closeOutbound();
        try {
            seal(NOTHING);
        } catch (IOException e) {
            return; // nobody is there to hear it
        }
    }

    private void send(ByteBuffer records) throws IOException {
        int n = 1;
        while (n > 0 && records.hasRemaining()) {
            n = socket.write(records);
        }
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return bytes.hasRemaining()
                ? ByteBuffer.allocate(bytes.remaining()).put(bytes).flip()
                : NOTHING;
    }
}
