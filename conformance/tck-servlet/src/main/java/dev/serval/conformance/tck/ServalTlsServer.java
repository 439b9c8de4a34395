package dev.serval.conformance.tck;

import dev.serval.ListenerSpec;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.JdkTls;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serval with TLS, which asks clients for a certificate and trusts the one that the suite has. The
/// suite's client takes its own key, and whom it trusts, from the system properties of the JVM. They
/// are set when the server starts, before the suite makes its first connection.
public final class ServalTlsServer extends ServalServer {
    private static final String CLIENT = "/certificates/clientcert.jks"; // of the suite
    private static final String CLIENT_KIND = "JKS";
    private static final String CLIENT_ALIAS = "cts";
    private static final String CLIENT_PASSPHRASE = "changeit";

    private final TempTree files = TempTree.create();

    /// Creates a server that has not started.
    public ServalTlsServer() {}

    @Override
    protected ListenerSpec listener() throws Exception {
        TestKeys keys = TestKeys.local();
        ClientCertificates clients =
                new ClientCertificates(ClientCertificates.Asked.WANT, trusted(clientStore()));
        use("trustStore", keys.store(), "PKCS12", TestKeys.PASSPHRASE);
        return super.listener()
                .withTls(
                        JdkTls.of(
                                new TlsSettings(
                                        List.of(new KeyFiles(keys.certificate(), keys.key())),
                                        TlsProfile.INTERMEDIATE,
                                        clients)));
    }

    @Override
    public void stop() throws Exception {
        super.stop();
        files.close();
    }

    /// Copies the suite's key out of its archive, and has the suite use it.
    private Path clientStore() throws IOException {
        Path copy = files.path("client.jks");
        try (@Nullable InputStream in = ServalTlsServer.class.getResourceAsStream(CLIENT)) {
            if (in == null) {
                throw new IOException("The suite has no file " + CLIENT);
            }
            Files.copy(in, copy);
        }
        use("keyStore", copy, CLIENT_KIND, CLIENT_PASSPHRASE);
        return copy;
    }

    private Path trusted(Path store) throws IOException, GeneralSecurityException {
        KeyStore opened = KeyStore.getInstance(CLIENT_KIND);
        try (InputStream in = Files.newInputStream(store)) {
            opened.load(in, CLIENT_PASSPHRASE.toCharArray());
        }
        return files.file(
                "client.pem",
                TestKeys.pem("CERTIFICATE", opened.getCertificate(CLIENT_ALIAS).getEncoded()));
    }

    private static void use(String property, Path store, String kind, String passphrase) {
        String name = "javax.net.ssl." + property;
        System.setProperty(name, store.toString());
        System.setProperty(name + "Type", kind);
        System.setProperty(name + "Password", passphrase);
    }
}
