package dev.serval.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.acme.HostState.Phase;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.acme.Pebble;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests whole servers with a real authority, which checks names by real requests.
@Timeout(180)
final class PebbleTest {
    private static final String HOST = "a.test";
    private static final AcmeSettings.AccountBinding BINDING =
            new AcmeSettings.AccountBinding(Pebble.ACCOUNT_ID, Pebble.ACCOUNT_KEY);
    private static final TlsSettings TLS =
            TlsSettings.ofIssued(TlsProfile.INTERMEDIATE, ClientCertificates.NONE);

    private final SetTime time = new SetTime();
    private final Path folder;
    private final Path state;
    private @Nullable Pebble pebble;
    private @Nullable Serval serval;
    private @Nullable AutomaticCertificates opened;

    PebbleTest(@TempDir Path folder) {
        this.folder = folder;
        this.state = folder.resolve("acme");
        assumeThat(Pebble.isInstalled()).as(Pebble.NEEDED).isTrue();
    }

    @AfterEach
    void end() {
        if (opened != null) {
            opened.close();
        }
        if (serval != null) {
            serval.close();
        }
        if (pebble != null) {
            pebble.close();
        }
    }

    /// Starts a server, and an authority that checks names at its ports.
    private Serval start(
            ChallengeKind challenge,
            boolean external,
            AcmeSettings.@Nullable AccountBinding binding)
            throws IOException {
        // The server needs the authority's address, and the authority needs the server's ports.
        AutomaticCertificates[] later = new AutomaticCertificates[1];
        Serval started =
                Serval.builder()
                        .listen(new ListenerSpec(local(0)))
                        .around(next -> x -> later[0].before(next).handle(x))
                        .get("/hello", x -> x.text("hello"))
                        .start();
        serval = started;
        int http = port(started.addresses().getFirst());
        int tls = FreePort.find();
        Pebble authority = Pebble.start(folder, http, tls, external);
        pebble = authority;
        AutomaticCertificates certificates =
                AutomaticCertificates.open(settings(authority, challenge, binding), time);
        certificates.hosts(Set.of(HOST));
        opened = certificates;
        later[0] = certificates;
        var _ = started.open(new ListenerSpec(local(tls)).withTls(certificates.tls(TLS)));
        return started;
    }

    private AcmeSettings settings(
            Pebble authority,
            ChallengeKind challenge,
            AcmeSettings.@Nullable AccountBinding binding) {
        return new AcmeSettings(
                authority.directory(),
                authority.authorities(),
                "admin@a.test",
                state,
                challenge,
                binding);
    }

    private AutomaticCertificates certificates() {
        return Objects.requireNonNull(opened);
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int port(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }

    private HostState state() {
        return certificates().states().getFirst();
    }

    /// Returns the certificate that a client gets which trusts only the authority.
    private X509Certificate handshake(SSLContext context) throws IOException {
        Serval server = Objects.requireNonNull(serval);
        try (Socket plain =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                port(server.addresses().getLast()));
                SSLSocket socket =
                        (SSLSocket)
                                context.getSocketFactory()
                                        .createSocket(plain, HOST, plain.getPort(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private String hello() {
        return RawClient.get(Objects.requireNonNull(serval).addresses().getFirst(), "/hello")
                .text();
    }

    @ParameterizedTest
    @EnumSource(ChallengeKind.class)
    void getsACertificateAndRenewsIt(ChallengeKind challenge) throws Exception {
        Serval server = start(challenge, false, null);
        SSLContext clients = Objects.requireNonNull(pebble).trusting();
        assertThatThrownBy(() -> handshake(clients)).isInstanceOf(SSLHandshakeException.class);
        assertThat(hello()).isEqualTo("hello");
        var _ = certificates().round();
        assertThat(state().why()).isNull();
        assertThat(state().phase()).isEqualTo(Phase.SERVED);
        X509Certificate first = handshake(clients);
        time.set(state().nextAttempt());
        var _ = certificates().round();
        assertThat(state().why()).isNull();
        X509Certificate second = handshake(clients);
        assertThat(second.getSerialNumber()).isNotEqualTo(first.getSerialNumber());
        assertThat(state().issued()).isEqualTo(2);
        assertThat(server.addresses()).hasSize(2);
        assertThat(leftAnswers()).isEmpty();
        assertThat(hello()).isEqualTo("hello");
    }

    private List<Path> leftAnswers() throws IOException {
        try (Stream<Path> all = Files.walk(state)) {
            return all.filter(file -> file.toString().contains("/challenges/")).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void externalAccountIsBound(boolean bound) throws Exception {
        var _ = start(ChallengeKind.HTTP_01, true, bound ? BINDING : null);
        var _ = certificates().round();
        if (bound) {
            assertThat(state().why()).isNull();
            assertThat(state().phase()).isEqualTo(Phase.SERVED);
        } else {
            assertThat(state().phase()).isEqualTo(Phase.AWAITED);
            assertThat(state().why()).containsIgnoringCase("external");
        }
    }

    @Test
    void authorityThatIsDownIsAskedAgain() throws Exception {
        var _ = start(ChallengeKind.HTTP_01, false, null);
        Pebble authority = Objects.requireNonNull(pebble);
        SSLContext clients = authority.trusting();
        var _ = certificates().round();
        X509Certificate first = handshake(clients);
        authority.stop();
        time.set(state().nextAttempt());
        var _ = certificates().round();
        assertThat(state().phase()).isEqualTo(Phase.SERVED);
        assertThat(state().why()).contains("cannot be reached").contains("https://127.0.0.1");
        assertThat(handshake(clients)).isEqualTo(first);
        assertThat(hello()).isEqualTo("hello");
        authority.restart(); // without the account
        time.set(state().nextAttempt());
        var _ = certificates().round();
        assertThat(state().why()).isNull();
        assertThat(handshake(authority.trusting()).getSerialNumber())
                .isNotEqualTo(first.getSerialNumber());
    }

    @Test
    void nameThatLeadsElsewhereIsRefusedWithTheReason() throws Exception {
        try (DeadPort elsewhere = DeadPort.open();
                Pebble authority =
                        Pebble.start(folder, elsewhere.number(), elsewhere.number(), false);
                AutomaticCertificates own =
                        AutomaticCertificates.open(
                                settings(authority, ChallengeKind.HTTP_01, null), time)) {
            own.hosts(Set.of(HOST));
            var _ = own.round();
            HostState found = own.states().getFirst();
            assertThat(found.phase()).isEqualTo(Phase.AWAITED);
            assertThat(found.why()).contains("The check of a.test by http-01 failed");
            assertThat(leftAnswers()).isEmpty();
        }
    }

    @Test
    void serversOnOneFolderOrderOnce() throws Exception {
        var _ = start(ChallengeKind.HTTP_01, false, null);
        Pebble authority = Objects.requireNonNull(pebble);
        try (AutomaticCertificates other =
                AutomaticCertificates.open(
                        settings(authority, ChallengeKind.HTTP_01, null), time)) {
            other.hosts(Set.of(HOST));
            CompletableFuture<Void> one = CompletableFuture.runAsync(() -> rounds(certificates()));
            CompletableFuture<Void> two = CompletableFuture.runAsync(() -> rounds(other));
            one.join();
            two.join();
            assertThat(state().issued() + other.states().getFirst().issued()).isOne();
            assertThat(state().validUntil()).isEqualTo(other.states().getFirst().validUntil());
        }
    }

    private static void rounds(AutomaticCertificates one) {
        Await.until(
                "the certificate",
                () -> {
                    try {
                        var _ = one.round();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return one.states().getFirst().phase() == Phase.SERVED;
                });
    }

    @Test
    void threadOrdersByItself() throws Exception {
        var _ = start(ChallengeKind.HTTP_01, false, null);
        certificates().start();
        Await.until("the certificate", () -> state().phase() == Phase.SERVED);
        assertThat(handshake(Objects.requireNonNull(pebble).trusting())).isNotNull();
    }
}
