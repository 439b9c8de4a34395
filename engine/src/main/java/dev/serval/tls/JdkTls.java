package dev.serval.tls;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// TLS by the JDK's own engine. A client resumes a session by a ticket, which the server does not
/// store. Any thread.
///
/// The shortest use is `Serval.builder().listen(8443, JdkTls.of(certificate, key))`.
public final class JdkTls implements TlsProvider {
    /// Makes the engines of the JDK, whatever the library of the settings is.
    public static final TlsProvider.Maker LIBRARY = JdkTls::of;

    private static final String[] HTTP1 = {"http/1.1"};

    /// With what the names of groups of finite fields begin (RFC 7919). A key share of the largest costs
    /// the server as much as several handshakes, and a client that repeats one nothing. No client needs
    /// them with TLS 1.3, and the suites of TLS 1.2 do not use them.
    private static final String FINITE_FIELD = "ffdhe";

    private final SSLContext context;
    private final String @Nullable [] groups; // to agree on keys; null for those of the JDK
    private final TlsProfile profile;
    private final ClientCertificates.Asked asked;

    private JdkTls(
            ServerKeys keys,
            TlsProfile profile,
            ClientCertificates.Asked asked,
            TrustManager @Nullable [] trust) {
        this.profile = profile;
        this.asked = asked;
        try {
            context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {keys}, trust, random());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no TLS", e);
        }
        groups = groups(context.getDefaultSSLParameters().getNamedGroups());
    }

    /// Returns the groups of the JDK that are cheap for a server.
    ///
    /// @return null for those of the JDK, if its property `jdk.tls.namedGroups` has only others
    private static String @Nullable [] groups(String @Nullable [] all) {
        if (all == null) {
            return null;
        }
        String[] cheap =
                Arrays.stream(all)
                        .filter(name -> !name.startsWith(FINITE_FIELD))
                        .toArray(String[]::new);
        return cheap.length == 0 ? null : cheap;
    }

    /// Returns a source of random bytes for one context of TLS. That of the JDK's default has one lock in
    /// the whole JVM, so that a loop would wait for code of applications that draws random bytes.
    public static SecureRandom random() {
        try {
            return SecureRandom.getInstance("DRBG"); // NIST SP 800-90A
        } catch (NoSuchAlgorithmException e) { // another provider of security than the JDK's
            return new SecureRandom();
        }
    }

    /// Serves one certificate for every name, with TLS 1.3 and 1.2.
    ///
    /// @param certificates a PEM file with the certificate and its chain
    /// @param key a PEM file with the private key
    /// @throws IOException if these cannot be used; the message says which file, what is wrong and
    ///     what would be right
    public static JdkTls of(Path certificates, Path key) throws IOException {
        return of(
                new TlsSettings(List.of(new KeyFiles(certificates, key)), TlsProfile.INTERMEDIATE));
    }

    /// Reads the files of the settings.
    ///
    /// @throws IOException as [#of(Path,Path)]
    public static JdkTls of(TlsSettings settings) throws IOException {
        List<Credential> all = new ArrayList<>();
        for (KeyFiles files : settings.keys()) {
            all.addAll(files.read());
        }
        ClientCertificates clients = settings.clients();
        return new JdkTls(keys(all), settings.profile(), clients.asked(), clients.read());
    }

    /// Serves certificates that were issued.
    ///
    /// @param refused takes the name for which there is no certificate yet, at each handshake
    static JdkTls of(IssuedKeys keys, Consumer<String> refused, TlsSettings settings)
            throws IOException {
        ClientCertificates clients = settings.clients();
        return new JdkTls(
                new ServerKeys(keys, refused), settings.profile(), clients.asked(), clients.read());
    }

    private static ServerKeys keys(List<Credential> credentials) {
        if (credentials.isEmpty()) {
            throw new IllegalArgumentException(
                    "A listener with TLS needs at least one certificate");
        }
        return new ServerKeys(credentials);
    }

    /// Serves one of these certificates, by the name that the client asks for.
    ///
    /// @param credentials the first is for clients that ask for no name, or for one that no certificate
    ///     is for
    public static JdkTls of(List<Credential> credentials, TlsProfile profile) {
        return new JdkTls(keys(credentials), profile, ClientCertificates.Asked.NO, null);
    }

    @Override
    public SSLEngine engine(SocketAddress peer) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(profile.protocols());
        parameters.setCipherSuites(profile.suites());
        parameters.setUseCipherSuitesOrder(true);
        parameters.setApplicationProtocols(HTTP1);
        if (groups != null) {
            parameters.setNamedGroups(groups);
        }
        switch (asked) {
            case NO -> {}
            case WANT -> parameters.setWantClientAuth(true);
            case NEED -> parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }
}
