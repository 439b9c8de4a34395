package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests certificates of clients.
final class ClientCertificatesTest {
    private static final TestKeys SERVER = TestKeys.local();
    private static final TestKeys AUTHORITY =
            TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
    private static final TestKeys CLIENT = TestKeys.signedBy(AUTHORITY, "EC", "dns:client.test");
    private static final TestKeys STRANGER = TestKeys.make("EC", "dns:stranger.test");

    private final TlsPlug plug = new TlsPlug();

    @ParameterizedTest
    @EnumSource(names = {"WANT", "NEED"})
    void certificateOfATrustedAuthorityIsKnown(ClientCertificates.Asked asked) throws Exception {
        TlsClient client = connect(asked, TlsClient.of(CLIENT.showing(SERVER)));
        assertThat(client.isAgreed()).isTrue();
        SSLSession session = Objects.requireNonNull(plug.encryption().session());
        assertThat(((X509Certificate) session.getPeerCertificates()[0]).getSubjectX500Principal())
                .isEqualTo(
                        Credential.chain(CLIENT.certificate())
                                .getFirst()
                                .getSubjectX500Principal());
    }

    @Test
    void clientWithoutACertificateIsServedIfItIsOnlyWanted() throws IOException {
        TlsClient client = connect(ClientCertificates.Asked.WANT, TlsClient.of(SERVER.trusting()));
        assertThat(client.isAgreed()).isTrue();
        assertThat(plug.ends).containsExactly(TlsHost.End.DONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void clientWithoutACertificateIsRefusedIfItIsNeeded(String protocol) {
        assertThatThrownBy(() ->
                        connect(
                                ClientCertificates.Asked.NEED,
                                TlsClient.of(SERVER.trusting(), protocol)))
                .isInstanceOf(SSLException.class);
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    /// The JDK's client shows no certificate of an authority that the server does not name.
    @Test
    void certificateOfAnotherAuthorityIsNotEnough() {
        assertThatThrownBy(() ->
                        connect(
                                ClientCertificates.Asked.NEED,
                                TlsClient.of(STRANGER.showing(SERVER))))
                .isInstanceOf(SSLException.class);
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    @Test
    void namesAFileWithoutAuthorities() {
        Path key = SERVER.key();
        assertThatThrownBy(() -> JdkTls.of(settings(ClientCertificates.Asked.NEED, key)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(key + " has no certificate");
        assertThatThrownBy(() -> new ClientCertificates(ClientCertificates.Asked.WANT, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private TlsClient connect(ClientCertificates.Asked asked, TlsClient client) throws IOException {
        plug.provider = JdkTls.of(settings(asked, AUTHORITY.certificate()));
        plug.connect();
        plug.exchange(client.begin());
        return client;
    }

    private static TlsSettings settings(ClientCertificates.Asked asked, Path authorities) {
        return new TlsSettings(
                List.of(new KeyFiles(SERVER.certificate(), SERVER.key())),
                TlsProfile.INTERMEDIATE,
                new ClientCertificates(asked, authorities));
    }
}
