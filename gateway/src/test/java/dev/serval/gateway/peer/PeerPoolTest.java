package dev.serval.gateway.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.handler.Handler;
import dev.serval.net.Network;
import dev.serval.net.memory.MemoryPeer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pools that connect to upstreams, with a protocol of lines: the path is sent, a line comes back.
final class PeerPoolTest {
    private static final PoolLimits LIMITS =
            PoolLimits.DIAL_OUT.with(draft -> draft.connectionsMax = 2);
    private static final PoolLimits ONE = LIMITS.with(draft -> draft.connectionsMax = 1);

    private static Upstream upstream(int port) {
        InetAddress here = InetAddress.getLoopbackAddress();
        return new Upstream(new InetSocketAddress(here, port), "up" + port);
    }

    private static GatewayInMemory gateway(int loops, PeerPool pool) {
        Handler handler = x -> new LineRequest(EngineExchange.of(x), pool, -1).begin();
        return new GatewayInMemory(loops, new LrwpAgent(LrwpSettings.DEFAULT), handler);
    }

    private static MemoryPeer asks(GatewayInMemory gateway, int loop, String path) {
        MemoryPeer client = gateway.client(loop);
        client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
        gateway.run();
        return client;
    }

    private static void failsNow(GatewayInMemory gateway, Upstream upstream) {
        long now = gateway.net(0).loop().nowNanos();
        upstream.failed(LIMITS, now, now);
    }

    private static void answers(GatewayInMemory gateway, MemoryPeer up, String line) {
        up.send(line + "\n");
        gateway.run();
    }

    @Test
    void connectsOnDemandAndReusesTheConnection() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            MemoryPeer client = asks(gateway, 0, "/a");
            MemoryPeer up = gateway.accept(0);
            assertThat(up.takeText()).isEqualTo("/a\n");
            answers(gateway, up, "one");
            assertThat(client.takeText()).endsWith("one");
            MemoryPeer second = asks(gateway, 0, "/b");
            assertThat(up.takeText()).isEqualTo("/b\n");
            answers(gateway, up, "two");
            assertThat(second.takeText()).endsWith("two");
            assertThat(pool.open()).isEqualTo(1);
            gateway.pass(Duration.ofSeconds(31));
            assertThat(up.isClosed()).as("the idle limit").isTrue();
            assertThat(pool.open()).isZero();
        }
    }

    @Test
    void connectThatThrowsLeavesNoPlaceTaken() {
        PeerPool pool = PeerPool.dialOut("p", ONE, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            gateway.failConnects(0, new IllegalStateException("epoll_ctl: on purpose"));
            for (int i = 0; i < 3; i++) {
                MemoryPeer client = asks(gateway, 0, "/a");
                gateway.pass(Duration.ofSeconds(11));
                assertThat(client.takeText()).startsWith("HTTP/1.1 503 ");
                assertThat(pool.open()).isZero();
            }
            assertThat(pool.status().failed().get(PeerFault.NO_MEANS)).isPositive();
        }
    }

    /// The want of a descriptor here says nothing about an upstream.
    @Test
    void wantOfMeansLetsNoUpstreamRest() {
        Upstream upstream = upstream(1);
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            for (int i = 0; i < 5; i++) {
                MemoryPeer client = asks(gateway, 0, "/a");
                gateway.fail(0, new Network.NoMeans("Too many open files"));
                assertThat(client.takeText()).startsWith("HTTP/1.1 503 ");
            }
            assertThat(upstream.isUp(gateway.net(0).loop().nowNanos())).isTrue();
            assertThat(pool.status().failed()).containsEntry(PeerFault.NO_MEANS, 5L);
            assertThat(pool.status().refused()).containsEntry(Refusal.NO_MEANS, 5L);
            assertThat(pool.open()).isZero();
        }
    }

    @Test
    void queuesPastTheLimitOfConnectionsInOrder() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            MemoryPeer a = asks(gateway, 0, "/a");
            MemoryPeer one = gateway.accept(0);
            MemoryPeer b = asks(gateway, 0, "/b");
            MemoryPeer two = gateway.accept(0);
            MemoryPeer c = asks(gateway, 0, "/c");
            MemoryPeer d = asks(gateway, 0, "/d");
            assertThat(pool.status().queued()).isEqualTo(2);
            one.clear();
            answers(gateway, one, "A");
            assertThat(one.takeText()).isEqualTo("/c\n");
            two.clear();
            answers(gateway, two, "B");
            assertThat(two.takeText()).isEqualTo("/d\n");
            answers(gateway, one, "C");
            answers(gateway, two, "D");
            assertThat(a.text() + b.text() + c.text() + d.text()).contains("A", "B", "C", "D");
        }
    }

    @Test
    void triesTheOtherUpstreamIfNothingWasSentAndLetsTheFailedOneRest() {
        Upstream bad = upstream(1);
        Upstream good = upstream(2);
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(bad, good));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            for (int i = 0; i < 3; i++) {
                failsNow(gateway, bad);
            }
            assertThat(bad.isUp(gateway.net(0).loop().nowNanos())).isFalse();
            MemoryPeer client = asks(gateway, 0, "/a");
            assertThat(good.open()).as("the one that is up").isEqualTo(1);
            gateway.refuse(0);
            assertThat(bad.open()).as("then the other").isEqualTo(1);
            gateway.refuse(0);
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ");
            assertThat(pool.status().failed()).containsEntry(PeerFault.UNREACHABLE, 2L);
            gateway.pass(Duration.ofSeconds(4));
            assertThat(bad.isUp(gateway.net(0).loop().nowNanos())).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void upstreamThatIsNotUpIsNoWayOutIfTheOtherIsFull(boolean marked) {
        Upstream good = upstream(1);
        Upstream bad = upstream(2);
        PeerPool pool = PeerPool.dialOut("p", ONE, List.of(good, bad));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            if (marked) {
                bad.mark(false);
            }
            for (int i = 0; i < 3 && !marked; i++) {
                failsNow(gateway, bad);
            }
            MemoryPeer first = asks(gateway, 0, "/a");
            MemoryPeer up = gateway.accept(0);
            MemoryPeer second = asks(gateway, 0, "/b");
            assertThat(bad.open()).as("not tried").isZero();
            assertThat(pool.status().queued()).isEqualTo(1);
            up.clear();
            answers(gateway, up, "A");
            assertThat(up.takeText()).isEqualTo("/b\n");
            answers(gateway, up, "B");
            assertThat(first.takeText()).endsWith("A");
            assertThat(second.takeText()).endsWith("B");
        }
    }

    @Test
    void requestWaitsIfOneUpstreamRefusesAndTheOtherIsFullOnAnyLoop() {
        Upstream good = upstream(1);
        Upstream bad = upstream(2);
        PeerPool pool = PeerPool.dialOut("p", ONE, List.of(good, bad));
        try (GatewayInMemory gateway = gateway(2, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer up = gateway.accept(0);
            MemoryPeer here = asks(gateway, 0, "/b");
            gateway.refuse(0);
            MemoryPeer other = asks(gateway, 1, "/c");
            assertThat(pool.status().queued()).isEqualTo(2);
            assertThat(here.text() + other.text()).isEmpty();
            up.clear();
            answers(gateway, up, "A");
            assertThat(up.takeText()).isEqualTo("/b\n");
            gateway.refuse(1);
            assertThat(pool.status().queued()).isEqualTo(1);
            answers(gateway, up, "B");
            assertThat(up.takeText()).as("moved to the other loop").isEqualTo("/c\n");
            answers(gateway, up, "C");
            assertThat(here.takeText()).endsWith("B");
            assertThat(other.takeText()).endsWith("C");
            assertThat(pool.status().refusals()).isZero();
        }
    }

    @Test
    void requestThatWaitsAfterRefusalKeepsItsDeadline() {
        PoolLimits brief =
                ONE.with(draft -> {
                    draft.queueMax = 10;
                    draft.queueNanos = Duration.ofMillis(900).toNanos();
                });
        PeerPool pool = PeerPool.dialOut("p", brief, List.of(upstream(1), upstream(2)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer up = gateway.accept(0);
            MemoryPeer client = asks(gateway, 0, "/b");
            gateway.pass(Duration.ofMillis(500));
            gateway.refuse(0);
            gateway.pass(Duration.ofMillis(300));
            assertThat(client.text()).isEmpty();
            gateway.pass(Duration.ofMillis(200));
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ").contains("QUEUE_TIMEOUT");
            assertThat(pool.status().queued()).isZero();
            answers(gateway, up, "x");
        }
    }

    @Test
    void queueOfUpstreamThatEndsGoesToTheOther() {
        Upstream good = upstream(1);
        Upstream bad = upstream(2);
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(good, bad));
        try (GatewayInMemory gateway = gateway(2, pool)) {
            List<MemoryPeer> clients = new ArrayList<>();
            List<MemoryPeer> ups = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(asks(gateway, 0, "/" + i));
                ups.add(gateway.accept(0));
            }
            for (int i = 4; i < 20; i++) {
                clients.add(asks(gateway, i % 2, "/" + i));
            }
            assertThat(pool.status().queued()).isEqualTo(16);
            ups.get(1).reset();
            ups.get(3).reset();
            gateway.run();
            assertThat(bad.open()).as("it is tried for two requests").isEqualTo(2);
            gateway.refuse(0); // the oldest requests are on different loops
            gateway.refuse(1);
            assertThat(bad.open()).isZero();
            assertThat(pool.status().queued()).as("none is lost").isEqualTo(16);
            answers(gateway, ups.get(2), "x");
            for (int i = 0; i < 16; i++) {
                answers(gateway, ups.get(0), "x");
            }
            answers(gateway, ups.get(2), "x");
            for (int i = 0; i < clients.size(); i++) {
                int status = i == 1 || i == 3 ? 502 : 200;
                assertThat(clients.get(i).text()).startsWith("HTTP/1.1 " + status);
            }
            assertThat(pool.status().served()).as("none is answered twice").isEqualTo(18);
            assertThat(pool.status().queued()).isZero();
        }
    }

    @Test
    void requestIsRefusedAfterTheOtherUpstreamHasEndedToo() {
        PeerPool pool = PeerPool.dialOut("p", ONE, List.of(upstream(1), upstream(2)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer up = gateway.accept(0);
            MemoryPeer client = asks(gateway, 0, "/b");
            gateway.refuse(0);
            up.reset();
            gateway.run();
            gateway.refuse(0);
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ").contains("UNREACHABLE");
            assertThat(pool.status().queued()).isZero();
            assertThat(pool.open()).isZero();
        }
    }

    @Test
    void requestThatWaitsTriesUpstreamAgainAfterItsRest() {
        Upstream full = upstream(1);
        Upstream rested = upstream(2);
        PeerPool pool = PeerPool.dialOut("p", ONE, List.of(full, rested));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer busy = gateway.accept(0);
            for (int i = 0; i < 3; i++) {
                failsNow(gateway, rested);
            }
            MemoryPeer client = asks(gateway, 0, "/b");
            assertThat(rested.open()).isZero();
            gateway.pass(Duration.ofMillis(2100));
            MemoryPeer up = gateway.accept(0);
            assertThat(up.takeText()).isEqualTo("/b\n");
            answers(gateway, up, "B");
            assertThat(client.takeText()).endsWith("B");
            answers(gateway, busy, "A");
        }
    }

    @Test
    void requestsThatOneRestartEndsMakeUpstreamRestOnce() {
        Upstream one = upstream(1);
        PeerPool pool =
                PeerPool.dialOut(
                        "p", LIMITS.with(draft -> draft.connectionsMax = 10), List.of(one));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            List<MemoryPeer> ups = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                asks(gateway, 0, "/a");
                ups.add(gateway.accept(0));
            }
            ups.forEach(MemoryPeer::reset);
            gateway.run();
            assertThat(pool.status().failed()).containsEntry(PeerFault.LOST, 10L);
            assertThat(one.isUp(gateway.net(0).loop().nowNanos())).isFalse();
            gateway.pass(Duration.ofMillis(1100));
            assertThat(one.isUp(gateway.net(0).loop().nowNanos())).isTrue();
        }
    }

    @Test
    void spreadsRequestsOverEqualUpstreams() {
        Upstream first = upstream(1);
        Upstream second = upstream(2);
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(first, second));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer one = gateway.accept(0);
            asks(gateway, 0, "/b");
            MemoryPeer two = gateway.accept(0);
            assertThat(first.busy()).isEqualTo(1);
            assertThat(second.busy()).isEqualTo(1);
            answers(gateway, one, "x");
            answers(gateway, two, "x");
        }
    }

    @Test
    void upstreamsTakeTurnsAndKeepOneConnectionEach() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1), upstream(2)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer one = gateway.accept(0);
            answers(gateway, one, "x");
            asks(gateway, 0, "/b");
            MemoryPeer two = gateway.accept(0);
            answers(gateway, two, "x");
            for (String path : List.of("/c", "/d", "/e", "/f")) {
                one.clear();
                two.clear();
                asks(gateway, 0, path);
                boolean first = path.equals("/c") || path.equals("/e");
                assertThat((first ? one : two).takeText()).as(path).isEqualTo(path + "\n");
                answers(gateway, first ? one : two, "x");
            }
            assertThat(pool.open()).isEqualTo(2);
        }
    }

    @Test
    void connectWithoutAnswerIsAFailureAndTheNextUpstreamIsTried() {
        Upstream silent = upstream(1);
        Upstream good = upstream(2);
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(silent, good));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            MemoryPeer client = asks(gateway, 0, "/a");
            assertThat(silent.open()).isEqualTo(1);
            gateway.pass(Duration.ofSeconds(6));
            assertThat(pool.status().failed()).containsEntry(PeerFault.UNREACHABLE, 1L);
            assertThat(silent.open()).as("the attempt has ended").isZero();
            assertThat(good.open()).isEqualTo(1);
            MemoryPeer up = gateway.accept(0);
            assertThat(up.takeText()).isEqualTo("/a\n");
            answers(gateway, up, "x");
            assertThat(client.takeText()).endsWith("x");
        }
    }

    @Test
    void upstreamThatEndsEachConnectionIsRefusedAndCounted() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            MemoryPeer client = asks(gateway, 0, "/a");
            gateway.acceptAndEnd(0);
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ").contains("UNREACHABLE");
            assertThat(pool.status().failed())
                    .containsEntry(PeerFault.UNREACHABLE, 1L)
                    .containsEntry(PeerFault.LOST, 0L);
            assertThat(pool.open()).isZero();
            assertThat(pool.status().queued()).isZero();
        }
    }

    @Test
    void connectionThatIsNotAnsweredEndsTheWait() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            MemoryPeer client = asks(gateway, 0, "/a");
            gateway.pass(Duration.ofSeconds(6));
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ").contains("UNREACHABLE");
            assertThat(pool.open()).isZero();
            MemoryPeer next = asks(gateway, 0, "/b");
            MemoryPeer up = gateway.accept(0);
            assertThat(up.takeText()).isEqualTo("/b\n");
            answers(gateway, up, "x");
            assertThat(next.takeText()).endsWith("x");
        }
    }

    @Test
    void connectionForAClientThatHasLeftServesTheNextOrEndsInTime() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            asks(gateway, 0, "/a").reset();
            asks(gateway, 0, "/b").reset();
            gateway.run();
            assertThat(pool.open()).isEqualTo(2);
            MemoryPeer late = gateway.accept(0);
            assertThat(late.length()).isZero();
            gateway.pass(Duration.ofSeconds(6));
            assertThat(pool.open()).as("without the second").isEqualTo(1);
            MemoryPeer next = asks(gateway, 0, "/c");
            assertThat(late.takeText()).isEqualTo("/c\n");
            answers(gateway, late, "x");
            assertThat(next.takeText()).endsWith("x");
        }
    }

    @Test
    void connectionThatHasRestedShortestIsTakenAndOthersReachTheIdleLimit() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer first = gateway.accept(0);
            asks(gateway, 0, "/b");
            MemoryPeer latest = gateway.accept(0);
            answers(gateway, first, "a");
            answers(gateway, latest, "b");
            for (int i = 0; i < 3; i++) {
                gateway.pass(Duration.ofSeconds(9));
                first.clear();
                latest.clear();
                asks(gateway, 0, "/c");
                assertThat(first.length()).isZero();
                assertThat(latest.takeText()).isEqualTo("/c\n");
                answers(gateway, latest, "c");
            }
            gateway.pass(Duration.ofSeconds(9));
            assertThat(first.isClosed()).isTrue();
            assertThat(latest.isClosed()).isFalse();
        }
    }

    @Test
    void idlePeerOfAnotherLoopMovesInsteadOfANewConnection() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(2, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer up = gateway.accept(0);
            up.clear();
            answers(gateway, up, "x");
            MemoryPeer client = asks(gateway, 1, "/b");
            assertThat(up.takeText()).isEqualTo("/b\n");
            answers(gateway, up, "moved");
            assertThat(client.takeText()).endsWith("moved");
            assertThat(pool.open()).isEqualTo(1);
        }
    }

    @Test
    void drainedPoolRefusesAndClosesIdlePeers() {
        PeerPool pool = PeerPool.dialOut("p", LIMITS, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            MemoryPeer busy = asks(gateway, 0, "/a");
            MemoryPeer up = gateway.accept(0);
            pool.drain();
            gateway.run();
            assertThat(up.isClosed()).isFalse();
            assertThat(asks(gateway, 0, "/b").takeText()).startsWith("HTTP/1.1 503 ");
            answers(gateway, up, "last");
            assertThat(busy.takeText()).endsWith("last");
            assertThat(up.isClosed()).isTrue();
        }
    }

    @Test
    void retiredPoolKeepsNoIdlePeerButServes() {
        PeerPool pool = PeerPool.dialOut("p", ONE, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(2, pool)) {
            asks(gateway, 0, "/idle");
            MemoryPeer idle = gateway.accept(0);
            answers(gateway, idle, "x");
            assertThat(pool.open()).isEqualTo(1);
            pool.retire();
            gateway.run();
            assertThat(idle.isClosed()).isTrue();
            MemoryPeer late = asks(gateway, 0, "/late");
            MemoryPeer up = gateway.accept(0);
            MemoryPeer waits = asks(gateway, 1, "/waits");
            assertThat(pool.status().queued()).isOne();
            up.clear();
            answers(gateway, up, "late");
            assertThat(late.takeText()).endsWith("late");
            assertThat(up.takeText()).as("the same connection").isEqualTo("/waits\n");
            answers(gateway, up, "waited");
            assertThat(waits.takeText()).endsWith("waited");
            assertThat(up.isClosed()).isTrue();
            assertThat(pool.open()).isZero();
            assertThat(pool.status().refusals()).isZero();
        }
    }

    @Test
    void newLimitsCountForRequestsThatWait() {
        PeerPool pool = PeerPool.dialOut("p", ONE, List.of(upstream(1)));
        try (GatewayInMemory gateway = gateway(1, pool)) {
            asks(gateway, 0, "/a");
            MemoryPeer one = gateway.accept(0);
            asks(gateway, 0, "/b");
            assertThat(pool.status().queued()).isOne();
            pool.limits(LIMITS.with(draft -> draft.queueMax = 1));
            gateway.run();
            MemoryPeer two = gateway.accept(0);
            assertThat(two.takeText()).isEqualTo("/b\n");
            asks(gateway, 0, "/c");
            assertThat(asks(gateway, 0, "/d").takeText())
                    .startsWith("HTTP/1.1 503 ")
                    .contains("QUEUE_FULL");
            answers(gateway, one, "x");
            answers(gateway, one, "x");
            answers(gateway, two, "x");
        }
    }
}
