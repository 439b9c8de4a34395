package dev.serval.tls;

import java.util.List;

/// What a listener with TLS is to do. Immutable.
///
/// @param keys at least one; the first is for clients that ask for no name, or for one that no
///     certificate is for
/// @param profile the versions and ciphers
/// @param clients whether clients show a certificate
public record TlsSettings(List<KeyFiles> keys, TlsProfile profile, ClientCertificates clients) {
    /// Copies the list.
    public TlsSettings {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(
                    "A listener with TLS needs at least one certificate");
        }
    }

    /// Creates settings in which clients show no certificate.
    public TlsSettings(List<KeyFiles> keys, TlsProfile profile) {
        this(keys, profile, ClientCertificates.NONE);
    }
}
