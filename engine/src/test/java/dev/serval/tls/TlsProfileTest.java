package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TlsClient;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which ciphers a handshake may agree on.
final class TlsProfileTest {
    private final TlsPlug plug = new TlsPlug();

    private TlsClient connect(String protocol, String... suites) throws IOException {
        plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting(), protocol).suites(suites);
        plug.exchange(client.begin());
        return client;
    }

    /// The cheapest for the server comes first, whatever the client prefers.
    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, TLS_CHACHA20_POLY1305_SHA256, TLS_AES_128_GCM_SHA256",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
    })
    void orderIsThatOfTheServer(String protocol, String first, String second) throws IOException {
        assertThat(connect(protocol, first, second).session().getCipherSuite()).isEqualTo(second);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"
            })
    void suitesThatDoNotCheckWhatTheyEncryptAreRefused(String suite) {
        assertThatThrownBy(() -> connect("TLSv1.2", suite)).isInstanceOf(SSLException.class);
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    /// One key share of ffdhe8192 costs the server as much as several handshakes.
    @Test
    void groupsOfFiniteFieldsAreRefused() throws IOException {
        plug.connect();
        TlsClient client =
                TlsClient.of(plug.keys.trusting(), "TLSv1.3").groups("ffdhe2048", "ffdhe8192");
        assertThatThrownBy(() -> plug.exchange(client.begin())).isInstanceOf(SSLException.class);
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x25519", "secp256r1", "secp384r1", "secp521r1", "x448"})
    void groupsOfCurvesAreTaken(String group) throws IOException {
        plug.connect();
        TlsClient client = TlsClient.of(plug.keys.trusting(), "TLSv1.3").groups(group);
        plug.exchange(client.begin());
        assertThat(plug.ends).containsExactly(TlsHost.End.DONE);
    }

    /// The default of the JDK has one lock for the whole JVM, for which application code may wait, too.
    @Test
    void randomBytesAreOfAGeneratorOfTheirOwn() {
        assertThat(JdkTls.random().getAlgorithm()).isEqualTo("DRBG");
    }
}
