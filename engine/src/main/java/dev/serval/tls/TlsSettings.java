package dev.serval.tls;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/// What a listener with TLS is to do. Immutable.
///
/// @param keys at least one, unless they are issued; the first is for clients that ask for no name, or
///     for one that no certificate is for
/// @param profile the versions and ciphers
/// @param clients whether clients show a certificate
/// @param issued whether certificates are issued while the server runs; then there are no files
/// @param library makes the engines
public record TlsSettings(
        List<KeyFiles> keys,
        TlsProfile profile,
        ClientCertificates clients,
        boolean issued,
        TlsProvider.Maker library) {
    /// Copies the list.
    public TlsSettings {
        keys = List.copyOf(keys);
        if (keys.isEmpty() != issued) {
            throw new IllegalArgumentException(
                    "A listener with TLS needs certificates of files, or issued ones");
        }
    }

    /// Creates settings with the keys of files.
    public TlsSettings(List<KeyFiles> keys, TlsProfile profile, ClientCertificates clients) {
        this(keys, profile, clients, false, JdkTls.LIBRARY);
    }

    /// Returns settings whose certificates are issued while the server runs.
    public static TlsSettings ofIssued(TlsProfile profile, ClientCertificates clients) {
        return new TlsSettings(List.of(), profile, clients, true, JdkTls.LIBRARY);
    }

    /// Creates settings in which clients show no certificate.
    public TlsSettings(List<KeyFiles> keys, TlsProfile profile) {
        this(keys, profile, ClientCertificates.NONE);
    }

    /// Returns these settings with another library.
    public TlsSettings withLibrary(TlsProvider.Maker other) {
        return new TlsSettings(keys, profile, clients, issued, other);
    }

    /// Makes a provider of keys that were read from the files.
    TlsProvider provider(List<Credential> credentials) throws IOException {
        if (credentials.isEmpty()) {
            throw new IllegalArgumentException(
                    "A listener with TLS needs at least one certificate");
        }
        return library.make(new IssuedKeys(credentials, Set.of(), List.of()), _ -> {}, this);
    }
}
