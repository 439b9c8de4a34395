package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// When a FastCGI request is sent again.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class FastcgiRepeatTest {
    private static final int CONNECTIONS = 5;
    private static final Step OK =
            new Step.Send(new Records().out("Content-Type: a/b\r\n\r\nok").end(0, 0).bytes());

    @Test
    void getIsSentAtMostFiveTimes() {
        CountDownLatch go = new CountDownLatch(1);
        List<Step> script =
                List.of(
                        new Step.ReadUntil("/warm"),
                        new Step.Pause(go),
                        OK,
                        new Step.ReadUntil("/two"));
        List<List<Step>> scripts = new ArrayList<>(Collections.nCopies(CONNECTIONS, script));
        scripts.add(List.of(new Step.ReadUntil("/two"), OK));
        try (ScriptedPeer peer = ScriptedPeer.playing(scripts);
                GatewayServer server =
                        GatewayServer.ofOneLoop(
                                "/=" + url(peer) + "?keep=yes&connections=" + CONNECTIONS)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(RawClient.connect(server.address()).send(get("/warm")));
            }
            Await.until(
                    "each has a connection",
                    () -> server.neighbour("/").pool().status().busy() == CONNECTIONS);
            go.countDown();
            clients.forEach(client -> assertThat(client.answer().text()).isEqualTo("ok"));
            clients.forEach(RawClient::close);
            assertThat(server.get("/two").status()).isEqualTo(502);
            for (int i = 0; i < CONNECTIONS; i++) {
                assertThat(peer.received(i)).contains("/two");
            }
            assertThat(peer.received(CONNECTIONS)).isEmpty();
        }
    }

    @Test
    void requestOnFreshConnectionIsNotRepeated() {
        List<Step> ends = List.of(new Step.ReadUntil("/one"));
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(List.of(ends, List.of(new Step.Read(1), OK)));
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?keep=yes")) {
            assertThat(server.get("/one").status()).isEqualTo(502);
            assertThat(peer.received(1)).isEmpty();
        }
    }

    @Test
    void postWithoutContentIsNotRepeated() {
        List<Step> ends = List.of(new Step.ReadUntil("/one"), OK, new Step.ReadUntil("/order"));
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(List.of(ends, List.of(new Step.Read(1), OK)));
                GatewayServer server = GatewayServer.of("/=" + url(peer) + "?keep=yes");
                RawClient client = RawClient.connect(server.address())) {
            assertThat(server.get("/one").text()).isEqualTo("ok");
            String post = "POST /order HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n";
            assertThat(client.exchange(post).status()).isEqualTo(502);
            assertThat(peer.received(1)).isEmpty();
        }
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    private static String url(ScriptedPeer peer) {
        return "fastcgi://127.0.0.1:" + peer.address().getPort();
    }
}
