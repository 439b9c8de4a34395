package dev.serval.tls;

import java.util.List;

/// The versions and ciphers of a listener, by the names that Mozilla's recommendations use. All give
/// forward secrecy and check what they encrypt (AEAD).
public enum TlsProfile {
    /// TLS 1.3 only.
    MODERN,
    /// TLS 1.3 and TLS 1.2.
    INTERMEDIATE;

    private static final List<String> TLS13 =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256");

    private static final List<String> TLS13_AND_12 =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    /// Returns the JDK's names of the versions.
    String[] protocols() {
        return switch (this) {
            case MODERN -> new String[] {"TLSv1.3"};
            case INTERMEDIATE -> new String[] {"TLSv1.3", "TLSv1.2"};
        };
    }

    /// Returns the JDK's names of the cipher suites, best first.
    public String[] suites() {
        return switch (this) {
            case MODERN -> TLS13.toArray(new String[0]);
            case INTERMEDIATE -> TLS13_AND_12.toArray(new String[0]);
        };
    }
}
