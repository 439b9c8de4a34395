package dev.serval.bench.bare;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// What a program is told about its listener by two arguments after its own: the protocol, which is
/// `http`, `h2c`, `https` or `h2`, and with TLS a key in a PKCS#12 file. A listener with TLS speaks both
/// versions of HTTP.
///
/// @param store an empty path without TLS
public record Listener(String protocol, Path store) {
    /// The passphrase of the file, which the suite makes.
    public static final String PASSPHRASE = "test-only";

    /// Reads the arguments, which may be missing: then it is HTTP/1.1 in the clear.
    ///
    /// @param from the place of the first one
    public static Listener of(String[] arguments, int from) {
        return new Listener(
                arguments.length > from ? arguments[from] : "http",
                Path.of(arguments.length > from + 1 ? arguments[from + 1] : ""));
    }

    /// Returns whether connections are encrypted.
    public boolean tls() {
        return !store.toString().isEmpty();
    }

    /// Returns whether clients may use HTTP/2.
    public boolean hasStreams() {
        return tls() || protocol.equals("h2c");
    }

    /// Returns the key with its certificate.
    public KeyManagerFactory keys() throws IOException, GeneralSecurityException {
        KeyStore opened = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            opened.load(in, PASSPHRASE.toCharArray());
        }
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(opened, PASSPHRASE.toCharArray());
        return keys;
    }

    /// Returns the JDK's TLS with the key.
    public SSLContext context() throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys().getKeyManagers(), null, null);
        return context;
    }
}
