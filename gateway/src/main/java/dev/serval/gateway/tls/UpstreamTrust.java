package dev.serval.gateway.tls;

import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Checks the certificates of upstreams, and says why one is not accepted. Any thread. The JDK
/// requires this superclass.
final class UpstreamTrust extends X509ExtendedTrustManager {
    private final @Nullable X509ExtendedTrustManager rules;

    /// @param rules of the authorities; null to accept every certificate
    UpstreamTrust(@Nullable X509ExtendedTrustManager rules) {
        this.rules = rules;
    }

    /// Checks a certificate.
    private interface Check {
        void run(X509ExtendedTrustManager by) throws CertificateException;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain, by -> by.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        check(chain, by -> by.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        check(chain, by -> by.checkServerTrusted(chain, type));
    }

    private void check(X509Certificate[] chain, Check check) throws CertificateException {
        X509ExtendedTrustManager by = rules;
        if (by == null) {
            return;
        }
        try {
            check.run(by);
        } catch (CertificateException e) {
            throw distrust(chain[0], e);
        }
    }

    private static Distrust distrust(X509Certificate certificate, CertificateException why) {
        @Nullable Throwable each = why;
        while (each != null) {
            if (each instanceof CertificateExpiredException) {
                return new Distrust(
                        TlsTrouble.Kind.EXPIRED,
                        "Its certificate, or one that signs it, has expired ("
                                + each.getMessage()
                                + "). Renew it",
                        why);
            }
            if (each instanceof CertificateNotYetValidException) {
                return new Distrust(
                        TlsTrouble.Kind.EXPIRED,
                        "Its certificate is not valid yet ("
                                + each.getMessage()
                                + "). Check the clocks of both machines",
                        why);
            }
            if (each instanceof CertPathBuilderException) {
                return new Distrust(
                        TlsTrouble.Kind.UNKNOWN_AUTHORITY,
                        "No known authority has signed its certificate, whose issuer is "
                                + certificate.getIssuerX500Principal()
                                + ". Name the authority by tls.authorities of the upstream, and check"
                                + " that the upstream sends its whole chain",
                        why);
            }
            each = each.getCause();
        }
        // The check of the name throws this very class, and nothing else does so without a cause.
        boolean name = why.getClass() == CertificateException.class && why.getCause() == null;
        return name
                ? new Distrust(
                        TlsTrouble.Kind.WRONG_NAME,
                        "Its certificate is for another name ("
                                + why.getMessage()
                                + "). Set tls.name of the upstream to a name of the certificate",
                        why)
                : new Distrust(
                        TlsTrouble.Kind.HANDSHAKE,
                        "Its certificate cannot be accepted: " + why.getMessage(),
                        why);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return rules == null ? new X509Certificate[0] : rules.getAcceptedIssuers();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw noClients();
    }

    private static CertificateException noClients() {
        return new CertificateException("Only upstreams are checked here");
    }
}
