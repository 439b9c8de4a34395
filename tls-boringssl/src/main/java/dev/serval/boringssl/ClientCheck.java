package dev.serval.boringssl;

import io.netty.internal.tcnative.CertificateVerifier;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Checks certificates of clients by the rules of the JDK, as its engine does. BoringSSL has none of its
/// own. Any thread: it runs on the one that does work of a handshake.
final class ClientCheck extends CertificateVerifier {
    /// Why the check of the handshake that this thread works on has failed.
    private static final ThreadLocal<@Nullable CertificateException> FAILED = new ThreadLocal<>();

    private final X509TrustManager trust;

    ClientCheck(X509TrustManager trust) {
        this.trust = trust;
    }

    /// Returns the authorities that clients are told.
    List<X509Certificate> authorities() {
        return List.of(trust.getAcceptedIssuers());
    }

    /// Returns why the last check on this thread has failed, and forgets it; null if none has.
    static @Nullable CertificateException taken() {
        @Nullable CertificateException why = FAILED.get();
        FAILED.remove();
        return why;
    }

    @Override
    public int verify(long ssl, byte[][] chain, String authentication) {
        try {
            List<X509Certificate> read = BoringSession.certificates(chain);
            String algorithm = read.getFirst().getPublicKey().getAlgorithm();
            trust.checkClientTrusted(read.toArray(new X509Certificate[0]), algorithm);
            return X509_V_OK;
        } catch (CertificateException e) {
            FAILED.set(e);
            return code(e);
        }
    }

    /// Returns the code for which BoringSSL has the alert that tells the client the reason (RFC 8446
    /// §6.2).
    static int code(CertificateException why) {
        for (@Nullable Throwable each = why; each != null; each = each.getCause()) {
            if (each instanceof CertificateExpiredException) {
                return X509_V_ERR_CERT_HAS_EXPIRED;
            }
            if (each instanceof CertPathValidatorException path
                    && path.getReason() == BasicReason.REVOKED) {
                return X509_V_ERR_CERT_REVOKED;
            }
        }
        return X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT;
    }
}
