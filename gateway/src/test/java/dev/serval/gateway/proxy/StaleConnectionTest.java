package dev.serval.gateway.proxy;

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

/// Requests on idle connections that their upstream closes when the next request comes, as after a
/// restart behind another proxy.
@EveryMode
final class StaleConnectionTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final Step OK = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    private static final Step NEXT = new Step.ReadOnce(); // and close
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    @Test
    void repeatedRequestIsSentOnNewConnection() {
        int stale = 4; // more than the attempts at a request
        CountDownLatch all = new CountDownLatch(1);
        List<List<Step>> scripts =
                new ArrayList<>(
                        Collections.nCopies(stale, List.of(HEAD, new Step.Pause(all), OK, NEXT)));
        scripts.add(List.of(HEAD, OK, new Step.ReadToClose()));
        List<RawClient> clients = new ArrayList<>();
        try (ScriptedPeer peer = ScriptedPeer.playing(scripts);
                GatewayServer server = GatewayServer.ofOneLoop("/=" + url(peer))) {
            for (int i = 0; i < stale; i++) {
                RawClient client = RawClient.connect(server.address());
                clients.add(client);
                client.send(GET);
                int n = i;
                Await.until("it is sent", () -> peer.received(n).endsWith("\r\n\r\n"));
            }
            all.countDown();
            clients.forEach(one -> assertThat(one.answer().status()).isEqualTo(200));
            assertThat(server.get("/again").text()).isEqualTo("ok");
            assertThat(peer.received(stale)).startsWith("GET /again ");
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void repeatedRequestIsSentOnNewConnectionAlsoToAnotherUpstream() {
        List<List<Step>> scripts =
                List.of(List.of(HEAD, OK, NEXT), List.of(HEAD, OK, new Step.ReadToClose()));
        try (ScriptedPeer a = ScriptedPeer.playing(scripts);
                ScriptedPeer b = ScriptedPeer.playing(scripts);
                ScriptedPeer c = ScriptedPeer.playing(scripts);
                GatewayServer server =
                        GatewayServer.ofOneLoop("/=" + url(a) + "," + place(b) + "," + place(c))) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/").text()).isEqualTo("ok");
            }
            assertThat(List.of(a, b, c)).allMatch(one -> !one.received(0).isEmpty());
            assertThat(server.get("/again").text()).isEqualTo("ok");
        }
    }

    private static String url(ScriptedPeer peer) {
        return "http://" + place(peer);
    }

    private static String place(ScriptedPeer peer) {
        return "127.0.0.1:" + peer.address().getPort();
    }
}
