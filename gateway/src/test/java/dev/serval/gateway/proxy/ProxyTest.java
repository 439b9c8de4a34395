package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.testkit.mode.Mode;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class ProxyTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final Step OK = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

    @Test
    void writesTheHeadAnew() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/api=" + url(peer) + "/base");
                RawClient client = RawClient.connect(server.address())) {
            RawResponse answer =
                    client.exchange(
                            "GET /api/x?q=1 HTTP/1.1\r\nHost: h.example:99\r\nX-Own: 1\r\n"
                                    + "Connection: X-Hop, keep-alive\r\nX-Hop: 2\r\nKeep-Alive: 3\r\n"
                                    + "TE: trailers\r\nProxy-Authorization: x\r\n"
                                    + "Proxy-Connection: keep-alive\r\nForwarded: for=evil\r\n"
                                    + "X-Forwarded-For: 9.9.9.9\r\nX-Forwarded-Proto: https\r\n"
                                    + "X-Forwarded-Port: 1\r\nX_Forwarded_Host: y\r\nX-Real-IP: 8.8.8.8\r\n"
                                    + "Via: 1.0 a\r\n\r\n");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("ok");
            assertThat(peer.received(0))
                    .isEqualTo(
                            "GET /base/x?q=1 HTTP/1.1\r\nHost: h.example:99\r\nX-Own: 1\r\nVia: 1.0 a\r\n"
                                    + "Forwarded: for=127.0.0.1;host=\"h.example:99\";proto=http\r\n"
                                    + "X-Forwarded-For: 127.0.0.1\r\n"
                                    + "X-Forwarded-Host: h.example:99\r\n"
                                    + "X-Forwarded-Proto: http\r\nVia: "
                                    + (Mode.current().isHttp2() ? "2.0" : "1.1")
                                    + " serval\r\n"
                                    + "TE: trailers\r\nConnection: TE\r\n\r\n");
        }
    }

    @Test
    void extendsTheFieldsOfTrustedClient() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of("/=" + url(peer) + "?trust=yes&host=up.example");
                RawClient client = RawClient.connect(server.address())) {
            client.exchange(
                    "GET /x HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 9.9.9.9\r\n"
                            + "X-Forwarded-Proto: https\r\nForwarded: for=9.9.9.9\r\n\r\n");
            assertThat(peer.received(0))
                    .startsWith("GET /x HTTP/1.1\r\nHost: up.example\r\n")
                    .contains("X-Forwarded-For: 9.9.9.9\r\nX-Forwarded-Proto: https\r\n")
                    .contains(
                            "Forwarded: for=9.9.9.9\r\nForwarded: for=127.0.0.1;host=h;proto=http\r\n")
                    .contains("X-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Host: h\r\nVia");
        }
    }

    @Test
    void clientCannotRemoveWhatTrustedProxySet() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?trust=yes");
                RawClient client = RawClient.connect(server.address())) {
            client.exchange(
                    "GET /x HTTP/1.1\r\nHost: h\r\nX-Forwarded-Proto: https\r\n"
                            + "X-Forwarded-Host: front\r\nX-Real-IP: 9.9.9.9\r\nX-Hop: 1\r\n"
                            + "Connection: X-Forwarded-Proto, x-forwarded-host, X-Real-IP, X-Hop\r\n\r\n");
            assertThat(peer.received(0))
                    .contains("X-Forwarded-Proto: https\r\n")
                    .contains("X-Forwarded-Host: front\r\n")
                    .contains("X-Real-IP: 9.9.9.9\r\n")
                    .doesNotContain("X-Hop");
        }
    }

    @Test
    void neverForwardsTheProxyField() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.exchange(
                    "GET /x HTTP/1.1\r\nHost: h\r\nproXY: http://evil\r\nProxy-Own: 1\r\n\r\n");
            assertThat(peer.received(0)).contains("Proxy-Own: 1\r\n").doesNotContain("evil");
        }
    }

    @Test
    void forwardsOptionsAsOftenAsMaxForwardsSays() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(HEAD, OK, HEAD, OK, HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            assertThat(client.exchange(limited("OPTIONS", "3")).text()).isEqualTo("ok");
            assertThat(client.exchange(limited("OPTIONS", "1")).text()).isEqualTo("ok");
            RawResponse last = client.exchange(limited("OPTIONS", "0"));
            assertThat(last.status()).isEqualTo(204);
            assertThat(last.field("Allow")).contains("POST");
            assertThat(client.exchange(limited("OPTIONS", "1, 2")).status()).isEqualTo(400);
            assertThat(client.exchange(limited("GET", "0")).text()).isEqualTo("ok");
            assertThat(peer.received(0))
                    .containsSubsequence(
                            "OPTIONS /",
                            "Max-Forwards: 2\r\n",
                            "OPTIONS /",
                            "Max-Forwards: 0\r\n",
                            "GET /",
                            "Max-Forwards: 0\r\n")
                    .doesNotContain("Max-Forwards: 3");
        }
    }

    @Test
    void slashInValueReachesTheUpstreamInQueryOrEncodedTwice() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/api=" + url(peer))) {
            assertThat(server.get("/api/group%2Fname").status()).isEqualTo(400);
            assertThat(server.get("/api?name=group%2Fname").text()).isEqualTo("ok");
            assertThat(server.get("/api/group%252Fname").text()).isEqualTo("ok");
            assertThat(peer.received(0))
                    .startsWith("GET /api?name=group%2Fname HTTP/1.1\r\n")
                    .contains("GET /api/group%252Fname HTTP/1.1\r\n");
        }
    }

    private static String limited(String method, String hops) {
        return method + " / HTTP/1.1\r\nHost: h\r\nMax-Forwards: " + hops + "\r\n\r\n";
    }

    @Test
    void removesFieldsOfTheConnectionFromAnswers() {
        Step answer =
                Step.Send.of(
                        "HTTP/1.1 404 Gone fishing\r\nConnection: X-Hop\r\nX-Hop: 1\r\n"
                                + "Keep-Alive: timeout=5\r\nUpgrade: h2c\r\nSet-Cookie: a=1\r\n"
                                + "Set-Cookie: b=2\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
                                + "Content-Length: 3\r\n\r\nabc");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, answer, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            RawResponse got = server.get("/");
            assertThat(got.status()).isEqualTo(404);
            assertThat(got.all("Set-Cookie")).containsExactly("a=1", "b=2");
            assertThat(got.has("X-Hop") || got.has("Keep-Alive") || got.has("Upgrade")).isFalse();
            assertThat(got.all("Date")).containsExactly("Thu, 01 Jan 1970 00:00:00 GMT");
            assertThat(got.text()).isEqualTo("abc");
        }
    }

    @Test
    void framesContentAnew() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("0\r\nX-T: t\r\n\r\n"),
                                Step.Send.of(
                                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                                + "3;x=y\r\nabc\r\n2  \r\nde\r\n0\r\nX-End: e\r\n\r\n"),
                                new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            RawResponse answer =
                    client.exchange(
                            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + "5;ext\r\nhello\r\n1\r\n!\r\n0\r\nX-T: t\r\n\r\n");
            assertThat(answer.text()).isEqualTo("abcde");
            assertThat(peer.received(0))
                    .contains("Transfer-Encoding: chunked\r\n\r\n")
                    .endsWith("\r\n\r\n6\r\nhello!\r\n0\r\nX-T: t\r\n\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void filtersTrailersAsTheHead(boolean trusts) {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("X-T: t\r\n\r\n"), OK, new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of("/=" + url(peer) + "?trust=" + (trusts ? "yes" : "no"));
                RawClient client = RawClient.connect(server.address())) {
            RawResponse answer =
                    client.exchange(
                            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + "2\r\nhi\r\n0\r\nX-Real-IP: 8.8.8.8\r\nX-Forwarded-Port: 1\r\n"
                                    + "X_Forwarded_For: 9.9.9.9\r\nProxy: http://evil\r\n"
                                    + "X-T: t\r\n\r\n");
            assertThat(answer.text()).isEqualTo("ok");
            String kept =
                    trusts
                            ? "X-Real-IP: 8.8.8.8\r\nX-Forwarded-Port: 1\r\n"
                                    + "X_Forwarded_For: 9.9.9.9\r\n"
                            : "";
            assertThat(peer.received(0)).endsWith("\r\n2\r\nhi\r\n0\r\n" + kept + "X-T: t\r\n\r\n");
        }
    }

    @Test
    void keepsConnectionsToTheUpstream() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, HEAD, OK, HEAD, OK);
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/" + i).text()).isEqualTo("ok");
            }
            peer.awaitPlayed();
        }
    }

    @Test
    void repeatsIdempotentRequestOnStaleConnection() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(
                                        List.of(HEAD, OK, HEAD),
                                        List.of(HEAD, OK, new Step.ReadToClose())));
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            assertThat(server.get("/1").text()).isEqualTo("ok");
            assertThat(server.get("/2").text()).isEqualTo("ok");
            assertThat(peer.received(1)).startsWith("GET /2 ");
        }
    }

    @Test
    void neverRepeatsPost() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(
                                        List.of(HEAD, OK, new Step.ReadUntil("body")),
                                        List.of(HEAD, OK)));
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            String post = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody";
            assertThat(server.get("/").text()).isEqualTo("ok");
            assertThat(client.exchange(post).status()).isEqualTo(502);
            assertThat(server.neighbour("/").pool().status().failed().get(PeerFault.LOST))
                    .isEqualTo(1);
            assertThat(server.get("/again").text()).isEqualTo("ok");
            assertThat(peer.received(1)).startsWith("GET /again ");
        }
    }

    /// The connection does not stay, because other readers may find another end of the answer.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: identity\r\n\r\nok"
            })
    void answersOfOldServersAreTakenAndTheConnectionEnds(String answer) {
        List<Step> script = List.of(HEAD, Step.Send.of(answer), new Step.ReadToClose());
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(script, List.of(HEAD, OK)));
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            RawResponse got = server.get("/");
            assertThat(got.text()).isEqualTo("ok");
            assertThat(got.has("Transfer-Encoding")).isFalse();
            assertThat(server.get("/").text()).isEqualTo("ok");
            assertThat(peer.received(1)).startsWith("GET / ");
        }
    }

    @Test
    void equalLengthsAreOne() {
        Step answer =
                Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, answer);
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            RawResponse got = server.get("/");
            assertThat(got.text()).isEqualTo("ok");
            assertThat(got.all("Content-Length")).containsExactly("2");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\rContent-Length: 0\r\r",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5",
                ""
            })
    void answers502ToMalformedAnswers(String answer) {
        List<Step> script = List.of(HEAD, Step.Send.of(answer));
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(script, script, script));
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            assertThat(server.get("/").status()).isEqualTo(502);
        }
    }

    @Test
    void answers502ToHeadAboveLimit() {
        Step answer = Step.Send.of("HTTP/1.1 200 OK\r\nA: " + "b".repeat(40_000) + "\r\n\r\n");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, answer, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            assertThat(server.get("/").status()).isEqualTo(502);
        }
    }

    @Test
    void dropsSecondAnswerWithItsConnection() {
        String one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(
                                        List.of(HEAD, Step.Send.of(one + one.replace("ok", "no"))),
                                        List.of(HEAD, OK)));
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            assertThat(server.get("/1").text()).isEqualTo("ok");
            assertThat(server.get("/2").text()).isEqualTo("ok");
            assertThat(peer.received(1)).startsWith("GET /2 ");
            assertThat(server.neighbour("/").pool().status().failed().get(PeerFault.UNASKED))
                    .isEqualTo(1);
        }
    }

    @Test
    void tooFewBytesEndTheClientsConnection() {
        Step answer = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        CountDownLatch go = new CountDownLatch(1);
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, answer, new Step.Pause(go));
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.until("half")).startsWith("HTTP/1.1 200");
            go.countDown();
            assertThat(client.rest()).isEmpty();
            assertThat(client.closedByServer()).isTrue();
        }
    }

    @Test
    void answers504WithoutAnAnswer() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?answer-time=50ms")) {
            assertThat(server.get("/").status()).isEqualTo(504);
            assertThat(server.neighbour("/").pool().status().failed().get(PeerFault.LATE))
                    .isEqualTo(1);
        }
    }

    @Test
    void answers502WithoutAnUpstream() {
        try (DeadPort dead = DeadPort.open();
                GatewayServer server = GatewayServer.of("/=http://127.0.0.1:" + dead.number())) {
            assertThat(server.get("/").status()).isEqualTo(502);
        }
    }

    @Test
    void passesInterimResponsesAndContinue() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD,
                                Step.Send.of("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
                                Step.Send.of("HTTP/1.1 100 Continue\r\n\r\n"),
                                new Step.ReadUntil("body"),
                                OK,
                                new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?buffer=no");
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            // A proxy that has no answer after 1 s sends 100 itself, perhaps before 103.
            List<String> heads = List.of(client.until("\r\n\r\n"), client.until("\r\n\r\n"));
            assertThat(heads)
                    .anyMatch(
                            head -> head.contains("103 Early Hints") && head.contains("Link: </a>"))
                    .anyMatch(head -> head.startsWith("HTTP/1.1 100"));
            client.send("body");
            assertThat(client.answer().text()).isEqualTo("ok");
            assertThat(peer.received(0)).contains("Expect: 100-continue\r\n");
        }
    }

    @Test
    void finalAnswerInPlaceOfContinueNeedsNoContent() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD,
                                Step.Send.of("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"),
                                new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?buffer=no");
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(403);
        }
    }

    @Test
    void answerOfUpstreamThatClosesWithUnreadContentReachesTheClient() {
        Step tooLarge =
                Step.Send.of(
                        "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
                                + "Content-Length: 3\r\n\r\nbig");
        int length = 32 << 20;
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, new Step.Read(1), tooLarge);
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n");
            client.send(new byte[length]);
            RawResponse answer = client.answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.text()).isEqualTo("big");
        }
    }

    @Test
    void passesUpgradedConnectionThrough() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD,
                                Step.Send.of(
                                        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                                                + "Upgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nearly"),
                                new Step.ReadUntil("ping"),
                                Step.Send.of("pong"),
                                new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            assertThat(client.until("\r\n\r\n"))
                    .startsWith("HTTP/1.1 101")
                    .containsIgnoringCase("connection: upgrade")
                    .contains("Sec-WebSocket-Accept: x");
            assertThat(client.until("early")).isEqualTo("early");
            client.send("ping");
            assertThat(client.until("pong")).isEqualTo("pong");
            client.finish();
            peer.awaitPlayed();
            client.expectClosed();
            assertThat(peer.received(0))
                    .contains("Upgrade: websocket\r\n")
                    .contains("Connection: upgrade\r\n");
        }
    }

    @Test
    void forwardsUpgradeOfRequestThatSaysItHasNoContent() {
        Step switches =
                Step.Send.of(
                        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                                + "Upgrade: websocket\r\n\r\nhello");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, switches, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Content-Length: 0\r\n\r\nping");
            assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 101");
            assertThat(client.until("hello")).isEqualTo("hello");
            client.finish();
            client.expectClosed();
            peer.awaitPlayed();
            assertThat(peer.received(0))
                    .contains("Upgrade: websocket\r\n", "Content-Length: 0\r\n")
                    .endsWith("\r\n\r\nping");
        }
    }

    @Test
    void neverForwardsUpgradeToHttp2() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.exchange(
                    "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                            + "Upgrade: h2c\r\nHTTP2-Settings: AAAA\r\n\r\n");
            assertThat(peer.received(0))
                    .doesNotContainIgnoringCase("upgrade:")
                    .doesNotContain("HTTP2");
        }
    }

    @Test
    void clientThatLeavesEndsTheRequest() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            try (RawClient client = RawClient.connect(server.address())) {
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
                Await.until(
                        "the request is forwarded", () -> peer.received(0).contains("\r\n\r\n"));
                client.reset();
            }
            Await.until(
                    "the request is abandoned",
                    () ->
                            server.neighbour("/")
                                            .pool()
                                            .status()
                                            .failed()
                                            .getOrDefault(PeerFault.ABANDONED, 0L)
                                    == 1);
        }
    }

    @Test
    void headHasTheLengthOfGet() {
        Step answer = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n");
        List<List<Step>> scripts =
                List.of(
                        List.of(HEAD, answer, new Step.ReadToClose()),
                        List.of(HEAD, OK, new Step.ReadToClose()));
        try (ScriptedPeer peer = ScriptedPeer.playing(scripts);
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.answer("HEAD").field("Content-Length")).isEqualTo("77");
            assertThat(client.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n").text()).isEqualTo("ok");
        }
    }

    @Test
    void answerMayEndWithTheConnection() {
        Step answer = Step.Send.of("HTTP/1.0 200 OK\r\n\r\nall of it");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, answer);
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            assertThat(server.get("/").text()).isEqualTo("all of it");
        }
    }

    private static String url(ScriptedPeer peer) {
        return "http://127.0.0.1:" + peer.address().getPort();
    }
}
