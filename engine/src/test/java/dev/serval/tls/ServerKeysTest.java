package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests which certificate a client gets.
final class ServerKeysTest {
    private static final TestKeys FIRST = TestKeys.make("EC", "dns:first.test");
    private static final TestKeys FIRST_RSA = TestKeys.make("RSA", "dns:first.test");
    private static final TestKeys WILD = TestKeys.make("EC", "dns:*.wild.test");
    private static final TestKeys EXACT = TestKeys.make("EC", "dns:exact.wild.test");
    private static final List<Credential> ALL =
            Stream.of(FIRST, WILD, EXACT, FIRST_RSA).map(ServerKeysTest::read).toList();

    @ParameterizedTest
    @CsvSource({
        "first.test, 0",
        "FIRST.test, 0",
        "a.wild.test, 1",
        "exact.wild.test, 2",
        "a.b.wild.test, 0",
        "wild.test, 0",
        "unknown.test, 0",
    })
    void clientGetsTheCertificateForTheName(String name, int expected) throws IOException {
        TestKeys trusted = List.of(FIRST, WILD, EXACT).get(expected);
        assertThat(certificate(TlsClient.named(trusted.trusting(), name)))
                .isEqualTo(ALL.get(expected).certificate());
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, 3",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, 0"
    })
    void clientGetsTheKindOfKeyThatItSupports(String suite, int expected) throws IOException {
        TestKeys trusted = expected == 3 ? FIRST_RSA : FIRST;
        TlsClient client =
                TlsClient.named(trusted.trusting(), "first.test", "TLSv1.2").suites(suite);
        assertThat(certificate(client)).isEqualTo(ALL.get(expected).certificate());
    }

    private static X509Certificate certificate(TlsClient client) throws IOException {
        TlsPlug plug = new TlsPlug();
        plug.provider = JdkTls.of(ALL, TlsProfile.INTERMEDIATE);
        plug.connect();
        plug.exchange(client.begin());
        assertThat(client.isAgreed()).isTrue();
        try {
            Certificate[] chain = client.session().getPeerCertificates();
            return (X509Certificate) chain[0];
        } catch (SSLPeerUnverifiedException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Credential read(TestKeys keys) {
        try {
            return Credential.pem(keys.certificate(), keys.key());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
