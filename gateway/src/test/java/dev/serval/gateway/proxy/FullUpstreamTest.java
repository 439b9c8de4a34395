package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Upstreams of which one is full and another one is down, with real sockets.
@EveryMode
final class FullUpstreamTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final Step OK = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    @Test
    void requestWaitsForTheFullOne() {
        CountDownLatch latch = new CountDownLatch(1);
        try (DeadPort dead = DeadPort.open();
                ScriptedPeer good = ScriptedPeer.playing(answersAfter(latch, 2));
                GatewayServer server =
                        GatewayServer.of(
                                "/=http://127.0.0.1:"
                                        + dead.number()
                                        + ","
                                        + address(good)
                                        + "?connections=1");
                RawClient first = RawClient.connect(server.address());
                RawClient second = RawClient.connect(server.address())) {
            PeerPool pool = server.neighbour("/").pool();
            first.send(GET);
            Await.until("the first is sent", () -> good.received(0).contains("\r\n\r\n"));
            second.send(GET);
            Await.until("the second waits", () -> pool.status().queued() == 1);
            latch.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
            assertThat(second.answer().status()).isEqualTo(200);
            assertThat(pool.status().refusals()).isZero();
        }
    }

    @Test
    void requestWithoutRoomIsARefusalAndOneWithoutAnUpstreamIsAnError() {
        CountDownLatch latch = new CountDownLatch(1);
        try (DeadPort dead = DeadPort.open();
                ScriptedPeer good = ScriptedPeer.playing(answersAfter(latch, 1));
                GatewayServer server =
                        GatewayServer.of(
                                "/=http://" + address(good) + "?connections=1&queue-time=1s",
                                "/dead=http://127.0.0.1:" + dead.number());
                RawClient first = RawClient.connect(server.address())) {
            first.send(GET);
            Await.until("the first is sent", () -> good.received(0).contains("\r\n\r\n"));
            assertThat(server.get("/late").status()).isEqualTo(503);
            assertThat(server.get("/dead").status()).isEqualTo(502);
            latch.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
            Await.until("all are counted", () -> server.metrics().totals("").requests() == 3);
            assertThat(server.metrics().totals("").errors(5)).isEqualTo(1);
            assertThat(server.metrics().totals("").refused()).isEqualTo(1);
            assertThat(server.metrics().sum(Counter.REQUESTS_REFUSED_QUEUE)).isEqualTo(1);
            assertThat(server.metrics().slowest(10, ""))
                    .filteredOn(slow -> slow.name().equals("GET /late"))
                    .singleElement()
                    .satisfies(late ->
                            assertThat(late.queueNanos()).isGreaterThan(late.handlerNanos()));
        }
    }

    @Test
    void queueIsServedByTheOtherOneAfterTheEndOfOne() {
        int waiting = 20;
        CountDownLatch latch = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        ScriptedPeer bad = ScriptedPeer.playing(HEAD, new Step.Pause(never));
        List<RawClient> clients = new ArrayList<>();
        try (ScriptedPeer good = ScriptedPeer.playing(answersAfter(latch, waiting + 2));
                GatewayServer server =
                        GatewayServer.of(
                                "/=http://"
                                        + address(good)
                                        + ","
                                        + address(bad)
                                        + "?connections=1")) {
            PeerPool pool = server.neighbour("/").pool();
            for (int i = 0; i < waiting + 2; i++) {
                RawClient client = RawClient.connect(server.address());
                clients.add(client);
                client.send(GET);
            }
            Await.until("the others wait", () -> pool.status().queued() == waiting);
            Await.until("one is full", () -> good.received(0).contains("\r\n\r\n"));
            Await.until("so is the other", () -> bad.received(0).contains("\r\n\r\n"));
            bad.close();
            Await.until(
                    "the lost one is repeated and waits, as all others do",
                    () -> pool.status().queued() == waiting + 1);
            latch.countDown();
            for (RawClient client : clients) {
                assertThat(client.answer().status()).isEqualTo(200);
            }
            assertThat(pool.status().refusals()).isZero();
        } finally {
            never.countDown();
            bad.close();
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void requestThatEndsEachProcessCountsOnce() {
        List<Step> crash = List.of(HEAD);
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(crash, crash, crash));
                GatewayServer server = GatewayServer.of("/=http://" + address(peer))) {
            assertThat(server.get("/crash").status()).isEqualTo(502);
            PeerPool pool = server.neighbour("/").pool();
            assertThat(pool.status().failed()).containsEntry(PeerFault.LOST, 3L);
            assertThat(pool.upstreams().getFirst().isUp(System.nanoTime())).isTrue();
        }
    }

    /// An upstream that is killed loses all its idle connections. A request that tried them one
    /// after the other would use up its attempts.
    @Test
    void requestThatTheOnlyOneThatIsUpLosesIsSentOnANewConnection() {
        int idle = 6;
        CountDownLatch latch = new CountDownLatch(1);
        List<List<Step>> scripts = new ArrayList<>();
        for (int i = 0; i < idle; i++) {
            scripts.add(List.of(HEAD, new Step.Pause(latch), OK, new Step.ReadOnce()));
        }
        scripts.add(List.of(HEAD, OK, new Step.ReadToClose()));
        List<RawClient> clients = new ArrayList<>();
        try (DeadPort dead = DeadPort.open();
                ScriptedPeer peer = ScriptedPeer.playing(scripts);
                GatewayServer server =
                        GatewayServer.ofOneLoop(
                                "/=http://127.0.0.1:" + dead.number() + "," + address(peer))) {
            PeerPool pool = server.neighbour("/").pool();
            for (int i = 0; i < idle; i++) {
                int number = i;
                RawClient client = RawClient.connect(server.address());
                clients.add(client);
                client.send(GET);
                Await.until(
                        "a connection is busy", () -> peer.received(number).contains("\r\n\r\n"));
            }
            assertThat(pool.upstreams().getFirst().isUp(System.nanoTime())).isFalse();
            latch.countDown();
            clients.forEach(client -> assertThat(client.answer().status()).isEqualTo(200));
            assertThat(server.get("/").status()).isEqualTo(200);
            assertThat(pool.status().failed()).containsEntry(PeerFault.LOST, 1L);
        } finally {
            latch.countDown();
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void requestThatOneLosesGoesToTheOtherEvenIfThatIsBusier() {
        CountDownLatch latch = new CountDownLatch(1);
        List<Step> held = List.of(HEAD, new Step.Pause(latch), OK);
        List<Step> answers = List.of(HEAD, OK, new Step.ReadToClose());
        List<Step> crash = List.of(HEAD);
        try (ScriptedPeer good = ScriptedPeer.playing(List.of(held, answers));
                ScriptedPeer bad = ScriptedPeer.playing(List.of(crash, crash, crash));
                GatewayServer server =
                        GatewayServer.of("/=http://" + address(good) + "," + address(bad));
                RawClient first = RawClient.connect(server.address())) {
            first.send(GET);
            Await.until("one is busier", () -> good.received(0).contains("\r\n\r\n"));
            assertThat(server.get("/lost").status()).isEqualTo(200);
            assertThat(bad.received(0)).startsWith("GET /lost ");
            assertThat(bad.received(1)).isEmpty();
            assertThat(good.received(1)).startsWith("GET /lost ");
            latch.countDown();
            assertThat(first.answer().status()).isEqualTo(200);
        }
    }

    private static Step[] answersAfter(CountDownLatch latch, int answers) {
        List<Step> steps = new ArrayList<>(List.of(HEAD, new Step.Pause(latch), OK));
        for (int i = 1; i < answers; i++) {
            steps.add(HEAD);
            steps.add(OK);
        }
        steps.add(new Step.ReadToClose());
        return steps.toArray(Step[]::new);
    }

    private static String address(ScriptedPeer peer) {
        return "127.0.0.1:" + peer.address().getPort();
    }
}
