package dev.serval.tls;

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Finds what clients will not accept, although a server can use it. A server starts with such a
/// certificate, because it is better than none.
public final class CredentialCheck {
    private static final Duration SOON = Duration.ofDays(14);
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

    private CredentialCheck() {}

    /// Returns warnings: each says what is wrong, where, and what to do.
    public static List<String> warnings(Credential credential, Instant now) {
        List<String> warnings = new ArrayList<>();
        for (X509Certificate each : credential.chain()) {
            @Nullable String wrong = validity(each, now);
            if (wrong != null) {
                warnings.add(
                        "The certificate for "
                                + CertificateNames.text(each)
                                + " in "
                                + credential.source()
                                + " "
                                + wrong);
            }
        }
        X509Certificate last = credential.chain().getLast();
        if (!isSelfSigned(last) && !isFromKnownRoot(last)) {
            warnings.add(
                    "The chain in "
                            + credential.source()
                            + " ends before a root that clients know: append the certificate of "
                            + last.getIssuerX500Principal().getName()
                            + ", unless the clients trust that one");
        }
        return warnings;
    }

    private static @Nullable String validity(X509Certificate certificate, Instant now) {
        Instant end = certificate.getNotAfter().toInstant();
        Instant begin = certificate.getNotBefore().toInstant();
        if (now.isAfter(end)) {
            return "expired at " + DATE.format(end) + " UTC: renew it";
        }
        if (now.isBefore(begin)) {
            return "is valid only from " + DATE.format(begin) + " UTC: check the clock";
        }
        if (now.plus(SOON).isAfter(end)) {
            return "expires at " + DATE.format(end) + " UTC: renew it soon";
        }
        return null;
    }

    private static boolean isSelfSigned(X509Certificate certificate) {
        return certificate.getIssuerX500Principal().equals(certificate.getSubjectX500Principal());
    }

    private static boolean isFromKnownRoot(X509Certificate certificate) {
        return Roots.NAMES.contains(certificate.getIssuerX500Principal().getName());
    }

    /// The names of the JDK's roots, read when they are first needed.
    private static final class Roots {
        static final List<String> NAMES = names();

        private static List<String> names() {
            try {
                TrustManagerFactory factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init((KeyStore) null);
                return Arrays.stream(factory.getTrustManagers())
                        .flatMap(Roots::issuers)
                        .map(root -> root.getSubjectX500Principal().getName())
                        .collect(Collectors.toList());
            } catch (NoSuchAlgorithmException | KeyStoreException e) {
                throw new IllegalStateException("This JDK has no roots", e);
            }
        }

        private static Stream<X509Certificate> issuers(TrustManager manager) {
            return manager instanceof X509TrustManager x509
                    ? Arrays.stream(x509.getAcceptedIssuers())
                    : Stream.empty();
        }
    }
}
