package dev.serval.conn;

import static dev.serval.conn.ProxyHeaders.FOUR;
import static dev.serval.conn.ProxyHeaders.tlv;
import static dev.serval.conn.ProxyHeaders.two;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.ConnectionFacts;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.tls.JdkTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections with TLS that begin with a PROXY header in clear.
final class ProxyBeforeTlsTest {
    private static final TestKeys KEYS = TestKeys.local();
    private static final byte[] LINE =
            ProxyHeaders.ascii("PROXY TCP4 203.0.113.7 192.0.2.1 4000 443\r\n");
    private static final byte[] GET = ProxyHeaders.ascii(Answers.GET);
    private static final String SEEN = "secure /203.0.113.7:4000 to /192.0.2.1:443";
    private static final byte SETTINGS = 4; // RFC 9113 §6.5

    private final List<SocketAddress> worked = new ArrayList<>();

    private MemoryServer server() {
        return server(Limits.DEFAULT);
    }

    private MemoryServer server(Limits limits) {
        try {
            Protocol tls =
                    new TlsProtocol(
                            new Http(Leniency.defaults()),
                            JdkTls.of(KEYS.certificate(), KEYS.key()),
                            (client, work) -> {
                                worked.add(client);
                                work.run();
                                return true;
                            });
            return MemoryServer.proxied(
                    x -> {
                        ConnectionFacts facts = x.connection();
                        String how = facts.secure() ? "secure " : "plain ";
                        Answers.say(x, how + facts.peer() + " to " + facts.local());
                    },
                    limits,
                    tls,
                    ProxyProtocol.REQUIRED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TlsClient client(String... protocols) {
        return TlsClient.of(KEYS.trusting()).offering(protocols);
    }

    /// Moves bytes in both directions until nothing is left, and returns the content.
    private static String exchange(MemoryServer server, MemoryPeer peer, TlsClient client)
            throws SSLException {
        boolean moved = true;
        while (moved) {
            byte[] out = client.toSend();
            if (out.length > 0) {
                peer.send(out);
            }
            server.run();
            byte[] in = peer.take();
            client.receive(in, 0, in.length);
            moved = in.length > 0;
        }
        return new String(client.take(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void handlersSeeTheAddressesOfTheHeader() throws SSLException {
        byte[] second = two("21", "11", FOUR + tlv("20", "0100000000") + tlv("02", "6120"));
        for (byte[] header : List.of(LINE, second)) {
            try (MemoryServer server = server()) {
                MemoryPeer peer = server.connect("10.0.0.1");
                TlsClient client = client().begin();
                client.send(GET, 0, GET.length);
                peer.send(header);
                assertThat(exchange(server, peer, client))
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith(SEEN);
                client.send(GET, 0, GET.length);
                assertThat(exchange(server, peer, client)).as("the next request").endsWith(SEEN);
                assertThat(server.count(Counter.TLS_HANDSHAKES)).isEqualTo(1);
                assertThat(server.count(Counter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
            }
        }
        assertThat(worked)
                .as("clients of the handshakes")
                .isNotEmpty()
                .containsOnly(new InetSocketAddress("203.0.113.7", 4000));
    }

    /// The header and the first bytes of the handshake come in one packet, cut at every place.
    @Test
    void headerAndHandshakeMayBeCutAnywhere() throws SSLException {
        byte[] header = two("21", "11", FOUR);
        TlsClient sample = client().begin();
        int length = header.length + sample.toSend().length;
        try (MemoryServer server = server()) {
            for (int cut = 1; cut < length; cut += cut < header.length + 12 ? 1 : 13) {
                MemoryPeer peer = server.connect();
                TlsClient client = client().begin();
                client.send(GET, 0, GET.length);
                byte[] hello = client.toSend();
                byte[] all = new byte[header.length + hello.length];
                System.arraycopy(header, 0, all, 0, header.length);
                System.arraycopy(hello, 0, all, header.length, hello.length);
                peer.send(all, 0, cut);
                server.run();
                peer.send(all, cut, all.length - cut);
                assertThat(exchange(server, peer, client)).as("cut at %d", cut).endsWith(SEEN);
                peer.reset();
                server.run();
            }
        }
    }

    @Test
    void longHeaderIsReadBeforeTheHandshake() throws SSLException {
        byte[] header = two("21", "11", FOUR + tlv("04", "00".repeat(60_000)));
        try (MemoryServer server = server()) {
            MemoryPeer peer = server.connect();
            TlsClient client = client().begin();
            client.send(GET, 0, GET.length);
            peer.send(header);
            assertThat(exchange(server, peer, client)).endsWith(SEEN);
        }
    }

    @Test
    void http2IsChosenByAlpn() throws SSLException {
        try (MemoryServer server = server()) {
            MemoryPeer peer = server.connect();
            TlsClient client = client("h2", "http/1.1").begin();
            peer.send(LINE);
            byte[] preface = ProxyHeaders.ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            client.send(preface, 0, preface.length);
            client.send(new byte[] {0, 0, 0, SETTINGS, 0, 0, 0, 0, 0}, 0, 9);
            String frames = exchange(server, peer, client);
            assertThat(client.applicationProtocol()).isEqualTo("h2");
            assertThat(frames.charAt(3)).isEqualTo((char) SETTINGS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void handshakeWithoutTheHeaderIsRefused(boolean first) throws SSLException {
        try (MemoryServer server = server()) {
            MemoryPeer peer = server.connect();
            byte[] hello = client().begin().toSend();
            if (first) {
                peer.send(hello);
            } else {
                peer.send(GET); // nor is a request in clear ever answered
            }
            server.run();
            assertThat(peer.isClosed()).isTrue();
            assertThat(peer.length()).isZero();
            assertThat(server.count(Counter.PROXY_HEADERS_REFUSED)).isEqualTo(1);
            assertThat(worked).isEmpty();
        }
    }

    @Test
    void plainHttpAfterTheHeaderIsToldToUseHttps() {
        try (MemoryServer server = server()) {
            MemoryPeer peer = server.connect();
            peer.send(LINE);
            assertThat(server.ask(peer, Answers.GET))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("https://");
            assertThat(server.count(Counter.PLAIN_HTTP_TO_TLS)).isEqualTo(1);
            assertThat(server.count(Counter.REQUESTS)).isZero();
        }
    }

    /// HAProxy checks its servers by connections of its own, which end after the header.
    @Test
    void checkOfABalancerIsNoFailedHandshake() {
        try (MemoryServer server = server()) {
            MemoryPeer peer = server.connect();
            peer.send(two("20", "00", ""));
            peer.end();
            server.run();
            assertThat(peer.isClosed()).isTrue();
            assertThat(server.count(Counter.TLS_HANDSHAKES_FAILED)).isZero();
            assertThat(server.count(Counter.PROXY_HEADERS_REFUSED)).isZero();
        }
    }

    @Test
    void headerGivesNoMoreTimeForTheHandshake() {
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.pace.handshakeNanos = Duration.ofSeconds(5).toNanos());
        try (MemoryServer server = server(limits)) {
            MemoryPeer peer = server.connect();
            server.pass(Duration.ofSeconds(4));
            peer.send(LINE);
            server.pass(Duration.ofMillis(900));
            assertThat(peer.isClosed()).isFalse();
            server.pass(Duration.ofMillis(200));
            assertThat(peer.isClosed()).isTrue();
            assertThat(server.count(Counter.TLS_HANDSHAKES_LATE)).isEqualTo(1);
        }
    }

    @Test
    void addressOfTheHeaderIsCountedBeforeTheHandshake() throws SSLException {
        Limits one = Limits.DEFAULT.with(draft -> draft.counts.perAddressMax = 1);
        try (MemoryServer server = server(one)) {
            MemoryPeer first = server.connect("10.0.0.1");
            TlsClient client = client().begin();
            client.send(GET, 0, GET.length);
            first.send(LINE);
            assertThat(exchange(server, first, client)).endsWith(SEEN);
            worked.clear();
            MemoryPeer second = server.connect("10.0.0.1");
            second.send(LINE);
            second.send(client().begin().toSend());
            server.run();
            assertThat(second.sawReset()).isTrue();
            assertThat(worked).isEmpty();
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_ADDRESS)).isEqualTo(1);
        }
    }
}
