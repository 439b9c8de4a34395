package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawTls;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TestLibrary;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsProvider;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests a whole server with TLS on sockets, with clients of the JDK.
@Timeout(120)
final class TlsServerTest {
    private static final TestKeys KEYS = TestKeys.local();
    private static final byte SETTINGS = 4; // RFC 9113 §6.5
    private static final byte GOAWAY = 7; // §6.8

    static Stream<String> transports() {
        return EpollNetwork.unavailable() == null ? Stream.of("nio", "epoll") : Stream.of("nio");
    }

    @ParameterizedTest
    @MethodSource("transports")
    void getsAndPosts(String transport) throws IOException {
        try (TempTree tree = TempTree.create();
                Serval server = start(transport, tree)) {
            RawClient client = raw(server);
            Path large = tree.file("large.bin", 3_000_000);
            assertThat(client.exchange("GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n").body())
                    .isEqualTo(Files.readAllBytes(large));
            String content = "x".repeat(300_000);
            assertThat(
                            client.exchange(
                                            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: "
                                                    + content.length()
                                                    + "\r\n\r\n"
                                                    + content)
                                    .text())
                    .isEqualTo(content);
            assertThat(client.exchange("GET /secure HTTP/1.1\r\nHost: a\r\n\r\n").text())
                    .isEqualTo("secure");
            client.close();
            close(server);
        }
    }

    /// 60 connections at a time on two loops, each with several requests.
    @Test
    void manyConnectionsAreServed() throws Exception {
        try (TempTree tree = TempTree.create();
                Serval server = start("auto", tree)) {
            tree.file("small.txt", "small");
            List<CompletableFuture<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                all.add(CompletableFuture.supplyAsync(() -> requests(server)));
            }
            for (CompletableFuture<Integer> each : all) {
                assertThat(each.join()).isEqualTo(5);
            }
            assertThat(server.metrics().sum(Counter.TLS_HANDSHAKES)).isEqualTo(60);
            close(server);
        }
    }

    /// Those of the listener come first.
    @ParameterizedTest
    @CsvSource({"further/1, further/1", "further/1 http/1.1, http/1.1", "http/1.1, http/1.1"})
    void furtherProtocolsOfTheProviderAreOffered(String asked, String agreed) throws Exception {
        TlsProvider keys = tls();
        TlsProvider further =
                new TlsProvider() {
                    @Override
                    public SSLEngine engine(SocketAddress peer) {
                        return keys.engine(peer);
                    }

                    @Override
                    public List<String> furtherProtocols() {
                        return List.of("further/1");
                    }
                };
        try (Serval server =
                        Serval.builder().listen(spec(further)).get("/", x -> x.text("")).start();
                SSLSocket socket =
                        (SSLSocket)
                                KEYS.trusting()
                                        .getSocketFactory()
                                        .createSocket(
                                                InetAddress.getLoopbackAddress(), server.port())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(asked.split(" ", -1));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEqualTo(agreed);
        }
    }

    private static int requests(Serval server) {
        try (RawClient client = raw(server)) {
            int right = 0;
            for (int i = 0; i < 5; i++) {
                String text = client.exchange("GET /small.txt HTTP/1.1\r\nHost: a\r\n\r\n").text();
                right += text.equals("small") ? 1 : 0;
            }
            return right;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void socketOfTheJdkIsServedAndSeesTheEnd(String protocol) throws IOException {
        try (TempTree tree = TempTree.create();
                Serval server = start("auto", tree)) {
            tree.file("small.txt", "small");
            try (SSLSocket socket =
                    (SSLSocket)
                            KEYS.trusting()
                                    .getSocketFactory()
                                    .createSocket(
                                            InetAddress.getLoopbackAddress(), server.port())) {
                socket.setEnabledProtocols(new String[] {protocol});
                socket.getOutputStream()
                        .write(
                                "GET /small.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                assertThat(
                                new String(
                                        socket.getInputStream().readAllBytes(),
                                        StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200 OK\r\n")
                        .endsWith("\r\n\r\nsmall");
                assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
            }
            close(server);
        }
    }

    /// RFC 9113 §3.2: with TLS, ALPN decides. The first bytes do not.
    @Test
    void protocolIsThatOfAlpn() throws IOException {
        String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        String get = "GET /secure HTTP/1.1\r\nHost: a\r\n\r\n";
        try (TempTree tree = TempTree.create();
                Serval server = start("nio", tree)) {
            try (RawClient both = raw(server, "http/1.1", "h2")) { // the server's order counts
                both.send(preface).send(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
                assertThat(both.bytes(4)[3]).as("type of the first frame").isEqualTo(SETTINGS);
            }
            try (RawClient wrong = raw(server, "h2")) {
                wrong.send(get);
                String frames = new String(wrong.rest(), StandardCharsets.ISO_8859_1);
                assertThat((int) frames.charAt(3)).as("§3.4").isEqualTo(SETTINGS);
                assertThat((int) frames.charAt(frames.length() - 14)).isEqualTo(GOAWAY);
                assertThat(frames).endsWith("\0\0\0\u0001").doesNotContain("HTTP/1.1");
            }
            for (String[] offer : new String[][] {{"http/1.1"}, {"http/1.0"}, {}}) {
                try (RawClient old = raw(server, offer)) {
                    assertThat(old.exchange(get).text()).isEqualTo("secure");
                }
                try (RawClient old = raw(server, offer)) {
                    assertThat(old.send(preface).answer().status()).isEqualTo(505);
                }
            }
            close(server);
        }
    }

    @Test
    void plainHttpIsToldAndCounted() throws IOException {
        try (TempTree tree = TempTree.create();
                Serval server = start("auto", tree);
                RawClient plain = RawClient.connect(server.addresses().getFirst())) {
            var answer = plain.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text()).contains("https://");
            plain.expectClosed();
            assertThat(server.metrics().sum(Counter.PLAIN_HTTP_TO_TLS)).isEqualTo(1);
            close(server);
        }
    }

    @Test
    void lateHandshakeIsClosedAndCounted() throws IOException {
        Limits soon =
                Limits.DEFAULT.with(
                        draft -> draft.pace.handshakeNanos = Duration.ofMillis(50).toNanos());
        try (Serval server =
                        Serval.builder()
                                .limits(soon)
                                .listen(spec(tls()))
                                .get("/", x -> x.text("late"))
                                .start();
                RawClient silent = RawClient.connect(server.addresses().getFirst())) {
            silent.expectClosed();
            Await.until(
                    "it is counted", () -> server.metrics().sum(Counter.TLS_HANDSHAKES_LATE) == 1);
            close(server);
        }
    }

    @Test
    void clientThatDoesNotTrustTheKeyIsCounted() throws IOException {
        try (TempTree tree = TempTree.create();
                Serval server = start("auto", tree)) {
            TlsClient stranger = TlsClient.of(TestKeys.make("EC", "dns:other").trusting());
            assertThatThrownBy(() -> RawClient.connect(server.addresses().getFirst(), stranger))
                    .hasMessageContaining("cannot connect");
            Await.until(
                    "it is counted",
                    () -> server.metrics().sum(Counter.TLS_HANDSHAKES_FAILED) == 1);
            close(server);
        }
    }

    @Test
    void faultAfterTheHandshakeIsCounted() throws IOException {
        try (TempTree tree = TempTree.create();
                Serval server = start("auto", tree)) {
            TlsClient tls = TlsClient.of(KEYS.trusting(), "TLSv1.2");
            try (RawClient client = RawClient.connect(server.addresses().getFirst(), tls)) {
                tls.begin(); // another handshake
                client.send("x");
                Await.until(
                        "it is counted", () -> server.metrics().sum(Counter.PROTOCOL_ERRORS) == 1);
            }
            close(server);
        }
    }

    /// By its reason, and not as an error of the protocol.
    @Test
    void floodOfRecordsIsCounted() throws IOException {
        try (TempTree tree = TempTree.create();
                Serval server = start("auto", tree);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            RawTls client = new RawTls().hello();
            byte[] answer = new byte[1 << 14];
            while (!client.isAgreed()) {
                socket.getOutputStream().write(client.toSend());
                int n = socket.getInputStream().read(answer);
                client.receive(Arrays.copyOf(answer, n));
            }
            for (int i = 0; i < 40; i++) {
                client.update(false).send(new byte[] {'x'});
            }
            socket.getOutputStream().write(client.toSend());
            Await.until(
                    "it is counted",
                    () -> server.metrics().sum(Counter.CONNECTIONS_REFUSED_RECORDS) == 1);
            assertThat(
                            server.metrics()
                                    .sums(LabelledCounter.REFUSALS)
                                    .get("connections_refused_records"))
                    .isEqualTo(1);
            assertThat(server.metrics().sum(Counter.PROTOCOL_ERRORS)).isZero();
            close(server);
        }
    }

    /// The socket could send the file itself before TLS lies over it.
    @ParameterizedTest
    @MethodSource("transports")
    void fileIsEncryptedAfterAProxyHeader(String transport) throws IOException {
        try (TempTree tree = TempTree.create();
                Serval server =
                        Serval.builder()
                                .transport(transport)
                                .listen(spec(tls()).withProxyProtocol(ProxyProtocol.REQUIRED))
                                .files("/", tree.root())
                                .start();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            Path large = tree.file("large.bin", 300_000);
            socket.getOutputStream()
                    .write(
                            "PROXY TCP4 203.0.113.7 192.0.2.1 4000 443\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            try (SSLSocket client =
                    (SSLSocket)
                            KEYS.trusting()
                                    .getSocketFactory()
                                    .createSocket(socket, "localhost", server.port(), true)) {
                client.getOutputStream()
                        .write(
                                "GET /large.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                byte[] answer = client.getInputStream().readAllBytes();
                assertThat(Arrays.copyOfRange(answer, answer.length - 300_000, answer.length))
                        .isEqualTo(Files.readAllBytes(large));
            }
            close(server);
        }
    }

    private static Serval start(String transport, TempTree tree) throws IOException {
        return Serval.builder()
                .transport(transport)
                .loops(2)
                .listen(spec(tls()))
                .files("/", tree.root())
                .post("/echo", x -> x.text(x.bodyText()))
                .get("/secure", x -> x.text(x.connection().secure() ? "secure" : "plain"))
                .start();
    }

    private static TlsProvider tls() throws IOException {
        return TestLibrary.of(
                new TlsSettings(
                        List.of(new KeyFiles(KEYS.certificate(), KEYS.key())),
                        TlsProfile.INTERMEDIATE));
    }

    private static ListenerSpec spec(TlsProvider tls) {
        return new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withTls(tls);
    }

    private static RawClient raw(Serval server, String... protocols) {
        return RawClient.connect(
                server.addresses().getFirst(), TlsClient.of(KEYS.trusting()).offering(protocols));
    }

    private static void close(Serval server) {
        server.close();
        LeakCheck.nothingHeld(server);
    }
}
