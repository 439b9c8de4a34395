package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an upstream gets, and when it gets nothing again.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class ForwardedRequestTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final Step OK = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

    @Test
    void namesThatBecomeKnownOnesAreNotForwarded() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.exchange(
                    "GET / HTTP/1.1\r\nHost: h\r\nContent_Length: evil\r\n"
                            + "transfer_encoding: evil\r\nTransfer.Encoding: evil\r\n"
                            + "Content_Type: evil\r\nX_Forwarded_For: evil\r\n"
                            + "X.Forwarded-Port: evil\r\nProxy: evil\r\nX_Own: kept\r\n\r\n");
            assertThat(peer.received(0)).doesNotContain("evil").contains("X_Own: kept\r\n");
        }
    }

    @Test
    void fieldsOfEachConnectionFieldAreDropped() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.exchange(
                    "GET / HTTP/1.1\r\nHost: h\r\nConnection: X-One\r\nX-One: hop\r\n"
                            + "X-Two: hop\r\nConnection: keep-alive, X-Two\r\nX-3: end\r\n\r\n");
            assertThat(peer.received(0)).doesNotContain("hop").contains("X-3: end\r\n");
        }
    }

    @Test
    void upgradeInTheSecondConnectionFieldIsForwarded() {
        Step switches =
                Step.Send.of(
                        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                                + "Upgrade: websocket\r\n\r\n");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, switches, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n"
                            + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 101 ");
            assertThat(peer.received(0)).contains("Upgrade: websocket\r\n");
            client.finish();
            client.expectClosed();
        }
    }

    @Test
    void upstreamLearnsTheClientThatATrustedProxyNames() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.behindProxies("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.exchange(
                    "GET / HTTP/1.1\r\nHost: inner\r\nX-Forwarded-For: 9.9.9.9, 203.0.113.7\r\n"
                            + "X-Forwarded-Proto: https\r\nX-Forwarded-Host: shop.example\r\n\r\n");
            assertThat(peer.received(0))
                    .startsWith("GET / HTTP/1.1\r\nHost: inner\r\n")
                    .contains("Forwarded: for=203.0.113.7;host=shop.example;proto=https\r\n")
                    .contains(
                            "X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Host: shop.example\r\n"
                                    + "X-Forwarded-Proto: https\r\n")
                    .doesNotContain("9.9.9.9");
        }
    }

    @Test
    void keptFieldsAreExtendedByThePeerItself() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.behindProxies("/=" + EarlyEndTest.url(peer) + "?trust=yes");
                RawClient client = RawClient.connect(server.address())) {
            client.exchange(
                    "GET / HTTP/1.1\r\nHost: inner\r\nX-Forwarded-For: 203.0.113.7\r\n"
                            + "X-Forwarded-Host: shop.example\r\n\r\n");
            assertThat(peer.received(0))
                    .contains("X-Forwarded-For: 203.0.113.7\r\n")
                    .contains("Forwarded: for=127.0.0.1;host=inner;proto=http\r\n")
                    .contains("X-Forwarded-For: 127.0.0.1\r\n");
        }
    }

    @Test
    void requestWithoutHostGetsTheAddressAtWhichItArrived() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.exchange("GET / HTTP/1.0\r\n\r\n");
            assertThat(peer.received(0))
                    .contains("\r\nHost: 127.0.0.1:" + server.port() + "\r\n")
                    .doesNotContain("X-Forwarded-Host");
        }
    }

    @Test
    void postWithoutContentIsNeverRepeated() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(List.of(List.of(HEAD, OK, HEAD), List.of(HEAD, OK)));
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            assertThat(server.get("/").text()).isEqualTo("ok");
            String post = "POST /order HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n";
            assertThat(client.exchange(post).status()).isEqualTo(502);
            assertThat(server.get("/again").text()).isEqualTo("ok");
            assertThat(peer.received(1)).startsWith("GET /again ");
        }
    }

    @Test
    void connectionWithUnsentContentServesNoOtherClient() {
        Step early = Step.Send.of("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n");
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(
                                        List.of(
                                                new Step.ReadUntil("part"),
                                                early,
                                                new Step.ReadToClose()),
                                        List.of(HEAD, OK)));
                GatewayServer server =
                        GatewayServer.of("/=" + EarlyEndTest.url(peer) + "?buffer=no");
                RawClient client = RawClient.connect(server.address())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99\r\n\r\npart");
            assertThat(client.answer().status()).isEqualTo(413);
            assertThat(server.get("/other").text()).isEqualTo("ok");
            assertThat(peer.received(0)).doesNotContain("/other");
        }
    }

    @Test
    void allowedInterimResponsesArePassedAndOneMoreIs502() {
        String interim = "HTTP/1.1 103 Early Hints\r\n\r\n";
        String ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        List<Step> allowed = List.of(HEAD, Step.Send.of(interim.repeat(3) + ok));
        List<Step> more = List.of(HEAD, Step.Send.of(interim.repeat(4) + ok));
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(allowed, more));
                GatewayServer server =
                        GatewayServer.of(
                                "/=" + EarlyEndTest.url(peer) + "?interims=3&idle-time=1ms");
                RawClient client = RawClient.connect(server.address())) {
            var answer = client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.interims()).hasSize(3);
            assertThat(client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").status())
                    .isEqualTo(502);
            assertThat(server.neighbour("/").pool().status().failed().get(PeerFault.MALFORMED))
                    .isEqualTo(1);
        }
    }
}
