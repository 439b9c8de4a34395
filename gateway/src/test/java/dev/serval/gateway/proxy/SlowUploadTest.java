package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.spool.OtherContents;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that send the content of their requests slowly, or never.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class SlowUploadTest {
    private static final int SLOW_CLIENTS = 200;
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final Step OK = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    private static final String HALF =
            "POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nhalf";

    @Test
    void halfSentPostsHoldNoConnection() {
        List<RawClient> slow = new ArrayList<>();
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD,
                                OK,
                                new Step.ReadUntil("halfrest"),
                                OK,
                                new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.ofOneLoop(
                                "/=" + EarlyEndTest.url(peer) + "?connections=1&queue-time=1s")) {
            for (int i = 0; i < SLOW_CLIENTS; i++) {
                slow.add(RawClient.connect(server.address()).send(HALF));
            }
            assertThat(server.get("/").text()).isEqualTo("ok");
            RawClient last =
                    slow.getLast(); // on a busy machine, the first ones are too slow by now
            assertThat(last.send("rest").answer().text()).isEqualTo("ok");
        } finally {
            slow.forEach(RawClient::reset);
        }
    }

    @Test
    void mountWithoutBufferPassesContentOnAsItComes() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("half"),
                                new Step.ReadUntil("rest"),
                                OK,
                                new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of("/=" + EarlyEndTest.url(peer) + "?buffer=no");
                RawClient client = RawClient.connect(server.address())) {
            client.send(HALF);
            Await.until("the first half is sent", () -> peer.received(0).endsWith("half"));
            assertThat(client.send("rest").answer().text()).isEqualTo("ok");
        }
    }

    @Test
    void contentOfUnknownLengthIsPassedOnAsItComes() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("half\r\n"),
                                new Step.ReadUntil("0\r\n\r\n"),
                                OK,
                                new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
            Await.until("the first half is sent", () -> peer.received(0).endsWith("half\r\n"));
            assertThat(client.send("0\r\n\r\n").answer().text()).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void upstreamThatTakesNoChunksGetsTheLengthOfTheContent(String buffer) {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("halfrest"), OK, new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of(
                                "/=" + EarlyEndTest.url(peer) + "?chunked=no&buffer=" + buffer);
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
            assertThat(client.send("4\r\nrest\r\n0\r\n\r\n").answer().text()).isEqualTo("ok");
            assertThat(peer.received(0))
                    .contains("\r\nContent-Length: 8\r\n")
                    .doesNotContain("Transfer-Encoding");
        }
    }

    /// The first two hold a connection each, of four. The content of the others is collected.
    @Test
    void halfSentChunksHoldHalfOfTheConnections() {
        String head = "POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        String half = head + "4\r\nhalf\r\n";
        List<RawClient> slow = new ArrayList<>();
        List<Step> holds = List.of(new Step.ReadUntil("half\r\n"), new Step.ReadToClose());
        List<Step> serves =
                List.of(HEAD, OK, new Step.ReadUntil("halfrest"), OK, new Step.ReadToClose());
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(holds, holds, serves));
                GatewayServer server =
                        GatewayServer.ofOneLoop(
                                "/=" + EarlyEndTest.url(peer) + "?connections=4&queue-time=1s")) {
            for (int i = 0; i < 2; i++) {
                slow.add(RawClient.connect(server.address()).send(half));
                int streamed = i;
                Await.until(
                        "it holds a connection",
                        () -> peer.received(streamed).endsWith("half\r\n"));
            }
            for (int i = 0; i < SLOW_CLIENTS; i++) {
                slow.add(RawClient.connect(server.address()).send(half));
            }
            assertThat(server.get("/").text()).isEqualTo("ok");
            RawClient last = slow.getLast();
            assertThat(last.send("4\r\nrest\r\n0\r\n\r\n").answer().text()).isEqualTo("ok");
            assertThat(peer.received(2))
                    .contains("\r\nContent-Length: 8\r\n")
                    .doesNotContain("Transfer-Encoding");
            slow.forEach(RawClient::reset); // else the server waits for them
        } finally {
            slow.forEach(RawClient::reset);
        }
    }

    /// The upstream is not asked for 100 Continue: the client has sent its content by then.
    @Test
    void clientThatWaitsForContinueGetsItFromTheServer() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("halfrest"), OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 8\r\n\r\n");
            assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 100");
            assertThat(client.send("halfrest").answer().text()).isEqualTo("ok");
            assertThat(peer.received(0))
                    .contains("\r\nContent-Length: 8\r\n")
                    .doesNotContain("Expect");
        }
    }

    @Test
    void longContentReachesTheUpstreamWhole() {
        String content = "0123456789".repeat(30_000);
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD, new Step.Read(content.length()), OK, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: "
                            + content.length()
                            + "\r\n\r\n");
            client.send(content.substring(0, 200_000));
            Await.until("a part is in a file", () -> server.spool().diskBytes() > 100_000);
            client.send(content.substring(200_000));
            assertThat(client.answer().text()).isEqualTo("ok");
            assertThat(peer.received(0)).endsWith("\r\n\r\n" + content);
        }
    }

    @Test
    void withoutSpaceContentOfKnownLengthIsPassedOnAsItComes() {
        SpoolLimits none = SpoolLimits.DEFAULT.withDiskMaxBytes(0);
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("half"),
                                new Step.ReadUntil("rest"),
                                OK,
                                new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.limited(1 << 20, none, "/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(HALF);
            Await.until("the first half is sent", () -> peer.received(0).endsWith("half"));
            assertThat(client.send("rest").answer().text()).isEqualTo("ok");
        }
    }

    @Test
    void contentForWhichSpaceRunsOutIs503() {
        SpoolLimits little = SpoolLimits.DEFAULT.withDiskMaxBytes(250_000);
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.limited(1 << 20, little, "/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 240000\r\n\r\n");
            client.send(new byte[9000]);
            Await.until("a part is collected", () -> server.spool().memoryBytes() > 0);
            OtherContents.fill(server.spool(), 240_000);
            client.send(new byte[231_000]);
            assertThat(client.answer().status()).isEqualTo(503);
            OtherContents.free(server.spool(), 240_000);
        }
    }

    @Test
    void clientThatLeavesFreesItsContent() {
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer))) {
            try (RawClient client = RawClient.connect(server.address())) {
                client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n");
                client.send(new byte[300_000]);
                Await.until("a part is in a file", () -> server.spool().diskBytes() > 100_000);
                client.reset();
            }
            Await.until("it is freed", () -> server.spool().diskBytes() == 0);
            assertThat(server.neighbour("/").pool().open()).isZero();
        }
    }
}
