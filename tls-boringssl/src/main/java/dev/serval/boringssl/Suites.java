package dev.serval.boringssl;

import dev.serval.tls.TlsProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The names of cipher suites: the standard ones, which the JDK also has, and those of BoringSSL.
/// Stateless.
final class Suites {
    /// The suites of TLS 1.2 by their standard names.
    private static final Map<String, String> TLS12 =
            Map.of(
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "ECDHE-ECDSA-AES128-GCM-SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "ECDHE-RSA-AES128-GCM-SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "ECDHE-ECDSA-AES256-GCM-SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "ECDHE-RSA-AES256-GCM-SHA384",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "ECDHE-ECDSA-CHACHA20-POLY1305",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                    "ECDHE-RSA-CHACHA20-POLY1305");

    private static final Map<String, String> STANDARD = standard();

    private Suites() {}

    private static Map<String, String> standard() {
        Map<String, String> names = new HashMap<>();
        TLS12.forEach((standard, own) -> names.put(own, standard));
        names.put("AEAD-AES128-GCM-SHA256", "TLS_AES_128_GCM_SHA256");
        names.put("AEAD-AES256-GCM-SHA384", "TLS_AES_256_GCM_SHA384");
        names.put("AEAD-CHACHA20-POLY1305-SHA256", "TLS_CHACHA20_POLY1305_SHA256");
        return Map.copyOf(names);
    }

    /// Returns the suites of TLS 1.2 of a profile as BoringSSL takes them; empty if it has none. Those
    /// of TLS 1.3 are fixed in BoringSSL.
    static String ofTls12(TlsProfile profile) {
        List<String> names = new ArrayList<>();
        for (String standard : profile.suites()) {
            String own = TLS12.getOrDefault(standard, "");
            if (!own.isEmpty()) {
                names.add(own);
            }
        }
        return String.join(":", names);
    }

    /// Returns the standard name of a suite that BoringSSL names.
    static String standard(String name) {
        return STANDARD.getOrDefault(name, name);
    }
}
