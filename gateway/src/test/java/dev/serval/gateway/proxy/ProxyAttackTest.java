package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients and upstreams that attack.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class ProxyAttackTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final Step OK = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Content-Length: 5\r\nContent-Length: 0\r\n\r\n",
                "Transfer-Encoding: identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                "Content-Length: +5\r\n\r\nhello",
                "X: y\r\n Content-Length: 5\r\n\r\nhello",
                "X: y\nContent-Length: 5\r\n\r\nhello"
            })
    void ambiguousFramingReachesNoUpstream(String rest) {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK);
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\n"
                            + rest
                            + "GET /evil HTTP/1.1\r\nHost: h\r\n\r\n");
            String answers = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertThat(answers).matches("(?s)HTTP/1\\.1 (400|501) .*").doesNotContain("200 OK");
            assertThat(peer.received(0)).isEmpty();
        }
    }

    @Test
    void upstreamThatSpeaksFirstOrClosesAtOnceIsAnsweredWith502() {
        try (ScriptedPeer greets =
                        ScriptedPeer.playing(Step.Send.of("220 mail\r\n"), new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(greets))) {
            assertThat(server.get("/").status()).isEqualTo(502);
        }
        try (ScriptedPeer closes = ScriptedPeer.playing();
                GatewayServer server = GatewayServer.of("/=" + url(closes))) {
            assertThat(server.get("/").status()).isEqualTo(502);
        }
    }

    /// Such an upstream may send content after the head, which would be read as the next answer.
    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: chunked", "Content-Length: 5"})
    void connectionEndsAfterA204ThatAnnouncesContent(String framing) {
        Step answer = Step.Send.of("HTTP/1.1 204 No Content\r\n" + framing + "\r\n\r\n");
        List<List<Step>> scripts =
                List.of(
                        List.of(HEAD, answer, new Step.ReadToClose()),
                        List.of(HEAD, OK, new Step.ReadToClose()));
        try (ScriptedPeer peer = ScriptedPeer.playing(scripts);
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?answer-time=2s")) {
            assertThat(server.get("/").status()).isEqualTo(204);
            assertThat(server.get("/").text()).isEqualTo("ok");
        }
    }

    /// Some upstreams send content with an answer to HEAD, perhaps only when the next request is there.
    @Test
    void connectionEndsAfterHead() {
        Step head = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        Step evil = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
        List<List<Step>> scripts =
                List.of(
                        List.of(HEAD, head, new Step.ReadOnce(), evil),
                        List.of(HEAD, OK, new Step.ReadToClose()));
        try (ScriptedPeer peer = ScriptedPeer.playing(scripts);
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.until("\r\n\r\n")).contains("200 OK");
            assertThat(server.get("/").text()).isEqualTo("ok");
        }
    }

    @Test
    void emptyPostIsForwardedWithItsLength() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            assertThat(client.exchange("POST / HTTP/1.1\r\nHost: h\r\n\r\n").status())
                    .isEqualTo(200);
            assertThat(peer.received(0)).contains("\r\nContent-Length: 0\r\n\r\n");
        }
    }

    @Test
    void brokenChunksEndTheForwardedRequest() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            Await.until(
                    "the first chunk is forwarded", () -> peer.received(0).endsWith("hello\r\n"));
            client.send("zz\r\n");
            assertThat(client.answer().status()).isEqualTo(400);
            peer.awaitPlayed();
            assertThat(peer.received(0)).doesNotContain("\r\n0\r\n");
            assertThat(failed(server, PeerFault.ABANDONED)).isEqualTo(1);
        }
    }

    @Test
    void shortContentNeverEndsTheForwardedRequest() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?buffer=no");
                RawClient client = RawClient.connect(server.address())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf");
            Await.until("a part is forwarded", () -> peer.received(0).endsWith("half"));
            client.finish();
            client.ends();
            peer.awaitPlayed();
            Await.until("it is abandoned", () -> failed(server, PeerFault.ABANDONED) == 1);
        }
    }

    @Test
    void manyInterimResponsesEndTheRequest() {
        Step interims = Step.Send.of("HTTP/1.1 102 Processing\r\n\r\n".repeat(17));
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, interims, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.until("502")).contains("102 Processing");
        }
    }

    @Test
    void headThatDripsIsLate() {
        Step part = Step.Send.of("HTTP/1.1 200 ");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, part, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?answer-time=2s")) {
            assertThat(server.get("/").status()).isEqualTo(504);
        }
    }

    @Test
    void clientThatReadsNothingStopsTheUpstream() {
        byte[] much = new byte[64 << 20];
        Step head = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: " + much.length + "\r\n\r\n");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, head, new Step.Send(much));
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?buffer=no");
                RawClient client = RawClient.connect(server.address(), 8192)) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.until("\r\n\r\n")).contains("200 OK");
            assertThat(server.heldBytes()).isLessThan(1 << 20);
            assertThat(client.bytes(much.length)).hasSize(much.length);
        }
    }

    private static long failed(GatewayServer server, PeerFault why) {
        return server.neighbour("/").pool().status().failed().getOrDefault(why, 0L);
    }

    private static String url(ScriptedPeer peer) {
        return "http://127.0.0.1:" + peer.address().getPort();
    }
}
