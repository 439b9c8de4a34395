package dev.serval.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Reads the authorities that sign the certificates of peers. Stateless.
public final class Authorities {
    /// The most bytes of a file with lists of revoked certificates. Those of large authorities have some
    /// MiB.
    private static final int LIST_MAX_BYTES = 64 << 20;

    private Authorities() {}

    /// Returns what checks that a certificate is signed by one of these authorities.
    ///
    /// @param file a PEM file with their certificates; null for those that the JDK knows
    /// @throws IOException if the file cannot be read; the message names it
    public static X509ExtendedTrustManager read(@Nullable Path file) throws IOException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(file == null ? null : store(file));
            return trust(factory);
        } catch (GeneralSecurityException e) {
            throw unusable(file, e);
        }
    }

    /// Returns what also refuses certificates that an authority has revoked. It needs a list of each
    /// authority from the peer's certificate to the root, and refuses all of an authority without one
    /// that is valid now (RFC 5280 §6.3). It asks nothing of the network.
    ///
    /// @param file as above
    /// @param revoked files with the lists, at least one
    static X509ExtendedTrustManager read(Path file, List<Path> revoked) throws IOException {
        List<CRL> lists = new ArrayList<>();
        for (Path each : revoked) {
            lists.addAll(lists(each));
        }
        try {
            PKIXBuilderParameters rules =
                    new PKIXBuilderParameters(store(file), new X509CertSelector());
            rules.setRevocationEnabled(true);
            rules.addCertStore(
                    CertStore.getInstance("Collection", new CollectionCertStoreParameters(lists)));
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(new CertPathTrustManagerParameters(rules));
            return trust(factory);
        } catch (GeneralSecurityException e) {
            throw unusable(file, e);
        }
    }

    /// Returns the lists in a file: PEM with any number of them, or DER.
    static Collection<? extends CRL> lists(Path file) throws IOException {
        byte[] bytes = PemFile.bytes(file, LIST_MAX_BYTES, "a list of revoked certificates");
        try (InputStream in = new ByteArrayInputStream(bytes)) {
            Collection<? extends CRL> lists =
                    CertificateFactory.getInstance("X.509").generateCRLs(in);
            if (!lists.isEmpty()) {
                return lists;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "The list of revoked certificates in "
                            + file
                            + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
        throw new IOException(
                file
                        + " has no list of revoked certificates: it needs a block -----BEGIN X509 CRL");
    }

    private static X509ExtendedTrustManager trust(TrustManagerFactory factory)
            throws GeneralSecurityException {
        for (TrustManager each : factory.getTrustManagers()) {
            if (each instanceof X509ExtendedTrustManager trust) {
                return new Dated(trust);
            }
        }
        throw new GeneralSecurityException("This JDK checks no certificates of X.509");
    }

    /// Also refuses a certificate of a peer that is itself one of the authorities and is not valid now. The
    /// JDK looks at the dates of the others only. It requires this superclass. Any thread.
    private static final class Dated extends X509ExtendedTrustManager {
        private final X509ExtendedTrustManager rules;

        Dated(X509ExtendedTrustManager rules) {
            this.rules = rules;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkDates(chain);
            rules.checkClientTrusted(chain, type, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkDates(chain);
            rules.checkClientTrusted(chain, type, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            checkDates(chain);
            rules.checkClientTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkDates(chain);
            rules.checkServerTrusted(chain, type, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkDates(chain);
            rules.checkServerTrusted(chain, type, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            checkDates(chain);
            rules.checkServerTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return rules.getAcceptedIssuers();
        }

        private static void checkDates(X509Certificate[] chain) throws CertificateException {
            if (chain.length > 0) {
                chain[0].checkValidity();
            }
        }
    }

    private static KeyStore store(Path file) throws IOException, GeneralSecurityException {
        List<X509Certificate> authorities = Credential.chain(file);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        return store;
    }

    private static IOException unusable(@Nullable Path file, GeneralSecurityException why) {
        return new IOException(
                "The authorities in "
                        + (file == null ? "the JDK" : file)
                        + " cannot be used: "
                        + why.getMessage(),
                why);
    }
}
