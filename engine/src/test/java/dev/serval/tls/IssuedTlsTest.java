package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests certificates that come while the server runs, and what an authority gets that checks a name.
final class IssuedTlsTest {
    private static final TestKeys FIRST = TestKeys.make("EC", "dns:a.test");
    private static final TestKeys SECOND = TestKeys.make("EC", "dns:b.test");
    private static final TestKeys CHALLENGE = TestKeys.make("RSA", "dns:b.test");
    private static final TestKeys AUTHORITY =
            TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
    private static final TestKeys CLIENT = TestKeys.signedBy(AUTHORITY, "EC", "dns:client.test");
    private static final TlsSettings SETTINGS =
            TlsSettings.ofIssued(TlsProfile.INTERMEDIATE, ClientCertificates.NONE)
                    .withLibrary(TestLibrary.PRESENT);

    private final TlsPlug plug = new TlsPlug();
    private final List<String> reported = new ArrayList<>();
    private final ArrayDeque<Runnable> looks = new ArrayDeque<>();
    private final IssuedTls tls;

    IssuedTlsTest() throws IOException {
        tls = new IssuedTls(SETTINGS, plug.clock::nanos, looks::add, reported::add);
        plug.provider = tls;
    }

    @Test
    void changedFilesOfClientsAreNoticed(@TempDir Path folder) throws Exception {
        Path list = folder.resolve("list.crl");
        AUTHORITY.revoke(list, SECOND);
        IssuedTls asking = asking(list);
        assertThat(shows(CLIENT)).isTrue();
        AUTHORITY.revoke(list, SECOND, CLIENT);
        plug.clock.advance(WatchedFiles.LOOK_NANOS - 1);
        assertThat(shows(CLIENT)).isTrue();
        assertThat(looks).isEmpty();
        plug.clock.advance(1);
        assertThat(asking.engine(TlsPlug.ADDRESS)).isNotNull();
        look();
        assertThat(shows(CLIENT)).isFalse();
    }

    @Test
    void warnsOfListsThatAreOutOfDateOnceADay(@TempDir Path folder) throws Exception {
        Path list = folder.resolve("list.crl");
        AUTHORITY.revokeFrom("-10d", list, SECOND);
        List<String> warnings = new ArrayList<>();
        IssuedTls asking =
                new IssuedTls(
                        TlsSettings.ofIssued(
                                        TlsProfile.INTERMEDIATE,
                                        new ClientCertificates(
                                                ClientCertificates.Asked.NEED,
                                                AUTHORITY.certificate(),
                                                List.of(list)))
                                .withLibrary(TestLibrary.PRESENT),
                        plug.clock::nanos,
                        looks::add,
                        reported::add,
                        new CredentialCheck.Daily(InstantSource.system(), warnings::add));
        assertThat(warnings).singleElement().asString().contains("is out of date since ");
        plug.clock.advance(CredentialCheck.Daily.DAY_NANOS);
        assertThat(asking.engine(TlsPlug.ADDRESS)).isNotNull();
        look();
        assertThat(warnings).hasSize(2);
    }

    /// Nothing else would use the certificate until the next one comes, in weeks.
    @Test
    void keysThatCouldNotBeUsedAreTriedAgain(@TempDir Path folder) throws Exception {
        Path list = folder.resolve("list.crl");
        AUTHORITY.revoke(list, SECOND);
        IssuedTls asking = asking(list);
        Files.delete(list);
        IssuedKeys next = new IssuedKeys(List.of(read(SECOND)), Set.of("b.test"), List.of());
        assertThatThrownBy(() -> asking.use(next)).isInstanceOf(IOException.class);
        assertThat(shows(CLIENT)).as("with the former certificate").isTrue();
        AUTHORITY.revoke(list, SECOND);
        plug.clock.advance(WatchedFiles.LOOK_NANOS);
        assertThat(asking.engine(TlsPlug.ADDRESS)).isNotNull();
        look();
        plug.connect();
        TlsClient client = TlsClient.of(CLIENT.showing(SECOND)).begin();
        plug.exchange(client);
        assertThat(client.session().getPeerCertificates()[0]).isEqualTo(read(SECOND).certificate());
    }

    /// Makes a provider that needs certificates of clients.
    private IssuedTls asking(Path list) throws IOException {
        ClientCertificates clients =
                new ClientCertificates(
                        ClientCertificates.Asked.NEED, AUTHORITY.certificate(), List.of(list));
        IssuedTls asking =
                new IssuedTls(
                        TlsSettings.ofIssued(TlsProfile.INTERMEDIATE, clients)
                                .withLibrary(TestLibrary.PRESENT),
                        plug.clock::nanos,
                        looks::add,
                        reported::add);
        asking.use(new IssuedKeys(List.of(read(FIRST)), Set.of("a.test"), List.of()));
        plug.provider = asking;
        return asking;
    }

    private boolean shows(TestKeys keys) {
        try {
            plug.connect();
            TlsClient client = TlsClient.of(keys.showing(FIRST)).begin();
            plug.exchange(client);
            return client.isAgreed();
        } catch (SSLException e) {
            return false;
        }
    }

    private void look() {
        assertThat(looks).hasSize(1);
        looks.removeFirst().run();
    }

    @Test
    void handshakesAreRefusedBeforeTheFirstCertificate() throws Exception {
        assertThat(refuses("a.test")).isTrue();
        tls.use(new IssuedKeys(List.of(read(FIRST)), Set.of("a.test"), List.of()));
        assertThat(certificate(FIRST, "a.test")).isEqualTo(read(FIRST).certificate());
    }

    /// Its client would get the certificate of another name otherwise.
    @Test
    void handshakesForAnAwaitedNameAreRefused() throws Exception {
        tls.use(new IssuedKeys(List.of(read(FIRST)), Set.of("a.test", "b.test"), List.of()));
        assertThat(refuses("b.test")).isTrue();
        assertThat(certificate(FIRST, "other.test")).isEqualTo(read(FIRST).certificate());
        assertThat(certificate(FIRST, "a.test")).isEqualTo(read(FIRST).certificate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void authorityGetsTheCertificateOfItsCheck(String version) throws Exception {
        tls.use(
                new IssuedKeys(
                        List.of(read(FIRST)),
                        Set.of("a.test", "b.test"),
                        List.of(read(CHALLENGE))));
        assertThat(tls.furtherProtocols()).containsExactly(IssuedKeys.CHALLENGE_PROTOCOL);
        plug.provider = _ -> challenged(version);
        TlsClient client = connect(CHALLENGE.trusting(), "b.test", "acme-tls/1");
        assertThat(client.isAgreed()).isTrue();
        assertThat(client.applicationProtocol()).isEqualTo("acme-tls/1");
        assertThat(client.session().getPeerCertificates()[0])
                .isEqualTo(read(CHALLENGE).certificate());
    }

    /// Returns an engine as a listener makes it.
    private SSLEngine challenged(String version) {
        var engine = tls.engine(new InetSocketAddress(0));
        var parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setApplicationProtocols(new String[] {"http/1.1", "acme-tls/1"});
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Test
    void checkOfAnotherNameIsRefused() throws Exception {
        tls.use(new IssuedKeys(List.of(read(FIRST)), Set.of("a.test"), List.of(read(CHALLENGE))));
        plug.provider = _ -> challenged("TLSv1.3");
        assertThatThrownBy(() -> connect(FIRST.trusting(), "a.test", "acme-tls/1"))
                .isInstanceOf(SSLException.class);
        assertThat(reported).as("no client misses a certificate").isEmpty();
    }

    @Test
    void clientsNeverGetTheCertificateOfACheck() throws Exception {
        tls.use(new IssuedKeys(List.of(), Set.of("b.test"), List.of(read(CHALLENGE))));
        plug.provider = _ -> challenged("TLSv1.3");
        assertThat(refuses("b.test")).isTrue();
        assertThat(refuses("other.test")).isTrue();
    }

    @Test
    void noCheckIsOfferedWithoutOne() throws Exception {
        tls.use(new IssuedKeys(List.of(read(FIRST)), Set.of("a.test"), List.of()));
        assertThat(tls.furtherProtocols()).isEmpty();
    }

    @Test
    void newConnectionsGetTheNewCertificate() throws Exception {
        tls.use(new IssuedKeys(List.of(read(FIRST)), Set.of("a.test"), List.of()));
        assertThat(certificate(FIRST, "a.test")).isEqualTo(read(FIRST).certificate());
        tls.use(new IssuedKeys(List.of(read(SECOND)), Set.of("b.test"), List.of()));
        assertThat(certificate(SECOND, "b.test")).isEqualTo(read(SECOND).certificate());
    }

    @Test
    void settingsHaveEitherFilesOrIssuedKeys() {
        KeyFiles files = new KeyFiles(FIRST.certificate(), FIRST.key());
        assertThatThrownBy(() ->
                        new TlsSettings(
                                List.of(files),
                                TlsProfile.MODERN,
                                ClientCertificates.NONE,
                                true,
                                TestLibrary.PRESENT))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TlsSettings(List.of(), TlsProfile.MODERN))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// Clients could fill the log.
    @Test
    void refusedHandshakesAreReportedOnceAMinute() {
        assertThat(refuses("a.test")).isTrue();
        assertThat(refuses("b.test")).isTrue();
        plug.clock.advance(IssuedTls.LOG_NANOS - 1);
        assertThat(refuses("c.test")).isTrue();
        assertThat(reported).containsExactly("a.test");
        plug.clock.advance(1);
        assertThat(refuses("d.test")).isTrue();
        assertThat(reported).containsExactly("a.test", "d.test");
    }

    private static Credential read(TestKeys keys) throws IOException {
        return Credential.pem(keys.certificate(), keys.key());
    }

    private boolean refuses(String name) {
        try {
            return !connect(FIRST.trusting(), name).isAgreed();
        } catch (SSLException e) {
            return true;
        }
    }

    private TlsClient connect(SSLContext context, String name, String... protocols)
            throws SSLException {
        plug.connect();
        TlsClient client = TlsClient.named(context, name).offering(protocols).begin();
        plug.exchange(client);
        return client;
    }

    private X509Certificate certificate(TestKeys trusted, String name) throws IOException {
        TlsClient client = connect(trusted.trusting(), name);
        assertThat(client.isAgreed()).isTrue();
        return (X509Certificate) client.session().getPeerCertificates()[0];
    }
}
