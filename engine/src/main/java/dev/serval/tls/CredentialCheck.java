package dev.serval.tls;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.loop.Throttle;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CRL;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
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

    /// The part of a life that counts as its end if that is shorter, one of so many.
    private static final int SOON_PART = 3;

    private static final List<X509Certificate> NONE = List.of();
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

    private CredentialCheck() {}

    /// Returns warnings: each says what is wrong, where, and what to do.
    public static List<String> warnings(Credential credential, Instant now) {
        List<String> warnings = new ArrayList<>(times(credential, now));
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

    /// Returns what is over or will be soon.
    private static List<String> times(Credential credential, Instant now) {
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
        return warnings;
    }

    /// Returns warnings of authorities of clients and of their lists of revoked certificates, whose time
    /// is over or will be soon. What cannot be read is left out.
    public static List<String> warnings(ClientCertificates clients, Instant now) {
        List<String> warnings = new ArrayList<>();
        @Nullable Path trusted = clients.trusted();
        try {
            for (X509Certificate each : trusted == null ? NONE : Credential.chain(trusted)) {
                @Nullable String wrong = validity(each, now);
                if (wrong != null) {
                    warnings.add(
                            "The authority of clients "
                                    + each.getSubjectX500Principal().getName()
                                    + " in "
                                    + trusted
                                    + " "
                                    + wrong);
                }
            }
            for (Path file : clients.revoked()) {
                for (CRL each : Authorities.lists(file)) {
                    if (each instanceof X509CRL list && list.getNextUpdate() != null) {
                        warnings.addAll(ofList(list, file, now));
                    }
                }
            }
        } catch (IOException e) {
            return warnings; // who reads the files for use tells it
        }
        return warnings;
    }

    private static List<String> ofList(X509CRL list, Path file, Instant now) {
        Instant end = list.getNextUpdate().toInstant();
        String name =
                "The list of revoked certificates of "
                        + list.getIssuerX500Principal().getName()
                        + " in "
                        + file;
        if (now.isAfter(end)) {
            return List.of(
                    name
                            + " is out of date since "
                            + DATE.format(end)
                            + " UTC, so no client of that authority is accepted: replace it");
        }
        return isSoon(list.getThisUpdate().toInstant(), end, now)
                ? List.of(name + " is valid until " + DATE.format(end) + " UTC: replace it soon")
                : List.of();
    }

    /// Tells of certificates and lists whose time is over or will be soon: at the first look, and then once
    /// a day. Any thread.
    static final class Daily {
        static final long DAY_NANOS = Duration.ofDays(1).toNanos();
        private static final System.Logger LOG = System.getLogger(CredentialCheck.class.getName());

        private final Throttle looks = new Throttle(DAY_NANOS);
        private final InstantSource wall;
        private final Consumer<String> report;

        /// Logs.
        Daily() {
            this(InstantSource.system(), warning -> LOG.log(WARNING, warning + "."));
        }

        /// @param wall tells the date
        /// @param report takes a warning
        Daily(InstantSource wall, Consumer<String> report) {
            this.wall = wall;
            this.report = report;
        }

        /// Looks at what a listener serves.
        ///
        /// @param nowNanos the monotonic clock
        void look(long nowNanos, List<Credential> served, ClientCertificates clients) {
            if (looks.pass(nowNanos)) {
                Instant now = wall.instant();
                served.forEach(each -> times(each, now).forEach(report));
                warnings(clients, now).forEach(report);
            }
        }
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
        if (isSoon(begin, end, now)) {
            return "expires at " + DATE.format(end) + " UTC: renew it soon";
        }
        return null;
    }

    private static boolean isSoon(Instant begin, Instant end, Instant now) {
        Duration part = Duration.between(begin, end).dividedBy(SOON_PART);
        return now.plus(part.compareTo(SOON) < 0 ? part : SOON).isAfter(end);
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
