package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.Connection;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests certificates that change while the server runs.
final class WatchedTlsTest {
    private static final TestKeys FIRST = TestKeys.make("EC", "dns:a.test");
    private static final TestKeys SECOND = TestKeys.make("EC", "dns:a.test,dns:more.test");
    private static final TestKeys OTHER = TestKeys.make("EC", "dns:b.test");

    @TempDir private Path folder;
    private final TlsPlug plug = new TlsPlug();
    private final ArrayDeque<Runnable> looks = new ArrayDeque<>();

    @BeforeEach
    void watch() throws IOException {
        put("a", FIRST);
        put("b", OTHER);
        plug.provider =
                new WatchedTls(
                        new TlsSettings(List.of(files("a"), files("b")), TlsProfile.INTERMEDIATE)
                                .withLibrary(TestLibrary.PRESENT),
                        plug.clock::nanos,
                        looks::add);
    }

    @Test
    void newConnectionsGetTheNewCertificate() throws Exception {
        TlsClient before = connect(FIRST, "a.test");
        Connection open = plug.connection();
        put("a", SECOND);
        pass();
        assertThat(certificate(connect(FIRST, "a.test"))).isEqualTo(certificate(before));
        look();
        assertThat(certificate(connect(SECOND, "a.test")))
                .isEqualTo(Credential.chain(SECOND.certificate()).getFirst());
        assertThat(open.isOpen()).isTrue();
    }

    @Test
    void looksAtMostOnceASecond() throws Exception {
        connect(FIRST, "a.test");
        plug.clock.advance(WatchedFiles.LOOK_NANOS - 1);
        connect(FIRST, "a.test");
        assertThat(looks).isEmpty();
        plug.clock.advance(1);
        connect(FIRST, "a.test");
        connect(FIRST, "a.test");
        assertThat(looks).hasSize(1);
    }

    /// The files of a pair are replaced one after the other.
    @Test
    void halfOfAChangeLeavesWhatWasThere() throws Exception {
        Files.copy(
                SECOND.certificate(), folder.resolve("a.pem"), StandardCopyOption.REPLACE_EXISTING);
        change();
        assertThat(certificate(connect(FIRST, "a.test")))
                .isEqualTo(Credential.chain(FIRST.certificate()).getFirst());
        Files.copy(SECOND.key(), folder.resolve("a.key"), StandardCopyOption.REPLACE_EXISTING);
        change();
        assertThat(certificate(connect(SECOND, "more.test")))
                .isEqualTo(Credential.chain(SECOND.certificate()).getFirst());
    }

    @Test
    void brokenPairDoesNotKeepOthersFromChanging() throws Exception {
        Files.delete(folder.resolve("b.pem"));
        put("a", SECOND);
        change();
        assertThat(certificate(connect(SECOND, "a.test")))
                .isEqualTo(Credential.chain(SECOND.certificate()).getFirst());
        assertThat(certificate(connect(OTHER, "b.test")))
                .isEqualTo(Credential.chain(OTHER.certificate()).getFirst());
    }

    /// A ticket was sealed by a key that is gone.
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void ticketsOfTheFormerCertificateAreRefused(String protocol) throws Exception {
        SSLContext context = FIRST.trusting(SECOND);
        plug.connect();
        TlsClient first = TlsClient.named(context, "a.test", protocol).begin();
        plug.exchange(first);
        put("a", SECOND);
        change();
        plug.connect();
        TlsClient next = TlsClient.named(context, "a.test", protocol).begin();
        plug.exchange(next);
        assertThat(certificate(next)).isNotEqualTo(certificate(first));
    }

    /// A change is used once. Otherwise every second would have new keys for tickets.
    @Test
    void looksWithoutAChangeLeaveTicketsValid() throws Exception {
        Path authorities = folder.resolve("authorities.pem");
        askFor(authorities);
        put("a", SECOND);
        Files.copy(FIRST.certificate(), authorities, StandardCopyOption.REPLACE_EXISTING);
        change();
        SSLContext context = SECOND.trusting();
        connect(context, "a.test").session().putValue("mark", true);
        change();
        change();
        assertThat(connect(context, "a.test").session().getValue("mark"))
                .as("mark of the session that is resumed")
                .isNotNull();
    }

    /// Authorities that cannot be read keep a new certificate waiting until they can.
    @Test
    void changedAuthoritiesOfClientsAreNoticed() throws Exception {
        Path authorities = folder.resolve("authorities.pem");
        askFor(authorities);
        Files.writeString(authorities, "nothing yet");
        put("a", SECOND);
        change();
        assertThat(certificate(connect(FIRST, "a.test")))
                .isEqualTo(Credential.chain(FIRST.certificate()).getFirst());
        Files.copy(FIRST.certificate(), authorities, StandardCopyOption.REPLACE_EXISTING);
        change();
        assertThat(certificate(connect(FIRST.showing(SECOND), "a.test")))
                .isEqualTo(Credential.chain(SECOND.certificate()).getFirst());
        assertThat(Objects.requireNonNull(plug.encryption().session()).getPeerCertificates()[0])
                .isEqualTo(Credential.chain(FIRST.certificate()).getFirst());
    }

    /// The files need not change for that: memory or descriptors may have run out for a moment.
    @Test
    void keysThatCouldNotBeUsedAreTriedAgain() throws Exception {
        boolean[] broken = {false};
        plug.provider =
                new WatchedTls(
                        new TlsSettings(List.of(files("a")), TlsProfile.INTERMEDIATE)
                                .withLibrary((keys, refused, settings) -> {
                                    if (broken[0]) {
                                        throw new IOException("Nothing works");
                                    }
                                    return TestLibrary.PRESENT.make(keys, refused, settings);
                                }),
                        plug.clock::nanos,
                        looks::add);
        broken[0] = true;
        put("a", SECOND);
        change();
        assertThat(certificate(connect(FIRST, "a.test")))
                .isEqualTo(Credential.chain(FIRST.certificate()).getFirst());
        broken[0] = false;
        plug.clock.advance(WatchedFiles.AGAIN_NANOS);
        change();
        assertThat(certificate(connect(SECOND, "a.test")))
                .isEqualTo(Credential.chain(SECOND.certificate()).getFirst());
    }

    /// At the start and then once a day, while clients come.
    @Test
    void warnsOfWhatIsOutOfDateOnceADay() throws Exception {
        Path list = folder.resolve("list.crl");
        OTHER.revokeFrom("-10d", list, SECOND);
        Instant[] wall = {Instant.now()};
        List<String> warnings = new ArrayList<>();
        plug.provider =
                new WatchedTls(
                        new TlsSettings(
                                        List.of(files("a")),
                                        TlsProfile.INTERMEDIATE,
                                        new ClientCertificates(
                                                ClientCertificates.Asked.WANT,
                                                OTHER.certificate(),
                                                List.of(list)))
                                .withLibrary(TestLibrary.PRESENT),
                        plug.clock::nanos,
                        looks::add,
                        new CredentialCheck.Daily(() -> wall[0], warnings::add));
        assertThat(warnings).singleElement().asString().contains("is out of date since ");
        change();
        assertThat(warnings).hasSize(1);
        wall[0] = wall[0].plus(Duration.ofHours(47));
        plug.clock.advance(CredentialCheck.Daily.DAY_NANOS);
        change();
        assertThat(warnings)
                .hasSize(4)
                .anyMatch(text -> text.contains("a.pem expires at "))
                .anyMatch(text -> text.contains(OTHER.certificate() + " expires at "));
    }

    /// Asks clients for certificates of the authorities in a file, which has one to begin with.
    private void askFor(Path authorities) throws IOException {
        Files.copy(OTHER.certificate(), authorities);
        ClientCertificates clients =
                new ClientCertificates(ClientCertificates.Asked.WANT, authorities);
        plug.provider =
                new WatchedTls(
                        new TlsSettings(List.of(files("a")), TlsProfile.INTERMEDIATE, clients)
                                .withLibrary(TestLibrary.PRESENT),
                        plug.clock::nanos,
                        looks::add);
    }

    private void put(String name, TestKeys keys) throws IOException {
        Files.copy(
                keys.certificate(),
                folder.resolve(name + ".pem"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.copy(keys.key(), folder.resolve(name + ".key"), StandardCopyOption.REPLACE_EXISTING);
    }

    private KeyFiles files(String name) {
        return new KeyFiles(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
    }

    private void pass() {
        plug.clock.advance(WatchedFiles.LOOK_NANOS);
    }

    /// Has a connection notice the change.
    private void change() throws SSLException {
        pass();
        connect(FIRST.trusting(SECOND), "a.test");
        look();
    }

    private void look() {
        assertThat(looks).hasSize(1);
        looks.removeFirst().run();
    }

    private TlsClient connect(TestKeys trusted, String name) throws SSLException {
        return connect(trusted.trusting(), name);
    }

    private TlsClient connect(SSLContext context, String name) throws SSLException {
        plug.connect();
        TlsClient client = TlsClient.named(context, name).begin();
        plug.exchange(client);
        assertThat(client.isAgreed()).isTrue();
        return client;
    }

    private static X509Certificate certificate(TlsClient client) throws IOException {
        return (X509Certificate) client.session().getPeerCertificates()[0];
    }
}
