package dev.serval.tls;

import static dev.serval.tls.TlsHost.Trouble.Kind.ALERT;
import static dev.serval.tls.TlsHost.Trouble.Kind.CLIENT_CERTIFICATE;
import static dev.serval.tls.TlsHost.Trouble.Kind.HANDSHAKE;
import static dev.serval.tls.TlsHost.Trouble.Kind.LEFT;
import static dev.serval.tls.TlsHost.Trouble.Kind.NO_CLIENT_CERTIFICATE;
import static dev.serval.tls.TlsHost.Trouble.Kind.REVOCATION_LIST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the reasons of handshakes that fail.
final class TlsTroubleTest {
    private static final TestKeys SERVER = TestKeys.local();
    private static final TestKeys AUTHORITY =
            TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
    private static final TestKeys CLIENT = TestKeys.signedBy(AUTHORITY, "EC", "dns:client.test");

    private final TlsPlug plug = new TlsPlug();
    private final Path list;

    TlsTroubleTest(@TempDir Path folder) {
        list = folder.resolve("list.crl");
    }

    @Test
    void certificateThatHasExpiredIsNamed() throws IOException {
        TestKeys old = TestKeys.signedBy(AUTHORITY, "EC", "dns:a.test", "-startdate", "-10d");
        fails(List.of(), old.showing(SERVER));
        tells(CLIENT_CERTIFICATE, "NotAfter: ");
    }

    @Test
    void certificateThatWasRevokedIsNamed() throws IOException {
        AUTHORITY.revoke(list, CLIENT);
        fails(List.of(list), CLIENT.showing(SERVER));
        tells(CLIENT_CERTIFICATE, "revoked");
    }

    @Test
    void listThatIsOutOfDateIsNamed() throws IOException {
        AUTHORITY.revokeFrom("-10d", list, SERVER);
        fails(List.of(list), CLIENT.showing(SERVER));
        tells(REVOCATION_LIST, "client-revocations");
    }

    @Test
    void certificateOfAnotherAuthorityIsNamed() throws IOException {
        TestKeys same =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        fails(List.of(), TestKeys.signedBy(same, "EC", "dns:client.test").showing(SERVER));
        tells(CLIENT_CERTIFICATE, "client-authorities");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void missingCertificateIsNoConcernOfTheServer(String protocol) throws IOException {
        fails(List.of(), SERVER.trusting(), protocol);
        tells(NO_CLIENT_CERTIFICATE, "");
        assertThat(plug.troubles.getFirst().isOurs()).isFalse();
    }

    @Test
    void alertOfTheClientIsNamed() throws IOException {
        plug.connect().send(TlsClient.of(SERVER.trusting(), "TLSv1.2").begin().toSend());
        plug.turns(3);
        plug.peer().send(new byte[] {21, 3, 3, 0, 2, 2, 46}); // RFC 5246 §7.2
        plug.turns(3);
        tells(ALERT, "certificate_unknown");
    }

    @Test
    void clientThatLeavesIsNoFault() throws IOException {
        plug.connect().send(TlsClient.of(SERVER.trusting()).begin().toSend());
        plug.turns(3);
        plug.peer().end();
        plug.turns(3);
        tells(LEFT, "ended");
    }

    @Test
    void anythingElseIsTold() {
        plug.connect().send("what?".getBytes(StandardCharsets.US_ASCII));
        plug.turns(3);
        tells(HANDSHAKE, "first byte");
    }

    /// The record after the first flight is not encrypted.
    @Test
    void recordThatCannotBeDecryptedIsNoConcernOfTheServer() throws IOException {
        plug.connect().send(TlsClient.of(SERVER.trusting(), "TLSv1.3").begin().toSend());
        plug.turns(3);
        plug.peer().send(new byte[] {23, 3, 3, 0, 32}); // RFC 8446 §5.2
        plug.peer().send(new byte[32]);
        plug.turns(3);
        tells(HANDSHAKE, "");
        assertThat(plug.troubles.getFirst().isOurs()).isFalse();
    }

    /// A name in a certificate may have any characters.
    @Test
    void textOfTheClientIsOneShortLine() {
        TlsHost.Trouble trouble =
                TlsHost.Trouble.of(new TlsFault("one\r\ntwo\u001b" + "x".repeat(1000)));
        assertThat(trouble.sentence()).startsWith("one two xxx").hasSize(301).endsWith("…");
    }

    private void fails(List<Path> revoked, SSLContext context, String... protocols)
            throws IOException {
        plug.provider =
                TestLibrary.of(
                        new TlsSettings(
                                List.of(new KeyFiles(SERVER.certificate(), SERVER.key())),
                                TlsProfile.INTERMEDIATE,
                                new ClientCertificates(
                                        ClientCertificates.Asked.NEED,
                                        AUTHORITY.certificate(),
                                        revoked)));
        plug.connect();
        TlsClient client = TlsClient.of(context, protocols).begin();
        assertThatThrownBy(() -> plug.exchange(client)).isInstanceOf(SSLException.class);
    }

    private void tells(TlsHost.Trouble.Kind kind, String words) {
        assertThat(plug.ends).containsExactly(TlsHost.End.FAILED);
        assertThat(plug.troubles)
                .singleElement()
                .satisfies(trouble -> {
                    assertThat(trouble.kind()).isEqualTo(kind);
                    assertThat(trouble.sentence()).contains(words);
                });
    }
}
