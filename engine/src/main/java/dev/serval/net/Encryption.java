package dev.serval.net;

import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Tells how a connection is encrypted. Any thread may ask.
public interface Encryption {
    /// Returns the session that the handshake has agreed on; null before its end.
    @Nullable SSLSession session();

    /// Returns the name of the protocol that the handshake has chosen by ALPN (RFC 7301), such as
    /// `http/1.1`; empty if the peer has offered none, and before the handshake's end.
    String applicationProtocol();
}
