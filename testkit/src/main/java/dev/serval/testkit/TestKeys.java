package dev.serval.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// A key with its certificate, made by the JDK's keytool at run time, so that the repository has none.
///
/// @param folder the folder with the files
/// @param store `store.p12`, whose passphrase is [#PASSPHRASE]
/// @param certificate `cert.pem`, with its chain
/// @param key `key.pem`, not encrypted
public record TestKeys(Path folder, Path store, Path certificate, Path key) {
    /// The passphrase of every store.
    public static final String PASSPHRASE = "test-only";

    /// The passphrase is no secret.
    private static final List<String> QUICK =
            List.of(
                    "-J-XX:+UseSerialGC",
                    "-J-Dkeystore.pkcs12.macIterationCount=1",
                    "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
                    "-J-Dkeystore.pkcs12.keyPbeIterationCount=1");

    /// keytool ends before the optimising compiler pays for itself, except when it searches primes.
    private static final String NO_OPTIMISING = "-J-XX:TieredStopAtLevel=1";

    private static final String ALIAS = "key";
    private static final Object LOCK = new Object();
    private static final List<TestKeys> LOCAL = new ArrayList<>();
    private static final List<SSLContext> TRUSTING = new ArrayList<>();

    /// Returns keys for `localhost` and `127.0.0.1`, made once for all tests of this JVM.
    public static TestKeys local() {
        synchronized (LOCK) {
            if (LOCAL.isEmpty()) {
                LOCAL.add(make("EC", "dns:localhost,ip:127.0.0.1"));
            }
            return LOCAL.getFirst();
        }
    }

    /// Returns what clients need that trust only [#local], made once for all tests of this JVM. So
    /// clients resume sessions.
    public static SSLContext trustingLocal() {
        TestKeys keys = local();
        synchronized (LOCK) {
            if (TRUSTING.isEmpty()) {
                TRUSTING.add(keys.trusting());
            }
            return TRUSTING.getFirst();
        }
    }

    /// Makes a key whose certificate it signs itself.
    ///
    /// @param algorithm such as `EC`, `RSA` or `Ed25519`
    /// @param names such as `dns:example.org,dns:*.example.org`
    /// @param more further arguments of keytool
    public static TestKeys make(String algorithm, String names, String... more) {
        Path folder = newFolder();
        Path store = folder.resolve("store.p12");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-genkeypair",
                                "-keyalg",
                                algorithm,
                                "-dname",
                                "CN=test",
                                "-ext",
                                "san=" + names));
        if (algorithm.equals("EC")) {
            arguments.addAll(List.of("-groupname", "secp256r1"));
        } else if (algorithm.startsWith("RSA")) {
            arguments.addAll(List.of("-keysize", "2048")); // keytool would make 3072, for seconds
        }
        if (!List.of(more).contains("-validity")) {
            arguments.addAll(List.of("-validity", "2"));
        }
        arguments.addAll(List.of(more));
        keytool(store, ALIAS, arguments);
        return written(folder, store);
    }

    /// Makes a key whose certificate an authority signs.
    ///
    /// @param authority made with `-ext bc:c`
    /// @param more further arguments of keytool, such as the time from which it is valid for two days
    public static TestKeys signedBy(
            TestKeys authority, String algorithm, String names, String... more) {
        TestKeys own = make(algorithm, names);
        Path request = own.folder.resolve("request");
        Path signed = own.folder.resolve("signed.pem");
        keytool(own.store, ALIAS, List.of("-certreq", "-file", request.toString()));
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-gencert",
                                "-infile",
                                request.toString(),
                                "-outfile",
                                signed.toString(),
                                "-rfc",
                                "-validity",
                                "2",
                                "-ext",
                                "san=" + names));
        arguments.addAll(List.of(more));
        keytool(authority.store, ALIAS, arguments);
        try {
            Files.writeString(
                    signed, Files.readString(authority.certificate), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        keytool(own.store, ALIAS, List.of("-importcert", "-noprompt", "-file", signed.toString()));
        return written(own.folder, own.store);
    }

    /// Writes the list of certificates that this authority has revoked.
    ///
    /// @param file it is replaced by a rename, as a list is in use
    public void revoke(Path file, TestKeys... revoked) {
        revokeFrom("-0d", file, revoked);
    }

    /// Writes the list of certificates that this authority has revoked. It is valid for two days.
    ///
    /// @param begin its first moment as keytool takes it, such as `-10d`
    /// @param file it is replaced by a rename, as a list is in use
    public void revokeFrom(String begin, Path file, TestKeys... revoked) {
        Path made = folder.resolve("list.crl");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-gencrl",
                                "-rfc",
                                "-startdate",
                                begin,
                                "-validity",
                                "2",
                                "-file",
                                made.toString()));
        try {
            for (TestKeys each : revoked) {
                X509Certificate certificate =
                        (X509Certificate) opened(each.store).getCertificate(ALIAS);
                arguments.addAll(List.of("-id", certificate.getSerialNumber().toString()));
            }
            keytool(store, ALIAS, arguments);
            Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns what clients need that trust only this certificate, or its authority.
    public SSLContext trusting() {
        return context(null, this);
    }

    /// Returns what clients need that trust only this certificate and another one.
    public SSLContext trusting(TestKeys other) {
        return context(null, this, other);
    }

    /// Returns what clients need that trust only the certificate in a stream, as PEM or DER.
    public static SSLContext trusting(InputStream certificate) {
        try {
            KeyStore trusted = empty();
            trusted.setCertificateEntry(
                    ALIAS,
                    CertificateFactory.getInstance("X.509").generateCertificate(certificate));
            return context(null, trusted);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns what clients need that show this certificate and trust only that of `server`.
    public SSLContext showing(TestKeys server) {
        try {
            KeyManagerFactory keys =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(opened(store), PASSPHRASE.toCharArray());
            return context(keys.getKeyManagers(), server);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SSLContext context(KeyManager @Nullable [] keys, TestKeys... servers) {
        try {
            KeyStore trusted = empty();
            for (TestKeys server : servers) {
                Certificate[] chain = opened(server.store).getCertificateChain(ALIAS);
                trusted.setCertificateEntry(server.folder.toString(), chain[chain.length - 1]);
            }
            return context(keys, trusted);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static SSLContext context(KeyManager @Nullable [] keys, KeyStore trusted)
            throws GeneralSecurityException {
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }

    private static TestKeys written(Path folder, Path store) {
        try {
            KeyStore opened = opened(store);
            StringBuilder chain = new StringBuilder();
            for (Certificate each : opened.getCertificateChain(ALIAS)) {
                chain.append(pem("CERTIFICATE", each.getEncoded()));
            }
            byte[] key = opened.getKey(ALIAS, PASSPHRASE.toCharArray()).getEncoded();
            return new TestKeys(
                    folder,
                    store,
                    Files.writeString(folder.resolve("cert.pem"), chain),
                    Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", key)));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns a PEM block.
    public static String pem(String label, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }

    private static KeyStore opened(Path store) throws IOException, GeneralSecurityException {
        KeyStore opened = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            opened.load(in, PASSPHRASE.toCharArray());
        }
        return opened;
    }

    private static Path newFolder() {
        try {
            Path folder = Files.createTempDirectory("serval-keys");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Collections.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // It is in the system's folder for such files.
        }
    }

    private static void keytool(Path store, String alias, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(QUICK);
        if (!arguments.contains("-keysize")) {
            command.add(NO_OPTIMISING);
        }
        command.addAll(arguments);
        command.addAll(
                List.of(
                        "-alias",
                        alias,
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSPHRASE));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " failed:\n" + out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
