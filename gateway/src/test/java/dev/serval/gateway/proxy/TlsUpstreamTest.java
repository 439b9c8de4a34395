package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.gateway.tls.TlsTarget;
import dev.serval.gateway.tls.UpstreamTls;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.TlsFacts;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.mode.InMode;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.JdkTls;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Upstreams with TLS.
@EveryMode
final class TlsUpstreamTest {
    private static final TestKeys KEYS = TestKeys.local();
    private static final TestKeys AUTHORITY =
            TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
    private static final TestKeys OWN = TestKeys.signedBy(AUTHORITY, "EC", "dns:proxy.test");
    private static final TestKeys OTHER = TestKeys.make("EC", "dns:other.test");
    private static final TestKeys EXPIRED =
            TestKeys.make("EC", "ip:127.0.0.1", "-startdate", "-3d", "-validity", "1");
    private static final TestKeys EARLY = TestKeys.make("EC", "ip:127.0.0.1", "-startdate", "+1d");
    private static final String TRUSTING = "?tls-authorities=" + KEYS.certificate();

    @Test
    void realServerIsAskedByItsName() {
        String facts = "location /facts { return 200 '$ssl_server_name $ssl_protocol $scheme'; }";
        try (TempTree tree = TempTree.create()) {
            tree.file("www/big.bin", 3 << 20);
            tree.file("www/small.txt", "small");
            try (Nginx nginx = Nginx.startTls(tree, facts, KEYS);
                    GatewayServer server =
                            GatewayServer.of(
                                    "/=https://localhost:"
                                            + nginx.address().getPort()
                                            + TRUSTING)) {
                assertThat(server.get("/facts").text()).isEqualTo("localhost TLSv1.3 https");
                assertThat(server.get("/big.bin").body()).hasSize(3 << 20);
                assertThat(server.get("/small.txt").text()).isEqualTo("small");
            }
        }
    }

    @Test
    void connectionsAreKept() throws IOException {
        try (Serval upstream = upstream(KEYS, ClientCertificates.NONE);
                GatewayServer server = GatewayServer.ofOneLoop(mount(upstream, TRUSTING))) {
            for (int i = 0; i < 5; i++) {
                assertThat(server.get("/name").text()).isEqualTo("none");
            }
            assertThat(server.neighbour("/").pool().open()).isEqualTo(1);
        }
    }

    @Test
    void certificateThatHasExpiredIsRefused() throws IOException {
        refuses(
                EXPIRED,
                "?tls-authorities=" + EXPIRED.certificate(),
                PeerFault.CERTIFICATE_EXPIRED,
                "has expired");
    }

    @Test
    void certificateThatIsNotValidYetIsRefused() throws IOException {
        refuses(
                EARLY,
                "?tls-authorities=" + EARLY.certificate(),
                PeerFault.CERTIFICATE_EXPIRED,
                "not valid yet");
    }

    @Test
    void certificateOfAnUnknownAuthorityIsRefused() throws IOException {
        refuses(KEYS, "", PeerFault.CERTIFICATE_UNKNOWN, "No known authority");
        refuses(
                KEYS,
                "?tls-authorities=" + AUTHORITY.certificate(),
                PeerFault.CERTIFICATE_UNKNOWN,
                "CN=test");
    }

    @Test
    void certificateOfAnotherNameIsRefused() throws IOException {
        String trusting = "?tls-authorities=" + OTHER.certificate();
        refuses(OTHER, trusting, PeerFault.CERTIFICATE_NAME, "another name");
        try (Serval upstream = upstream(OTHER, ClientCertificates.NONE);
                GatewayServer server =
                        GatewayServer.of(mount(upstream, trusting + "&tls-name=other.test"))) {
            assertThat(server.get("/name").status()).isEqualTo(200);
        }
    }

    @Test
    void certificateIsNotVerifiedIfThatIsConfigured() throws IOException {
        try (Serval upstream = upstream(OTHER, ClientCertificates.NONE);
                GatewayServer server = GatewayServer.of(mount(upstream, "?tls-verify=no"))) {
            assertThat(server.get("/name").status()).isEqualTo(200);
        }
    }

    @Test
    void changedAuthoritiesAreReadAgain() throws IOException {
        try (TempTree tree = TempTree.create()) {
            Path file = tree.root().resolve("ca.pem");
            Files.copy(AUTHORITY.certificate(), file);
            try (Serval upstream = upstream(KEYS, ClientCertificates.NONE);
                    GatewayServer server =
                            GatewayServer.of(mount(upstream, "?tls-authorities=" + file))) {
                assertThat(server.get("/name").status()).isEqualTo(502);
                Files.copy(KEYS.certificate(), file, StandardCopyOption.REPLACE_EXISTING);
                Await.until("the new authorities count", () -> server.get("/name").status() == 200);
                assertThat(server.neighbour("/").pool().upstreams().getFirst().trouble()).isNull();
            }
        }
    }

    @Test
    void ownCertificateIsShown() throws IOException {
        try (Serval upstream = upstream(KEYS, needed());
                GatewayServer server =
                        GatewayServer.of(
                                mount(
                                        upstream,
                                        TRUSTING
                                                + "&tls-certificate="
                                                + OWN.certificate()
                                                + "&tls-key="
                                                + OWN.key()))) {
            assertThat(server.get("/name").text()).isEqualTo("CN=test");
        }
    }

    @Test
    void missingCertificateOfItsOwnIsCounted() throws IOException {
        try (Serval upstream = upstream(KEYS, needed());
                GatewayServer server = GatewayServer.of(mount(upstream, TRUSTING))) {
            assertThat(server.get("/name").status()).isEqualTo(502);
            PoolStatus status = server.neighbour("/").pool().status();
            assertThat(count(status, PeerFault.CERTIFICATE_REFUSED)).isPositive();
            assertThat(trouble(server)).contains("Check tls.certificate and tls.key");
        }
    }

    @Test
    void upstreamWithoutTlsIsTold() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.Read(5), Step.Send.of("HTTP/1.1 400 No\r\n\r\n"));
                GatewayServer server =
                        GatewayServer.of("/=https://127.0.0.1:" + port(peer) + TRUSTING)) {
            assertThat(server.get("/name").status()).isEqualTo(502);
            PoolStatus status = server.neighbour("/").pool().status();
            assertThat(count(status, PeerFault.HANDSHAKE)).isEqualTo(1);
            assertThat(trouble(server)).contains("Check that it speaks TLS");
        }
    }

    @Test
    void silentUpstreamHasTheTimeOfAConnect() {
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of(
                                "/=https://127.0.0.1:"
                                        + port(peer)
                                        + TRUSTING
                                        + "&connect-time=300ms")) {
            assertThat(server.get("/name").status()).isEqualTo(502);
            PoolStatus status = server.neighbour("/").pool().status();
            assertThat(count(status, PeerFault.HANDSHAKE)).isEqualTo(1);
            assertThat(trouble(server)).contains("not complete in time");
        }
    }

    @Test
    void checksSpeakTls() throws IOException {
        try (Serval upstream = upstream(KEYS, ClientCertificates.NONE);
                GatewayServer good = GatewayServer.of(mount(upstream, TRUSTING + "&check=/check"));
                GatewayServer bad =
                        GatewayServer.of(
                                mount(
                                        upstream,
                                        "?tls-authorities="
                                                + AUTHORITY.certificate()
                                                + "&check=/check&check-every=10ms"))) {
            Upstream refused = bad.neighbour("/").pool().upstreams().getFirst();
            Await.until("a bad certificate is noticed", () -> !refused.isUp(System.nanoTime()));
            assertThat(good.neighbour("/").pool().upstreams().getFirst().isUp(System.nanoTime()))
                    .isTrue();
        }
    }

    private static void refuses(TestKeys keys, String options, PeerFault why, String sentence)
            throws IOException {
        try (Serval upstream = upstream(keys, ClientCertificates.NONE);
                GatewayServer server = GatewayServer.of(mount(upstream, options))) {
            RawResponse answer = server.get("/name");
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.text()).doesNotContain("authority", "certificate");
            assertThat(count(server.neighbour("/").pool().status(), why)).isEqualTo(1);
            assertThat(trouble(server)).contains(sentence);
        }
    }

    /// The server is what accepts: another address of its name has no better certificate.
    @Test
    void furtherAddressIsTriedOnlyIfNothingAcceptsAtTheFirst() throws IOException {
        try (Serval right = upstream(KEYS, ClientCertificates.NONE);
                Serval wrong = upstream(OTHER, ClientCertificates.NONE);
                DeadPort dead = DeadPort.open()) {
            SocketAddress good = right.addresses().getFirst();
            Upstream reached = trusting(dead.address(), good);
            assertThat(status(reached)).isEqualTo(200);
            assertThat(reached.addresses().getFirst()).isEqualTo(good);
            assertThat(status(trusting(wrong.addresses().getFirst(), good))).isEqualTo(502);
        }
    }

    private static Upstream trusting(SocketAddress... addresses) throws IOException {
        TlsTarget target = new TlsTarget(true, KEYS.certificate(), null, null);
        return new Upstream(List.of(addresses), "up", Upstream.Share.EQUAL, UpstreamTls.of(target));
    }

    private static int status(Upstream upstream) throws IOException {
        PeerPool pool = PeerPool.dialOut("p", PoolLimits.DIAL_OUT, List.of(upstream));
        Collecting streaming = new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), false);
        Serval.Builder builder =
                Serval.builder()
                        .listen(InMode.listener())
                        .withoutFlagWarning()
                        .mount("/", new ProxyHandler(pool, ProxyTarget.DEFAULT, streaming));
        try (Serval server = InMode.start(builder);
                RawClient client = RawClient.connect(server.addresses().getFirst())) {
            return client.exchange("GET /name HTTP/1.1\r\nHost: h\r\n\r\n").status();
        }
    }

    private static long count(PoolStatus status, PeerFault why) {
        return status.failed().getOrDefault(why, 0L);
    }

    private static String trouble(GatewayServer server) {
        Upstream upstream = server.neighbour("/").pool().upstreams().getFirst();
        return Objects.requireNonNull(upstream.trouble()).sentence();
    }

    private static ClientCertificates needed() {
        return new ClientCertificates(ClientCertificates.Asked.NEED, AUTHORITY.certificate());
    }

    private static String mount(Serval upstream, String options) {
        return "/=https://127.0.0.1:" + upstream.port() + options;
    }

    private static int port(ScriptedPeer peer) {
        return peer.address().getPort();
    }

    /// Starts a server that answers with the subject of its client's certificate.
    private static Serval upstream(TestKeys keys, ClientCertificates clients) throws IOException {
        TlsSettings settings =
                new TlsSettings(
                        List.of(new KeyFiles(keys.certificate(), keys.key())),
                        TlsProfile.INTERMEDIATE,
                        clients);
        return Serval.builder()
                .withoutFlagWarning()
                .listen(
                        new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                                .withTls(JdkTls.of(settings)))
                .mount("/", TlsUpstreamTest::name)
                .start();
    }

    private static void name(Exchange x) {
        @Nullable TlsFacts tls = x.connection().tls();
        String name =
                tls == null || tls.peerCertificates().isEmpty()
                        ? "none"
                        : tls.peerCertificates().getFirst().getSubjectX500Principal().getName();
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        x.response()
                .send(
                        new ResponseHead(Status.OK, Fields.EMPTY, text.length),
                        new Body.Bytes(ByteBuffer.wrap(text), null));
    }
}
