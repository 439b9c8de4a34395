package dev.serval.handler;

import java.security.cert.X509Certificate;
import java.util.List;

/// The facts about the encryption of a connection. Immutable.
///
/// @param protocol such as `TLSv1.3`
/// @param cipherSuite such as `TLS_AES_128_GCM_SHA256`
/// @param keyBits the length of the symmetric key, such as 128
/// @param sessionId the number of the session in hexadecimal
/// @param applicationProtocol what ALPN has chosen, such as `http/1.1`; empty for nothing
/// @param peerCertificates the client's certificate and then its chain; empty if it has sent none. It
///     was checked in the handshake
public record TlsFacts(
        String protocol,
        String cipherSuite,
        int keyBits,
        String sessionId,
        String applicationProtocol,
        List<X509Certificate> peerCertificates) {
    /// Copies the list.
    public TlsFacts {
        peerCertificates = List.copyOf(peerCertificates);
    }
}
