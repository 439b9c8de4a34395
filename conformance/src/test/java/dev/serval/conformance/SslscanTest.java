package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.JdkTls;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs sslscan, which tries every protocol and cipher.
final class SslscanTest {
    private static final TestKeys LOCAL = TestKeys.local();
    private static final List<String> CERTIFICATE_ONLY =
            List.of(
                    "--no-ciphersuites",
                    "--no-groups",
                    "--no-fallback",
                    "--no-renegotiation",
                    "--no-compression",
                    "--no-heartbleed");
    private static final Pattern OFFERED =
            Pattern.compile("(?m)^(?:Preferred|Accepted) +(\\S+) +(\\d+) bits +(\\S+)");

    @ParameterizedTest
    @EnumSource(TlsProfile.class)
    void offersNoOldProtocolAndNoWeakCipher(TlsProfile profile) {
        String out;
        List<KeyFiles> keys = List.of(new KeyFiles(LOCAL.certificate(), LOCAL.key()));
        try (Served server = served(profile, keys)) {
            out = scan(server, "localhost", List.of());
        }
        assertThat(out)
                .containsPattern("SSLv2 +disabled")
                .containsPattern("SSLv3 +disabled")
                .containsPattern("TLSv1.0 +disabled")
                .containsPattern("TLSv1.1 +disabled")
                .containsPattern(
                        "TLSv1.2 +" + (profile == TlsProfile.MODERN ? "dis" : "en") + "abled")
                .containsPattern("TLSv1.3 +enabled")
                .doesNotContain("Insecure session renegotiation")
                .doesNotContainPattern("(?<!not )vulnerable to heartbleed");
        assertThat(OFFERED.matcher(out).results())
                .isNotEmpty()
                .allSatisfy(row -> {
                    assertThat(Integer.parseInt(row.group(2))).isGreaterThanOrEqualTo(128);
                    assertThat(row.group(3)).containsPattern("GCM|CHACHA20");
                    if (row.group(1).equals("TLSv1.2")) {
                        assertThat(row.group(3)).startsWith("ECDHE-");
                    }
                });
    }

    /// curl trusts only the authority at the root, so it needs the certificate between.
    @Test
    void sendsTheCertificateOfTheNameWithItsChain() throws IOException {
        try (TempTree folder = TempTree.create()) {
            String root = made(folder, "root", "", "basicConstraints=CA:TRUE");
            String middle = made(folder, "middle", "root", "basicConstraints=CA:TRUE");
            made(folder, "shop", "middle", "subjectAltName=DNS:shop.example");
            Path shop = folder.path("shop.pem");
            Files.writeString(shop, Files.readString(Path.of(middle)), StandardOpenOption.APPEND);
            List<KeyFiles> keys =
                    List.of(
                            new KeyFiles(LOCAL.certificate(), LOCAL.key()),
                            new KeyFiles(shop, folder.path("shop.key")));
            try (Served server = served(TlsProfile.INTERMEDIATE, keys)) {
                assertThat(scan(server, "shop.example", CERTIFICATE_ONLY))
                        .containsPattern("Subject: +shop\n")
                        .containsPattern("Issuer: +middle\n")
                        .contains("DNS:shop.example")
                        .doesNotContain("DNS:localhost");
                assertThat(scan(server, "localhost", CERTIFICATE_ONLY))
                        .contains("DNS:localhost")
                        .doesNotContain("DNS:shop.example");
                Programs.Run run =
                        Programs.curl(
                                "--cacert",
                                root,
                                "--resolve",
                                "shop.example:" + server.port() + ":127.0.0.1",
                                "https://shop.example:" + server.port() + "/");
                assertThat(run.out()).isEqualTo("hello");
            }
        }
    }

    /// Makes a key and a certificate of that name.
    ///
    /// @param signer name of the authority that signs it; empty for its own key
    /// @return the path of the certificate
    private static String made(TempTree folder, String name, String signer, String extension) {
        String certificate = folder.path(name + ".pem").toString();
        String key = folder.path(name + ".key").toString();
        String options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
        List<String> arguments = new ArrayList<>(List.of(options.split(" ", -1)));
        arguments.addAll(List.of("-subj", "/CN=" + name, "-addext", extension));
        arguments.addAll(List.of("-keyout", key, "-out", certificate));
        if (!signer.isEmpty()) {
            arguments.addAll(List.of("-CA", folder.path(signer + ".pem").toString()));
            arguments.addAll(List.of("-CAkey", folder.path(signer + ".key").toString()));
        }
        Programs.Run run = Programs.run("openssl", "openssl", arguments.toArray(String[]::new));
        assertThat(run.exit()).as(run.out()).isZero();
        return certificate;
    }

    private static Served served(TlsProfile profile, List<KeyFiles> keys) {
        return Served.bare(
                b -> b.listen(listener(profile, keys)).mount("/", x -> Answers.text(x, "hello")));
    }

    private static String scan(Served server, String name, List<String> options) {
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(
                List.of("--no-colour", "--sni-name=" + name, "127.0.0.1:" + server.port()));
        Programs.Run run = Programs.run("sslscan", "sslscan", arguments.toArray(String[]::new));
        assertThat(run.exit()).as(run.out()).isZero();
        return run.out();
    }

    private static ListenerSpec listener(TlsProfile profile, List<KeyFiles> keys) {
        try {
            return new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .withTls(JdkTls.of(new TlsSettings(keys, profile, ClientCertificates.NONE)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
