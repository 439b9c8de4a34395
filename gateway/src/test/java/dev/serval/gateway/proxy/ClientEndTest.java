package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Clients that end their half of the connection while their request waits.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class ClientEndTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final Step OK = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    @Test
    void endOfTheClientEndsRequestToSilentUpstream() {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + EarlyEndTest.url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(GET);
            Await.until("the request is sent", () -> peer.received(0).endsWith("\r\n\r\n"));
            client.finish();
            peer.awaitPlayed();
            assertThat(client.rest()).isEmpty();
            assertThat(server.neighbour("/").pool().status().failed().get(PeerFault.ABANDONED))
                    .isEqualTo(1);
        }
    }

    @Test
    void requestWhoseClientHasEndedLeavesTheQueue() {
        CountDownLatch go = new CountDownLatch(1);
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(HEAD, new Step.Pause(go), OK, new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of("/=" + EarlyEndTest.url(peer) + "?connections=1");
                RawClient first = RawClient.connect(server.address());
                RawClient second = RawClient.connect(server.address())) {
            first.send(GET);
            Await.until("the first is sent", () -> peer.received(0).endsWith("\r\n\r\n"));
            second.send(GET.replace("/ H", "/left H"));
            Await.until(
                    "the second waits", () -> server.neighbour("/").pool().status().queued() == 1);
            second.finish();
            assertThat(second.rest()).isEmpty();
            assertThat(server.neighbour("/").pool().status().queued()).isZero();
            go.countDown();
            assertThat(first.answer().text()).isEqualTo("ok");
            assertThat(peer.received(0)).doesNotContain("/left");
        }
    }

    @Test
    void clientThatHasEndedItsHalfIsAnsweredIfTheMountSaysSo() {
        CountDownLatch go = new CountDownLatch(1);
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(HEAD, new Step.Pause(go), OK, new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.ofOneLoop("/=" + EarlyEndTest.url(peer) + "?half-close=yes");
                RawClient other = RawClient.connect(server.address());
                RawClient client = RawClient.connect(server.address())) {
            client.send(GET);
            Await.until("the request is sent", () -> peer.received(0).endsWith("\r\n\r\n"));
            client.finish();
            // One loop: it has handled the end before it answers this request.
            assertThat(other.exchange("GET / HTTP/9.9\r\n\r\n").status()).isEqualTo(505);
            go.countDown();
            assertThat(client.answer().text()).isEqualTo("ok");
        }
    }

    @Test
    void answerThatHasBegunIsCompletedAfterTheEndOfTheClient() {
        CountDownLatch go = new CountDownLatch(1);
        Step half = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD,
                                half,
                                new Step.Pause(go),
                                Step.Send.of("world"),
                                new Step.ReadToClose());
                GatewayServer server = GatewayServer.ofOneLoop("/=" + EarlyEndTest.url(peer));
                RawClient other = RawClient.connect(server.address());
                RawClient client = RawClient.connect(server.address())) {
            client.send(GET);
            client.until("hello");
            client.finish();
            assertThat(other.exchange("GET / HTTP/9.9\r\n\r\n").status()).isEqualTo(505);
            go.countDown();
            assertThat(client.until("world")).isEqualTo("world");
        }
    }
}
