package dev.serval.boringssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.Credential;
import dev.serval.tls.IssuedKeys;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsProvider;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests what is peculiar to this library. The tests of the engine's transport run over it, too.
final class BoringEngineTest {
    private static final TestKeys EC = TestKeys.make("EC", "dns:localhost");
    private static final TestKeys RSA = TestKeys.make("RSA", "dns:localhost");
    private static final TestKeys EDDSA = TestKeys.make("Ed25519", "dns:localhost");
    private static final byte[] REQUEST = "request".getBytes(StandardCharsets.US_ASCII);

    /// A signature by RSA takes much longer than all of a handshake with ECDSA.
    @ParameterizedTest
    @CsvSource({"TLSv1.3, false", "TLSv1.3, true", "TLSv1.2, false", "TLSv1.2, true"})
    void onlyHandshakesWithRsaGiveWorkToThreads(String version, boolean rsa) throws IOException {
        TestKeys keys = rsa ? RSA : EC;
        Talk talk = new Talk(BoringTls.of(settings(keys)));
        TlsClient client = TlsClient.of(keys.trusting(), version).begin();
        talk.exchange(client);
        assertThat(talk.isAgreed()).isTrue();
        assertThat(talk.tasks() > 0).isEqualTo(rsa);
        client.send(REQUEST, 0, REQUEST.length);
        talk.receive(client.toSend());
        assertThat(talk.read.toByteArray()).isEqualTo(REQUEST);
        talk.free();
    }

    @Test
    void engineThatIsFreedBeforeItsWorkDoesNone() throws IOException {
        Talk talk = new Talk(BoringTls.of(settings(RSA)));
        byte[] hello = TlsClient.of(RSA.trusting()).begin().toSend();
        ByteBuffer record = ByteBuffer.allocateDirect(hello.length).put(hello).flip();
        talk.engine.unwrap(record, ByteBuffer.allocate(1 << 15));
        Runnable task = talk.engine.getDelegatedTask();
        assertThat(task).isNotNull();
        talk.free();
        task.run();
        talk.free();
        assertThatThrownBy(talk::sealedOwn)
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("freed");
    }

    /// Else the transport would ask for work again and again, until the time of the handshake is over.
    @Test
    void errorInTheWorkEndsTheHandshake() throws IOException {
        IssuedKeys keys =
                new IssuedKeys(
                        List.of(Credential.pem(RSA.certificate(), RSA.key())),
                        Set.of("awaited.test"),
                        List.of());
        BoringTls provider =
                new BoringTls(
                        keys,
                        _ -> {
                            throw new OutOfMemoryError("as this test wishes");
                        },
                        settings(RSA),
                        () -> 0);
        Talk talk = new Talk(provider);
        byte[] hello = TlsClient.named(RSA.trusting(), "awaited.test").begin().toSend();
        ByteBuffer record = ByteBuffer.allocateDirect(hello.length).put(hello).flip();
        talk.engine.unwrap(record, ByteBuffer.allocate(1 << 15));
        Runnable task = talk.engine.getDelegatedTask();
        assertThatThrownBy(task::run).hasMessageContaining("as this test wishes");
        assertThat(talk.engine.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_WRAP);
        assertThatThrownBy(talk::sealedOwn).isInstanceOf(SSLException.class);
        talk.free();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void keysOfEddsaAreServed(String version) throws IOException {
        Talk talk = new Talk(BoringTls.of(settings(EDDSA)));
        talk.exchange(TlsClient.of(EDDSA.trusting(), version).begin());
        assertThat(talk.isAgreed()).isTrue();
        talk.free();
    }

    /// Both are for the same name, and this client supports both.
    @Test
    void cheaperOfTwoKeysIsTaken() throws IOException {
        Talk talk = new Talk(BoringTls.of(settings(RSA, EC)));
        TlsClient client = TlsClient.of(EC.trusting(RSA)).begin();
        talk.exchange(client);
        assertThat(certificate(client)).isEqualTo(read(EC).certificate());
        talk.free();
    }

    @Test
    void keyThatTheLibraryCannotUseIsNamed() {
        TestKeys pss = TestKeys.make("RSASSA-PSS", "dns:localhost");
        assertThatThrownBy(() -> BoringTls.of(settings(pss)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(pss.certificate().toString())
                .hasMessageContaining("RSASSA-PSS")
                .hasMessageContaining("use an EC key, or the provider jdk");
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, TLS_AES_128_GCM_SHA256",
        "TLSv1.3, TLS_AES_256_GCM_SHA384",
        "TLSv1.3, TLS_CHACHA20_POLY1305_SHA256",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
    })
    void sessionHasTheStandardNames(String version, String suite) throws IOException {
        Talk talk = new Talk(BoringTls.of(settings(EC)));
        talk.exchange(TlsClient.of(EC.trusting(), version).suites(suite).begin());
        assertThat(talk.engine.getSession().getProtocol()).isEqualTo(version);
        assertThat(talk.engine.getSession().getCipherSuite()).isEqualTo(suite);
        assertThatThrownBy(() -> talk.engine.getSession().getPeerCertificates())
                .isInstanceOf(SSLPeerUnverifiedException.class);
        talk.free();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"
            })
    void otherSuitesAreRefused(String suite) throws IOException {
        Talk talk = new Talk(BoringTls.of(settings(EC)));
        TlsClient client = TlsClient.of(EC.trusting(), "TLSv1.2").suites(suite).begin();
        assertThatThrownBy(() -> talk.exchange(client)).isInstanceOf(SSLException.class);
        assertThat(talk.isAgreed()).isFalse();
        talk.free();
    }

    @Test
    void serverChoosesTheSuite() throws IOException {
        Talk talk = new Talk(BoringTls.of(settings(EC)));
        TlsClient client =
                TlsClient.of(EC.trusting(), "TLSv1.2")
                        .suites(
                                "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                                "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        talk.exchange(client.begin());
        assertThat(talk.engine.getSession().getCipherSuite())
                .isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        talk.free();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void sessionHasTheWholeChainOfAClientAlsoIfItIsResumed(String version) throws IOException {
        TestKeys authority =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        TestKeys client = TestKeys.signedBy(authority, "EC", "dns:client.test");
        TlsProvider tls =
                BoringTls.of(
                        settings(
                                new ClientCertificates(
                                        ClientCertificates.Asked.WANT, authority.certificate())));
        SSLContext clients = client.showing(EC);
        for (int i = 0; i < 2; i++) {
            Talk talk = new Talk(tls);
            talk.exchange(TlsClient.of(clients, version).begin());
            assertThat(talk.isAgreed()).isTrue();
            assertThat(talk.engine.getSession().getPeerCertificates())
                    .containsExactly(read(client).certificate(), read(authority).certificate());
            talk.free();
        }
    }

    @Test
    void contentInPartsAndOnTheHeapIsOneRecord() throws IOException {
        Talk talk = new Talk(BoringTls.of(settings(EC)));
        TlsClient client = TlsClient.of(EC.trusting()).begin();
        talk.exchange(client);
        ByteBuffer direct = ByteBuffer.allocateDirect(3).put(REQUEST, 0, 3).flip();
        ByteBuffer heap = ByteBuffer.wrap(REQUEST, 3, 4);
        byte[] record = talk.seal(direct, ByteBuffer.allocate(0), heap);
        assertThat(record).hasSize(REQUEST.length + 22);
        assertThat(direct.hasRemaining() || heap.hasRemaining()).isFalse();
        client.receive(record, 0, record.length);
        assertThat(client.take()).isEqualTo(REQUEST);
        talk.free();
    }

    @Test
    void faultsAreNamedInWords() throws IOException {
        Talk refused = new Talk(BoringTls.of(settings(EC)));
        TlsClient stranger = TlsClient.of(RSA.trusting()).begin(); // does not trust the server
        assertThatThrownBy(() -> refused.exchange(stranger)).isInstanceOf(SSLException.class);
        stranger.receive(new byte[0], 0, 0); // makes the alert
        assertThatThrownBy(() -> refused.receive(stranger.toSend()))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("the peer has sent the alert certificate_unknown");
        refused.free();
        Talk old = new Talk(BoringTls.of(modern()));
        TlsClient client = TlsClient.of(EC.trusting(), "TLSv1.2").begin();
        assertThatThrownBy(() -> old.exchange(client))
                .isInstanceOf(SSLException.class)
                .hasMessage("unsupported protocol");
        old.free();
    }

    @Test
    void reasonWhyACertificateOfAClientIsRefusedIsNamed() throws IOException {
        TestKeys authority =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        TestKeys client = TestKeys.signedBy(authority, "EC", "dns:client.test");
        Path list = EC.folder().resolve("revoked.crl");
        authority.revoke(list, client);
        TlsSettings settings =
                settings(
                        new ClientCertificates(
                                ClientCertificates.Asked.NEED,
                                authority.certificate(),
                                List.of(list)));
        Talk talk = new Talk(BoringTls.of(settings));
        TlsClient shows = TlsClient.of(client.showing(EC)).begin();
        assertThatThrownBy(() -> talk.exchange(shows))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("revoked");
        byte[] alert = talk.sealedOwn();
        assertThatThrownBy(() -> shows.receive(alert, 0, alert.length))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("certificate_revoked");
        talk.free();
    }

    /// RFC 7301 §3.2.
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void clientThatOffersOnlyOtherProtocolsIsRefused(String version) throws IOException {
        Talk talk = new Talk(BoringTls.of(settings(EC)));
        TlsClient client = TlsClient.of(EC.trusting(), version).offering("h2", "ftp").begin();
        assertThatThrownBy(() -> talk.exchange(client))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("none of [http/1.1]");
        byte[] alert = talk.sealedOwn();
        assertThatThrownBy(() -> client.receive(alert, 0, alert.length))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("no_application_protocol");
        talk.free();
    }

    /// Malformed messages are left to BoringSSL, which refuses them.
    @Test
    void cutHelloOffersNothing() throws IOException {
        byte[] hello = TlsClient.of(EC.trusting()).offering("ftp").begin().toSend();
        List<String> protocols = List.of("http/1.1");
        assertThat(ClientHello.offersOthers(ByteBuffer.wrap(hello), protocols)).isTrue();
        assertThat(ClientHello.offersOthers(ByteBuffer.wrap(hello), List.of("h2", "ftp")))
                .isFalse();
        for (int cut = 0; cut < hello.length; cut++) {
            assertThat(ClientHello.offersOthers(ByteBuffer.wrap(hello, 0, cut), protocols))
                    .as("cut at %d", cut)
                    .isFalse();
        }
        byte[] without = TlsClient.of(EC.trusting()).begin().toSend();
        assertThat(ClientHello.offersOthers(ByteBuffer.wrap(without), protocols)).isFalse();
    }

    // Tickets

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void ticketsAreAcceptedForADay(String version) throws IOException {
        long[] now = {0};
        SSLContext clients = EC.trusting();
        BoringTls tls =
                new BoringTls(
                        new IssuedKeys(List.of(read(EC)), Set.of(), List.of()),
                        _ -> {},
                        settings(EC),
                        () -> now[0]);
        int full = answered(tls, clients, version);
        int resumed = answered(tls, clients, version);
        assertThat(resumed).isLessThan(full - 200);
        now[0] += (TicketKeys.KEPT - 1) * TicketKeys.SEALS_NANOS;
        assertThat(answered(tls, clients, version)).isLessThan(full - 200);
        now[0] += 2 * TicketKeys.KEPT * TicketKeys.SEALS_NANOS;
        assertThat(answered(tls, clients, version)).isGreaterThan(full - 200);
    }

    /// Completes a handshake, and returns the bytes of the first answer.
    private static int answered(TlsProvider tls, SSLContext clients, String version)
            throws IOException {
        Talk talk = new Talk(tls);
        TlsClient client = TlsClient.of(clients, version).begin();
        talk.receive(client.toSend());
        byte[] answer = talk.takeOwn();
        client.receive(answer, 0, answer.length);
        talk.exchange(client);
        assertThat(talk.isAgreed()).isTrue();
        talk.free();
        return answer.length;
    }

    private static X509Certificate certificate(TlsClient client) throws IOException {
        return (X509Certificate) client.session().getPeerCertificates()[0];
    }

    private static Credential read(TestKeys keys) throws IOException {
        return Credential.pem(keys.certificate(), keys.key());
    }

    private static TlsSettings settings(TestKeys... keys) {
        return new TlsSettings(
                List.of(keys).stream()
                        .map(each -> new KeyFiles(each.certificate(), each.key()))
                        .toList(),
                TlsProfile.INTERMEDIATE);
    }

    private static TlsSettings settings(ClientCertificates clients) {
        return new TlsSettings(
                List.of(new KeyFiles(EC.certificate(), EC.key())),
                TlsProfile.INTERMEDIATE,
                clients);
    }

    private static TlsSettings modern() {
        return new TlsSettings(
                List.of(new KeyFiles(EC.certificate(), EC.key())), TlsProfile.MODERN);
    }
}
