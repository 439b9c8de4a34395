package dev.serval.gateway.peer;

import dev.serval.gateway.tls.TlsTrouble;

/// Why a peer did not answer a request. The pool counts each kind. [#UNREACHABLE], [#NO_MEANS] and
/// those of TLS are counted before a request is sent, and that request may still be answered by another
/// upstream. With TLS 1.3, an upstream refuses a certificate only after the request.
public enum PeerFault {
    /// The peer closed or reset the connection before its answer was complete.
    LOST(true),
    /// The peer broke the rules of its protocol.
    MALFORMED(false),
    /// The answer or its head is larger than the limit.
    TOO_LARGE(false),
    /// The answer was not complete in time.
    LATE(true),
    /// The upstream could not be connected to, or ended the connection at once.
    UNREACHABLE(true),
    /// This server had no means for a connection, such as a free descriptor.
    NO_MEANS(false),
    /// The certificate of the upstream has expired, or is not valid yet.
    CERTIFICATE_EXPIRED(true),
    /// No known authority has signed the certificate of the upstream.
    CERTIFICATE_UNKNOWN(true),
    /// The certificate of the upstream is for another name.
    CERTIFICATE_NAME(true),
    /// The upstream refuses the certificate of this server, or misses one.
    CERTIFICATE_REFUSED(true),
    /// The TLS handshake with the upstream failed otherwise.
    HANDSHAKE(true),
    /// The peer sent bytes although no request was in progress.
    UNASKED(false),
    /// The client left, and the rest of the answer is not worth reading.
    ABANDONED(false);

    private final boolean unhealthy;

    PeerFault(boolean unhealthy) {
        this.unhealthy = unhealthy;
    }

    /// Returns how a failure of TLS is counted.
    static PeerFault of(TlsTrouble trouble) {
        return switch (trouble.kind()) {
            case EXPIRED -> CERTIFICATE_EXPIRED;
            case UNKNOWN_AUTHORITY -> CERTIFICATE_UNKNOWN;
            case WRONG_NAME -> CERTIFICATE_NAME;
            case OWN_CERTIFICATE -> CERTIFICATE_REFUSED;
            case HANDSHAKE -> HANDSHAKE;
        };
    }

    /// Returns whether the fault suggests that the upstream is down.
    boolean isUnhealthy() {
        return unhealthy;
    }
}
