package dev.serval.boringssl;

import dev.serval.tls.TlsProvider;
import io.netty.internal.tcnative.SSL;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// The server's side of a connection by BoringSSL. It reads and writes records in the buffers of its
/// caller, and does what the transport of Serval needs of an engine, no more: one whole record is
/// opened at a time, from a direct buffer, into a buffer with room for it; records are sealed into a
/// direct buffer with room for the longest.
///
/// ```
///   NEW ──▶ SHAKING ──▶ AGREED ──▶ CLOSING
///              │           │
///              └────▶ FAILED ◀
/// ```
///
/// Owned by the loop, or by the thread that does work of the handshake, but for [#free].
final class BoringEngine extends SSLEngine implements TlsProvider.Held {
    /// Room for records that BoringSSL makes while it reads, such as an alert. A flight of the handshake
    /// that is longer waits in BoringSSL for the next [#wrap].
    private static final int OWN_BYTES = 256;

    private static final int HEADER_BYTES = 5;
    private static final byte[] NO_BYTES = {};

    /// The fatal alert no_application_protocol (RFC 7301 §3.2) in a record that is not encrypted.
    private static final byte[] NO_PROTOCOL = {21, 3, 3, 0, 2, 2, 120};

    private enum State {
        NEW,
        SHAKING,
        AGREED,
        CLOSING,
        FAILED
    }

    private final BoringTls provider;
    private List<String> protocols = List.of("http/1.1");
    private @Nullable BoringContext context;
    private long ssl;
    private long bio;
    private State state = State.NEW;
    private HandshakeStatus status = HandshakeStatus.NOT_HANDSHAKING;
    private byte[] record = NO_BYTES; // for the work of the handshake
    private @Nullable SSLException found; // by that work
    private BoringSession session = BoringSession.NONE;
    private String applicationProtocol = "";
    private byte[] alert = NO_BYTES; // of this class, not of BoringSSL
    private boolean readsHello = true;
    private boolean inputEnded;
    private boolean isTold; // that both sides have agreed
    private boolean flushes; // tickets, before any content
    private boolean works; // under the lock
    private boolean freed; // under the lock

    BoringEngine(BoringTls provider) {
        this.provider = provider;
    }

    // The handshake

    @Override
    public void beginHandshake() throws SSLException {
        if (state != State.NEW) {
            throw new SSLException("Another handshake is refused");
        }
        try {
            BoringContext used = provider.context(protocols);
            context = used;
            ssl = used.connection();
            bio = SSL.bioNewByteBuffer(ssl, OWN_BYTES);
        } catch (IOException e) {
            throw new SSLException("The handshake cannot begin", e);
        }
        state = State.SHAKING;
        status = HandshakeStatus.NEED_UNWRAP;
    }

    /// Continues the handshake with the bytes that BoringSSL can read or has room for now.
    private void shake() throws SSLException {
        int result = SSL.doHandshake(ssl);
        int error = result == 1 ? SSL.SSL_ERROR_NONE : SSL.getError(ssl, result);
        if (result == 1) {
            agree();
        } else if (error != SSL.SSL_ERROR_WANT_READ && error != SSL.SSL_ERROR_WANT_WRITE) {
            throw failed();
        }
        status =
                error == SSL.SSL_ERROR_WANT_WRITE || flushes || hasOwn()
                        ? HandshakeStatus.NEED_WRAP
                        : HandshakeStatus.NEED_UNWRAP;
    }

    private void agree() throws SSLException {
        boolean asks = context != null && context.asks();
        try {
            session = BoringSession.of(ssl, asks);
        } catch (CertificateException e) {
            throw new SSLException("The certificate of the client cannot be read", e);
        }
        @Nullable String chosen = SSL.getAlpnSelected(ssl);
        applicationProtocol = chosen == null ? "" : chosen;
        state = State.AGREED;
        // BoringSSL would send tickets with the first content, and then an alert before it has no
        // room.
        // The loop also has to hear of an end that another thread has found.
        flushes = true;
    }

    @Override
    public @Nullable Runnable getDelegatedTask() {
        if (status != HandshakeStatus.NEED_TASK || record.length == 0) {
            return null;
        }
        byte[] taken = record;
        record = NO_BYTES;
        return () -> work(taken);
    }

    /// Continues the handshake with a record, on another thread. The engine may have been freed before,
    /// and if it is freed meanwhile, this frees its memory at the end.
    private void work(byte[] taken) {
        synchronized (this) {
            if (freed) {
                return;
            }
            works = true;
        }
        boolean complete = false;
        try {
            ByteBuffer copy = Memory.scratch().put(taken).flip();
            read(copy, taken.length);
            complete = true;
        } catch (SSLException e) {
            found = e;
        } catch (Exception e) { // also of native code, which declares none
            found = new SSLException("The work of the handshake failed: " + e.getMessage(), e);
        } finally {
            if (!complete) {
                fail();
            }
            synchronized (this) {
                works = false;
                if (freed) {
                    release();
                }
            }
        }
    }

    /// Tells the loop that the work has failed, also after an error, such as for want of memory. Else it
    /// would ask for work again and again.
    private void fail() {
        if (found == null) {
            found = new SSLException("The work of the handshake did not end");
        }
        SSL.clearError(); // of this thread, or its next work would be blamed for it
        status = HandshakeStatus.NEED_WRAP;
    }

    /// Lets the handshake read one record.
    private void read(ByteBuffer source, int length) throws SSLException {
        SSL.bioSetByteBuffer(bio, Memory.address(source), length, false);
        try {
            shake();
        } finally {
            int left = SSL.bioLengthByteBuffer(bio);
            SSL.bioClearByteBuffer(bio);
            source.position(source.position() + length - left);
        }
    }

    // Opening

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer into) throws SSLException {
        check();
        int length =
                HEADER_BYTES + (source.getShort(source.position() + HEADER_BYTES - 2) & 0xffff);
        int before = source.position();
        if (state != State.SHAKING) {
            return open(source, length, into);
        }
        if (readsHello) {
            readsHello = false;
            refuseOthers(source.slice(before, length));
        }
        if (context != null && context.isSlow()) {
            record = new byte[length];
            source.get(record);
            status = HandshakeStatus.NEED_TASK;
            return new SSLEngineResult(Status.OK, status, length, 0);
        }
        read(source, length);
        int consumed = source.position() - before;
        if (consumed == 0 && status == HandshakeStatus.NEED_UNWRAP) {
            throw new SSLException("BoringSSL does not read what the client has sent");
        }
        return result(Status.OK, consumed, 0);
    }

    /// Refuses a client that speaks none of the protocols of the listener. BoringSSL would serve it.
    private void refuseOthers(ByteBuffer hello) throws SSLException {
        if (ClientHello.offersOthers(hello, protocols)) {
            state = State.FAILED;
            status = HandshakeStatus.NEED_WRAP;
            alert = NO_PROTOCOL;
            throw new SSLException("The client offers by ALPN none of " + protocols);
        }
    }

    private SSLEngineResult open(ByteBuffer source, int length, ByteBuffer into)
            throws SSLException {
        boolean direct = into.isDirect();
        ByteBuffer target = direct ? into : Memory.scratch();
        SSL.bioSetByteBuffer(bio, Memory.address(source), length, false);
        int n =
                SSL.readFromSSL(
                        ssl,
                        Memory.address(target),
                        Math.min(into.remaining(), target.remaining()));
        int consumed = length - SSL.bioLengthByteBuffer(bio);
        SSL.bioClearByteBuffer(bio);
        source.position(source.position() + consumed);
        if (n > 0) {
            if (direct) {
                into.position(into.position() + n);
            } else {
                into.put(target.limit(n));
            }
            return new SSLEngineResult(Status.OK, status, consumed, n);
        }
        int error = SSL.getError(ssl, n);
        if (error == SSL.SSL_ERROR_ZERO_RETURN) {
            inputEnded = true;
        } else if (error != SSL.SSL_ERROR_WANT_READ && error != SSL.SSL_ERROR_WANT_WRITE) {
            throw failed();
        }
        if (hasOwn()) {
            status = HandshakeStatus.NEED_WRAP;
        }
        return new SSLEngineResult(inputEnded ? Status.CLOSED : Status.OK, status, consumed, 0);
    }

    // Sealing

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer into)
            throws SSLException {
        check();
        @Nullable SSLException fault = found;
        if (fault != null) {
            found = null;
            status = hasOwn() ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NOT_HANDSHAKING;
            throw fault;
        }
        if (alert.length > 0) {
            into.put(alert);
            alert = NO_BYTES;
            status = HandshakeStatus.NOT_HANDSHAKING;
            return new SSLEngineResult(Status.CLOSED, status, 0, NO_PROTOCOL.length);
        }
        int room = into.remaining();
        int consumed = 0;
        SSL.bioSetByteBuffer(bio, Memory.address(into), room, true);
        try {
            int _ = SSL.bioFlushByteBuffer(bio); // before BoringSSL adds to it
            switch (state) {
                case SHAKING -> shake();
                case AGREED -> consumed = seal(sources, offset, length);
                case CLOSING -> sealEnd();
                case NEW, FAILED -> {}
            }
        } finally {
            into.position(into.position() + room - SSL.bioLengthByteBuffer(bio));
            SSL.bioClearByteBuffer(bio);
        }
        int produced = room - into.remaining();
        return result(state == State.CLOSING ? Status.CLOSED : Status.OK, consumed, produced);
    }

    /// Seals content into one record, with what BoringSSL has to send before it. Without content, sends
    /// only that, such as tickets.
    private int seal(ByteBuffer[] sources, int offset, int length) throws SSLException {
        boolean whole = length == 1 && sources[offset].isDirect();
        ByteBuffer content = whole ? sources[offset] : gathered(sources, offset, length);
        int bytes = Math.min(content.remaining(), Memory.CONTENT_MAX_BYTES);
        if (bytes == 0 && !flushes) {
            return 0;
        }
        int n = SSL.writeToSSL(ssl, Memory.address(content), bytes);
        if (n < bytes) {
            throw failed();
        }
        flushes = false;
        if (whole) {
            content.position(content.position() + bytes);
        }
        return bytes;
    }

    private static ByteBuffer gathered(ByteBuffer[] sources, int offset, int length) {
        ByteBuffer content = Memory.scratch().limit(Memory.CONTENT_MAX_BYTES);
        for (int i = offset; i < offset + length && content.hasRemaining(); i++) {
            ByteBuffer source = sources[i];
            int n = Math.min(source.remaining(), content.remaining());
            content.put(content.position(), source, source.position(), n);
            content.position(content.position() + n);
            source.position(source.position() + n);
        }
        return content.flip();
    }

    private void sealEnd() {
        int _ = SSL.shutdownSSL(ssl); // says the same only once
    }

    /// Returns a result, and tells once that both sides have agreed, after all of it is sealed.
    private SSLEngineResult result(Status how, int consumed, int produced) {
        HandshakeStatus told = status;
        if (state != State.SHAKING) {
            boolean more = flushes || hasOwn();
            status = more ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NOT_HANDSHAKING;
            boolean tells = state == State.AGREED && !more && !isTold;
            told = tells ? HandshakeStatus.FINISHED : status;
            isTold |= tells;
        }
        return new SSLEngineResult(how, told, consumed, produced);
    }

    // The end

    @Override
    public void closeOutbound() {
        if (state == State.AGREED) {
            state = State.CLOSING;
            status = HandshakeStatus.NEED_WRAP;
        }
    }

    @Override
    public void free() {
        synchronized (this) {
            freed = true;
            if (!works) {
                release();
            }
        }
    }

    /// Frees the memory. The native buffers belong to the connection.
    private void release() {
        if (ssl != 0) {
            SSL.freeSSL(ssl);
            ssl = 0;
            bio = 0;
        }
    }

    // Faults

    private void check() throws SSLException {
        if (ssl == 0) {
            throw new SSLException("The engine has not begun, or was freed");
        }
    }

    /// Returns the fault of the peer that BoringSSL has found. There may be an alert for the peer now.
    private SSLException failed() {
        state = State.FAILED;
        status = hasOwn() ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NOT_HANDSHAKING;
        @Nullable CertificateException refused = ClientCheck.taken();
        String reason = Reasons.text(SSL.getLastErrorNumber());
        SSL.clearError();
        return refused == null
                ? new SSLException(reason)
                : new SSLException(reason + ": " + refused.getMessage(), refused);
    }

    /// Returns whether records wait that BoringSSL has made while it read.
    private boolean hasOwn() {
        return SSL.bioLengthNonApplication(bio) > 0;
    }

    // What it has agreed on

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return status;
    }

    @Override
    public SSLSession getSession() {
        return session;
    }

    @Override
    public String getApplicationProtocol() {
        return applicationProtocol;
    }

    @Override
    public SSLParameters getSSLParameters() {
        SSLParameters parameters = new SSLParameters();
        parameters.setApplicationProtocols(protocols.toArray(new String[0]));
        return parameters;
    }

    /// Takes the protocols for ALPN. All else is set by the provider.
    @Override
    public void setSSLParameters(SSLParameters parameters) {
        protocols = List.of(parameters.getApplicationProtocols());
    }

    // What the transport does not use

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] into, int offset, int length)
            throws SSLException {
        if (length != 1) {
            throw new UnsupportedOperationException("A record is opened into one buffer");
        }
        return unwrap(source, into[offset]);
    }

    @Override
    public void closeInbound() {}

    @Override
    public boolean isInboundDone() {
        return inputEnded;
    }

    @Override
    public boolean isOutboundDone() {
        return state == State.CLOSING || state == State.FAILED;
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return new String[0];
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return new String[0];
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        throw fixed();
    }

    @Override
    public String[] getSupportedProtocols() {
        return new String[0];
    }

    @Override
    public String[] getEnabledProtocols() {
        return new String[0];
    }

    @Override
    public void setEnabledProtocols(String[] versions) {
        throw fixed();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        throw fixed();
    }

    @Override
    public boolean getUseClientMode() {
        return false;
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        throw fixed();
    }

    @Override
    public boolean getNeedClientAuth() {
        return false;
    }

    @Override
    public void setWantClientAuth(boolean want) {
        throw fixed();
    }

    @Override
    public boolean getWantClientAuth() {
        return false;
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        throw fixed();
    }

    @Override
    public boolean getEnableSessionCreation() {
        return true;
    }

    private static UnsupportedOperationException fixed() {
        return new UnsupportedOperationException("The provider has set this for all engines");
    }
}
