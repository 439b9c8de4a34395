package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests which certificate a client gets.
final class ServerKeysTest {
    private static final TestKeys FIRST = TestKeys.make("EC", "dns:first.test");
    private static final TestKeys FIRST_RSA = TestKeys.make("RSA", "dns:first.test");
    private static final TestKeys WILD = TestKeys.make("EC", "dns:*.wild.test");
    private static final TestKeys EXACT = TestKeys.make("EC", "dns:exact.wild.test");
    private static final TestKeys CAPITALS = TestKeys.make("EC", "dns:Capitals.TEST");
    private static final TestKeys NAMELESS = TestKeys.make("EC", "ip:127.0.0.1");
    private static final List<TestKeys> KEYS = List.of(FIRST, WILD, EXACT, FIRST_RSA, CAPITALS);
    private static final List<Credential> ALL = KEYS.stream().map(ServerKeysTest::read).toList();

    @ParameterizedTest
    @CsvSource({
        "first.test, 0",
        "EXACT.Wild.test, 2",
        "A.WILD.test, 1",
        "capitals.test, 4",
        "a.wild.test, 1",
        "exact.wild.test, 2",
        "a.b.wild.test, 0",
        "wild.test, 0",
        "unknown.test, 0",
    })
    void clientGetsTheCertificateForTheName(String name, int expected) throws IOException {
        assertThat(certificate(TlsClient.named(KEYS.get(expected).trusting(), name)))
                .isEqualTo(ALL.get(expected).certificate());
    }

    @ParameterizedTest
    @CsvSource({
        "first.test, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, 3",
        "first.test, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, 0",
        "unknown.test, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, 3",
        "unknown.test, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, 0"
    })
    void clientGetsTheKindOfKeyThatItSupports(String name, String suite, int expected)
            throws IOException {
        TlsClient client =
                TlsClient.named(KEYS.get(expected).trusting(), name, "TLSv1.2").suites(suite);
        assertThat(certificate(client)).isEqualTo(ALL.get(expected).certificate());
    }

    /// Such as one for an address.
    @Test
    void firstCertificateNeedsNoName() throws IOException {
        List<Credential> both = List.of(read(NAMELESS), read(FIRST));
        assertThat(certificate(both, TlsClient.named(NAMELESS.trusting(), "unknown.test")))
                .isEqualTo(both.getFirst().certificate());
        assertThat(certificate(both, TlsClient.named(FIRST.trusting(), "first.test")))
                .isEqualTo(both.getLast().certificate());
    }

    private static X509Certificate certificate(TlsClient client) throws IOException {
        return certificate(ALL, client);
    }

    private static X509Certificate certificate(List<Credential> all, TlsClient client)
            throws IOException {
        TlsPlug plug = new TlsPlug();
        plug.provider =
                TestLibrary.of(
                        all,
                        TlsSettings.ofIssued(TlsProfile.INTERMEDIATE, ClientCertificates.NONE));
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
