package dev.serval.acme;

/// How the authority checks that a host name leads to this server. Neither kind can prove a name with a
/// wildcard.
public enum ChallengeKind {
    /// By a request to port 80 (RFC 8555 §8.3).
    HTTP_01("http-01"),
    /// By a TLS handshake at port 443 (RFC 8737).
    TLS_ALPN_01("tls-alpn-01");

    private final String text;

    ChallengeKind(String text) {
        this.text = text;
    }

    /// Returns the name in the RFC.
    public String text() {
        return text;
    }
}
