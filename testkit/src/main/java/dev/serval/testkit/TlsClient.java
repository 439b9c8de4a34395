package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/// The client's side of TLS without a socket, by the JDK's engine: a test moves its bytes. Content
/// that is sent before the handshake is complete waits. Owned by the thread of its test.
public final class TlsClient {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int PORT = 443; // of sessions

    private final SSLEngine engine;
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private final ByteArrayOutputStream toSend = new ByteArrayOutputStream();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final ByteBuffer records = ByteBuffer.allocate(BUFFER_BYTES);
    private byte[] received = {};
    private boolean agreed;
    private boolean ended;
    private boolean ending;

    private TlsClient(SSLEngine engine) {
        this.engine = engine;
        engine.setUseClientMode(true);
    }

    /// Returns a client that asks for `localhost`.
    ///
    /// @param protocols such as `TLSv1.2`; none for the defaults
    public static TlsClient of(SSLContext context, String... protocols) {
        return named(context, "localhost", protocols);
    }

    /// Returns a client that asks for that name. It resumes the last session that the context has for
    /// the name.
    public static TlsClient named(SSLContext context, String name, String... protocols) {
        TlsClient client = new TlsClient(context.createSSLEngine(name, PORT));
        SSLParameters parameters = client.engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        if (protocols.length > 0) {
            parameters.setProtocols(protocols);
        }
        client.engine.setSSLParameters(parameters);
        return client;
    }

    /// Offers protocols by ALPN.
    public TlsClient offering(String... protocols) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        engine.setSSLParameters(parameters);
        return this;
    }

    /// Offers only these cipher suites.
    public TlsClient suites(String... names) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setCipherSuites(names);
        engine.setSSLParameters(parameters);
        return this;
    }

    /// Offers only these groups for the agreement on keys.
    public TlsClient groups(String... names) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setNamedGroups(names);
        engine.setSSLParameters(parameters);
        return this;
    }

    /// Begins the handshake; after it, asks for new keys or for another handshake.
    public TlsClient begin() throws SSLException {
        engine.beginHandshake();
        go();
        return this;
    }

    /// Sends content.
    public void send(byte[] bytes, int from, int length) throws SSLException {
        waiting.write(bytes, from, length);
        go();
    }

    /// Sends the last record.
    public void end() throws SSLException {
        ending = true;
        go();
    }

    /// Takes bytes that the server has sent.
    public void receive(byte[] bytes, int from, int length) throws SSLException {
        int before = received.length;
        received = Arrays.copyOf(received, before + length);
        System.arraycopy(bytes, from, received, before, length);
        go();
    }

    /// Returns the bytes for the server, and discards them.
    public byte[] toSend() {
        byte[] bytes = toSend.toByteArray();
        toSend.reset();
        return bytes;
    }

    /// Returns the bytes of content that wait for the end of the handshake.
    public int waiting() {
        return waiting.size();
    }

    /// Returns the content that has arrived, and discards it.
    public byte[] take() {
        byte[] bytes = content.toByteArray();
        content.reset();
        return bytes;
    }

    /// Returns whether the handshake is complete.
    public boolean isAgreed() {
        return agreed;
    }

    /// Returns whether the server has sent its last record.
    public boolean sawEnd() {
        return ended;
    }

    /// Returns the session.
    public SSLSession session() {
        return engine.getSession();
    }

    /// Returns the protocol that ALPN has chosen; empty for none.
    public String applicationProtocol() {
        return engine.getApplicationProtocol();
    }

    private void go() throws SSLException {
        boolean more = true;
        while (more) {
            more =
                    switch (engine.getHandshakeStatus()) {
                        case NEED_TASK -> work();
                        case NEED_WRAP -> wrap(new byte[0]);
                        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrap();
                        case NOT_HANDSHAKING, FINISHED -> unwrap() || sendWaiting();
                    };
        }
    }

    private boolean work() {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
        return true;
    }

    private boolean sendWaiting() throws SSLException {
        if (!agreed) {
            return false;
        }
        byte[] bytes = waiting.toByteArray();
        waiting.reset();
        if (bytes.length > 0) {
            return wrap(bytes);
        }
        if (ending && !engine.isOutboundDone()) {
            engine.closeOutbound();
            return wrap(new byte[0]);
        }
        return false;
    }

    private boolean wrap(byte[] bytes) throws SSLException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        boolean sealed = false;
        do {
            SSLEngineResult result = engine.wrap(from, records.clear());
            note(result);
            toSend.write(records.array(), 0, records.position());
            sealed |= result.bytesProduced() > 0;
            if (result.getStatus() == Status.CLOSED) {
                return sealed;
            }
        } while (from.hasRemaining());
        return sealed;
    }

    private boolean unwrap() throws SSLException {
        ByteBuffer from = ByteBuffer.wrap(received);
        if (ended) {
            return false;
        }
        SSLEngineResult result = engine.unwrap(from, records.clear());
        note(result);
        content.write(records.array(), 0, records.position());
        ended |= result.getStatus() == Status.CLOSED;
        received = Arrays.copyOfRange(received, from.position(), received.length);
        return from.position() > 0;
    }

    private void note(SSLEngineResult result) {
        agreed |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }
}
