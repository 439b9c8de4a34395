package dev.serval.acme;

import dev.serval.tls.Credential;
import java.io.IOException;

/// Shows the authority a certificate for its check by TLS-ALPN (RFC 8737 §3).
interface ChallengeKeys {
    /// Shows it from now on, for the name that is in it.
    void offer(Credential credential) throws IOException;

    /// Shows none any more.
    void withdraw() throws IOException;
}
