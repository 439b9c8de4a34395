package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

    /// The JDK does not look at the dates of a certificate that is itself trusted.
    @ParameterizedTest
    @ValueSource(strings = {"-10d", "+5d"})
    void certificateThatIsItselfTrustedHasToBeValidNow(String begin) throws IOException {
        TestKeys valid = TestKeys.make("EC", "dns:own.test");
        plug.provider =
                TestLibrary.of(settings(ClientCertificates.Asked.NEED, valid.certificate()));
        assertThat(agreed(valid)).isTrue();
        plug.ends.clear();
        TestKeys other = TestKeys.make("EC", "dns:own.test", "-startdate", begin);
        plug.provider =
                TestLibrary.of(settings(ClientCertificates.Asked.NEED, other.certificate()));
        assertThatThrownBy(() -> agreed(other)).isInstanceOf(SSLException.class);
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    @Test
    void certificateThatWasRevokedIsRefused(@TempDir Path folder) throws IOException {
        TestKeys other = TestKeys.signedBy(AUTHORITY, "EC", "dns:other.test");
        Path list = folder.resolve("list.crl");
        AUTHORITY.revoke(list, other);
        TlsClient client = connect(list, CLIENT);
        assertThat(client.isAgreed()).isTrue();
        assertThat(plug.ends).containsExactly(TlsHost.End.DONE);
        plug.ends.clear();
        assertThatThrownBy(() -> connect(list, other)).isInstanceOf(SSLException.class);
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
    }

    @Test
    void authorityWithoutAListIsNotTrusted(@TempDir Path folder) {
        TestKeys other = TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=other");
        Path list = folder.resolve("list.crl");
        other.revoke(list, STRANGER);
        assertThatThrownBy(() -> connect(list, CLIENT)).isInstanceOf(SSLException.class);
    }

    /// A list of a large authority has more bytes than any file of keys.
    @Test
    void longListIsRead(@TempDir Path folder) throws IOException {
        Path list = folder.resolve("list.crl");
        AUTHORITY.revoke(list, STRANGER);
        Files.writeString(list, "\n".repeat(2 << 20) + Files.readString(list));
        assertThat(connect(list, CLIENT).isAgreed()).isTrue();
    }

    @Test
    void changedListIsReadAgain(@TempDir Path folder) throws IOException {
        Path list = folder.resolve("list.crl");
        AUTHORITY.revoke(list, STRANGER);
        long[] now = {0};
        plug.provider =
                new WatchedTls(
                        settings(list).withLibrary(TestLibrary.PRESENT),
                        () -> now[0],
                        Runnable::run);
        assertThat(agreed(CLIENT)).isTrue();
        AUTHORITY.revoke(list, STRANGER, CLIENT);
        now[0] += WatchedFiles.LOOK_NANOS;
        assertThat(plug.provider.engine(TlsPlug.ADDRESS)).isNotNull(); // looks at the files
        assertThatThrownBy(() -> agreed(CLIENT)).isInstanceOf(SSLException.class);
    }

    @Test
    void namesAFileWithoutAList() {
        assertThatThrownBy(() -> TestLibrary.of(settings(SERVER.key())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(SERVER.key().toString());
        assertThatThrownBy(() ->
                        new ClientCertificates(
                                ClientCertificates.Asked.NO, null, List.of(SERVER.key())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private TlsClient connect(Path list, TestKeys client) throws IOException {
        plug.provider = TestLibrary.of(settings(list));
        plug.connect();
        TlsClient connected = TlsClient.of(client.showing(SERVER)).begin();
        plug.exchange(connected);
        return connected;
    }

    private boolean agreed(TestKeys client) throws IOException {
        plug.connect();
        TlsClient connected = TlsClient.of(client.showing(SERVER)).begin();
        plug.exchange(connected);
        return connected.isAgreed();
    }

    private static TlsSettings settings(Path list) {
        return new TlsSettings(
                List.of(new KeyFiles(SERVER.certificate(), SERVER.key())),
                TlsProfile.INTERMEDIATE,
                new ClientCertificates(
                        ClientCertificates.Asked.NEED, AUTHORITY.certificate(), List.of(list)));
    }

    @Test
    void namesAFileWithoutAuthorities() {
        Path key = SERVER.key();
        assertThatThrownBy(() -> TestLibrary.of(settings(ClientCertificates.Asked.NEED, key)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(key + " has no certificate");
        assertThatThrownBy(() -> new ClientCertificates(ClientCertificates.Asked.WANT, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private TlsClient connect(ClientCertificates.Asked asked, TlsClient client) throws IOException {
        plug.provider = TestLibrary.of(settings(asked, AUTHORITY.certificate()));
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
