package dev.serval.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Reads the authorities that sign the certificates of peers. Stateless.
public final class Authorities {
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

    private static X509ExtendedTrustManager trust(TrustManagerFactory factory)
            throws GeneralSecurityException {
        for (TrustManager each : factory.getTrustManagers()) {
            if (each instanceof X509ExtendedTrustManager trust) {
                return trust;
            }
        }
        throw new GeneralSecurityException("This JDK checks no certificates of X.509");
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
