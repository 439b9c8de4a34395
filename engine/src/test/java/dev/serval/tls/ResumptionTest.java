package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.ChildJvm;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions that clients resume by tickets, and tickets that are refused.
final class ResumptionTest {
    private static final TestKeys SERVER = TestKeys.local();
    private static final TestKeys AUTHORITY =
            TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
    private static final TestKeys CLIENT = TestKeys.signedBy(AUTHORITY, "EC", "dns:client.test");
    private static final String MARK = "mark";

    private final TlsPlug plug = new TlsPlug();

    /// Completes a handshake, and returns whether it resumed a session. The client marks its session,
    /// and a resumed one still has the mark.
    private boolean resumes(SSLContext context, String protocol) throws SSLException {
        plug.connect();
        TlsClient client = TlsClient.of(context, protocol).begin();
        plug.exchange(client);
        assertThat(client.isAgreed()).isTrue();
        boolean resumed = client.session().getValue(MARK) != null;
        client.session().putValue(MARK, true);
        return resumed;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void ticketResumesASession(String protocol) throws SSLException {
        SSLContext client = SERVER.trusting();
        assertThat(resumes(client, protocol)).isFalse();
        assertThat(resumes(client, protocol)).isTrue();
        assertThat(resumes(client, protocol)).as("with the ticket of the second one").isTrue();
        assertThat(resumes(SERVER.trusting(), protocol)).as("another client").isFalse();
    }

    /// An application sees the certificate of a client that does not send it again.
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void resumedSessionKeepsTheCertificateOfTheClient(String protocol) throws IOException {
        plug.provider = JdkTls.of(settings(ClientCertificates.Asked.NEED, List.of()));
        SSLContext client = CLIENT.showing(SERVER);
        assertThat(resumes(client, protocol)).isFalse();
        List<Certificate> first = chain();
        assertThat(resumes(client, protocol)).isTrue();
        assertThat(chain())
                .isEqualTo(first)
                .first()
                .isEqualTo(Credential.chain(CLIENT.certificate()).getFirst());
    }

    private List<Certificate> chain() throws IOException {
        return List.of(Objects.requireNonNull(plug.encryption().session()).getPeerCertificates());
    }

    /// Tickets are not checked again, so those of before a new list must not count.
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void ticketOfARevokedClientIsRefused(String protocol, @TempDir Path folder) throws IOException {
        Path list = folder.resolve("list.crl");
        AUTHORITY.revoke(list, SERVER);
        long[] now = {0};
        plug.provider =
                new WatchedTls(
                        settings(ClientCertificates.Asked.NEED, List.of(list)),
                        () -> now[0],
                        Runnable::run);
        SSLContext client = CLIENT.showing(SERVER);
        assertThat(resumes(client, protocol)).isFalse();
        assertThat(resumes(client, protocol)).isTrue();
        AUTHORITY.revoke(list, SERVER, CLIENT);
        now[0] += WatchedFiles.LOOK_NANOS;
        assertThat(plug.provider.engine(TlsPlug.ADDRESS)).isNotNull(); // looks at the files
        assertThatThrownBy(() -> resumes(client, protocol)).isInstanceOf(SSLException.class);
    }

    /// A server that has started again, or has new keys, does not know the key of the ticket.
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void ticketOfAnUnknownKeyLeadsToAWholeHandshake(String protocol) throws IOException {
        SSLContext client = SERVER.trusting();
        assertThat(resumes(client, protocol)).isFalse();
        plug.provider = JdkTls.of(SERVER.certificate(), SERVER.key());
        assertThat(resumes(client, protocol)).isFalse();
        assertThat(resumes(client, protocol)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void ticketOfAFormerIssuedCertificateIsRefused(String protocol) throws IOException {
        IssuedTls issued =
                new IssuedTls(
                        TlsSettings.ofIssued(TlsProfile.INTERMEDIATE, ClientCertificates.NONE));
        plug.provider = issued;
        Credential own = Credential.pem(SERVER.certificate(), SERVER.key());
        IssuedKeys keys = new IssuedKeys(List.of(own), Set.of(), List.of());
        issued.use(keys);
        SSLContext client = SERVER.trusting();
        assertThat(resumes(client, protocol)).isFalse();
        assertThat(resumes(client, protocol)).isTrue();
        issued.use(keys);
        assertThat(resumes(client, protocol)).isFalse();
    }

    /// The JDK changes the key each hour. Here it may use a key for no time at all.
    @Test
    void ticketsHaveNewKeysAndThoseOfFormerKeysStillCount(@TempDir Path folder) throws IOException {
        List<String> options = List.of("-Djdk.tls.server.statelessKeyTimeout=0");
        try (ChildJvm child =
                ChildJvm.start(
                        ChildJvm.command(options, TicketKeys.class), folder.resolve("errors"))) {
            String[] words = child.answer().split(" ", -1);
            assertThat(words).hasSize(3);
            assertThat(words[1]).isNotEqualTo(words[0]);
            assertThat(words[2]).isEqualTo("resumed");
        }
    }

    private static TlsSettings settings(ClientCertificates.Asked asked, List<Path> revoked) {
        return new TlsSettings(
                List.of(new KeyFiles(SERVER.certificate(), SERVER.key())),
                TlsProfile.INTERMEDIATE,
                new ClientCertificates(asked, AUTHORITY.certificate(), revoked));
    }
}
