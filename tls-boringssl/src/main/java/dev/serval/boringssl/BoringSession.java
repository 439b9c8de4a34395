package dev.serval.boringssl;

import io.netty.internal.tcnative.SSL;
import java.io.ByteArrayInputStream;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/// What a handshake has agreed on, copied at its end, so that any thread may ask and nothing native is
/// needed later. Immutable. The server keeps no sessions: clients do, as tickets.
///
/// @param protocol such as `TLSv1.3`
/// @param suite its standard name
/// @param peer the certificate of the client, then its chain; empty if it has shown none
record BoringSession(String protocol, String suite, byte[] id, List<X509Certificate> peer)
        implements SSLSession {
    /// Before the end of a handshake.
    static final BoringSession NONE =
            new BoringSession("NONE", "TLS_NULL_WITH_NULL_NULL", new byte[0], List.of());

    /// Copies the list.
    BoringSession {
        peer = List.copyOf(peer);
    }

    /// Copies what a complete handshake has agreed on.
    ///
    /// @param asks whether clients are asked for a certificate
    static BoringSession of(long ssl, boolean asks) throws CertificateException {
        byte @Nullable [] id = SSL.getSessionId(ssl);
        return new BoringSession(
                SSL.getVersion(ssl),
                Suites.standard(SSL.getCipherForSSL(ssl)),
                id == null ? new byte[0] : id,
                asks ? peer(ssl) : List.of());
    }

    private static List<X509Certificate> peer(long ssl) throws CertificateException {
        byte @Nullable [] own = SSL.getPeerCertificate(ssl);
        if (own == null) {
            return List.of();
        }
        List<X509Certificate> chain = new ArrayList<>(certificates(own));
        byte @Nullable [][] issuers = SSL.getPeerCertChain(ssl); // without its own
        if (issuers != null) {
            chain.addAll(certificates(issuers));
        }
        return chain;
    }

    /// Reads certificates that native code has copied.
    static List<X509Certificate> certificates(byte[]... encoded) throws CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> read = new ArrayList<>();
        for (byte[] each : encoded) {
            if (factory.generateCertificate(new ByteArrayInputStream(each))
                    instanceof X509Certificate x509) {
                read.add(x509);
            }
        }
        return read;
    }

    @Override
    public byte[] getId() {
        return id.clone();
    }

    @Override
    public String getProtocol() {
        return protocol;
    }

    @Override
    public String getCipherSuite() {
        return suite;
    }

    @Override
    public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
        if (peer.isEmpty()) {
            throw new SSLPeerUnverifiedException("The client has shown no certificate");
        }
        return peer.toArray(new Certificate[0]);
    }

    @Override
    public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
        return ((X509Certificate) getPeerCertificates()[0]).getSubjectX500Principal();
    }

    @Override
    public int getPacketBufferSize() {
        return Memory.RECORD_MAX_BYTES;
    }

    @Override
    public int getApplicationBufferSize() {
        return Memory.CONTENT_MAX_BYTES;
    }

    // What the server has no use for

    @Override
    public @Nullable SSLSessionContext getSessionContext() {
        return null;
    }

    @Override
    public long getCreationTime() {
        return 0;
    }

    @Override
    public long getLastAccessedTime() {
        return 0;
    }

    @Override
    public void invalidate() {}

    @Override
    public boolean isValid() {
        return false; // it is not stored
    }

    @Override
    public void putValue(String name, Object value) {
        throw new UnsupportedOperationException("This session has no values");
    }

    @Override
    public @Nullable Object getValue(String name) {
        return null;
    }

    @Override
    public void removeValue(String name) {}

    @Override
    public String[] getValueNames() {
        return new String[0];
    }

    @Override
    public Certificate @Nullable [] getLocalCertificates() {
        return null;
    }

    @Override
    public @Nullable Principal getLocalPrincipal() {
        return null;
    }

    @Override
    public @Nullable String getPeerHost() {
        return null;
    }

    @Override
    public int getPeerPort() {
        return -1;
    }
}
