package dev.serval.servlet.request;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.TlsFacts;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The attributes of a request that came by TLS (Servlet 6.1 §3.10). They are made when an application
/// asks. Stateless.
final class TlsAttributes {
    private static final String PREFIX = "jakarta.servlet.request.";
    private static final String PROTOCOL = PREFIX + "secure_protocol";
    private static final String CIPHER_SUITE = PREFIX + "cipher_suite";
    private static final String KEY_SIZE = PREFIX + "key_size";
    private static final String SESSION_ID = PREFIX + "ssl_session_id";
    private static final String CERTIFICATES = PREFIX + "X509Certificate";

    private TlsAttributes() {}

    /// Returns an attribute; null if there is none of that name.
    static @Nullable Object get(ConnectionFacts facts, String name) {
        if (!facts.secure() || !name.startsWith(PREFIX)) {
            return null;
        }
        @Nullable TlsFacts tls = facts.tls();
        if (tls == null) {
            return null;
        }
        return switch (name) {
            case PROTOCOL -> tls.protocol();
            case CIPHER_SUITE -> tls.cipherSuite();
            case KEY_SIZE -> tls.keyBits();
            case SESSION_ID -> tls.sessionId();
            case CERTIFICATES -> certificates(tls);
            default -> null;
        };
    }

    private static X509Certificate @Nullable [] certificates(TlsFacts tls) {
        return tls.peerCertificates().isEmpty()
                ? null
                : tls.peerCertificates().toArray(new X509Certificate[0]);
    }

    /// Returns the names of those that there are.
    static List<String> names(ConnectionFacts facts) {
        @Nullable TlsFacts tls = facts.secure() ? facts.tls() : null;
        if (tls == null) {
            return List.of();
        }
        List<String> names = new ArrayList<>(List.of(PROTOCOL, CIPHER_SUITE, KEY_SIZE, SESSION_ID));
        if (!tls.peerCertificates().isEmpty()) {
            names.add(CERTIFICATES);
        }
        return names;
    }
}
