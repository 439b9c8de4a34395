package dev.serval.gateway.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.peer.Upstream.Share;
import dev.serval.handler.Handler;
import dev.serval.net.memory.MemoryPeer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Upstreams with weights, backups, and requests that are bound to one of them. A path such as `/2`
/// binds the request to the upstream of that number.
final class UpstreamChoiceTest {
    private static final PoolLimits MANY =
            PoolLimits.DIAL_OUT.with(draft -> draft.connectionsMax = 1000);
    private static final PoolLimits ONE =
            PoolLimits.DIAL_OUT.with(draft -> draft.connectionsMax = 1);

    private final List<Upstream> upstreams = new ArrayList<>();
    private final List<MemoryPeer> clients = new ArrayList<>();

    private PeerPool pool(PoolLimits limits, Share... shares) {
        for (Share share : shares) {
            int port = upstreams.size() + 1;
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            upstreams.add(new Upstream(address, "up" + port, share));
        }
        return PeerPool.dialOut("p", limits, upstreams);
    }

    private static GatewayInMemory gateway(PeerPool pool) {
        return gateway(1, pool);
    }

    private static GatewayInMemory gateway(int loops, PeerPool pool) {
        Handler handler =
                x -> {
                    String path = x.request().target().path().text();
                    int bound = path.matches("/\\d") ? path.charAt(1) - '0' : -1;
                    new LineRequest(EngineExchange.of(x), pool, bound).begin();
                };
        return new GatewayInMemory(loops, new LrwpAgent(LrwpSettings.DEFAULT), handler);
    }

    private MemoryPeer asks(GatewayInMemory gateway, int loop, String path) {
        MemoryPeer client = gateway.client(loop);
        client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
        gateway.run();
        clients.add(client);
        return client;
    }

    private MemoryPeer asks(GatewayInMemory gateway, String path) {
        return asks(gateway, 0, path);
    }

    private static void answers(GatewayInMemory gateway, MemoryPeer up) {
        up.send("x\n");
        gateway.run();
    }

    private static Share weight(int weight) {
        return new Share(weight, false);
    }

    private static Share backup() {
        return new Share(1, true);
    }

    private int[] busy() {
        return upstreams.stream().mapToInt(Upstream::busy).toArray();
    }

    /// Each request stays open, so the load grows.
    @ParameterizedTest
    @CsvSource({"1, 1, 20, 20", "3, 1, 30, 10", "1, 3, 10, 30", "1000, 250, 32, 8"})
    void requestsInProgressFollowTheWeights(int first, int second, int ofFirst, int ofSecond) {
        PeerPool pool = pool(MANY, weight(first), weight(second));
        try (GatewayInMemory gateway = gateway(pool)) {
            for (int i = 0; i < ofFirst + ofSecond; i++) {
                asks(gateway, "/");
                gateway.accept(0);
            }
            assertThat(busy()).containsExactly(ofFirst, ofSecond);
        }
    }

    /// One request after the other, so no upstream is busy when the next one comes.
    @ParameterizedTest
    @CsvSource({"1, 1, 20, 20", "3, 1, 30, 10", "1, 3, 10, 30", "7, 3, 28, 12"})
    void requestsInTurnFollowTheWeights(int first, int second, int ofFirst, int ofSecond) {
        PeerPool pool = pool(MANY, weight(first), weight(second));
        int[] served = new int[2];
        try (GatewayInMemory gateway = gateway(pool)) {
            List<MemoryPeer> ups = new ArrayList<>();
            for (int i = 0; i < ofFirst + ofSecond; i++) {
                asks(gateway, "/");
                if (pool.open() > ups.size()) {
                    ups.add(gateway.accept(0));
                }
                served[busy()[0] == 1 ? 0 : 1]++;
                answersAll(gateway, ups);
            }
        }
        assertThat(served).containsExactly(ofFirst, ofSecond);
    }

    private static void answersAll(GatewayInMemory gateway, List<MemoryPeer> ups) {
        for (MemoryPeer up : ups) {
            if (up.length() > 0) {
                up.clear();
                answers(gateway, up);
            }
        }
    }

    @Test
    void weightsAreSmooth() {
        PeerPool pool = pool(MANY, weight(3), weight(1));
        StringBuilder order = new StringBuilder();
        try (GatewayInMemory gateway = gateway(pool)) {
            for (int i = 0; i < 8; i++) {
                int before = busy()[0];
                asks(gateway, "/");
                gateway.accept(0);
                order.append(busy()[0] > before ? 'a' : 'b');
            }
        }
        assertThat(order.substring(0, 4)).containsOnlyOnce("b");
        assertThat(order.substring(4)).containsOnlyOnce("b");
    }

    @Test
    void upstreamThatReturnsGetsNoMoreThanItsTurns() {
        PeerPool pool = pool(MANY, weight(1), weight(1));
        try (GatewayInMemory gateway = gateway(pool)) {
            upstreams.get(1).mark(false);
            MemoryPeer up = null;
            for (int i = 0; i < 20; i++) {
                asks(gateway, "/");
                up = up == null ? gateway.accept(0) : up;
                up.clear();
                answers(gateway, up);
            }
            upstreams.get(1).mark(true);
            for (int i = 0; i < 10; i++) {
                int open = pool.open();
                asks(gateway, "/");
                if (pool.open() > open) {
                    gateway.accept(0);
                }
            }
            assertThat(busy()).containsExactly(5, 5);
        }
    }

    @Test
    void weightOfZeroGetsNoNewRequests() {
        PeerPool pool = pool(ONE, weight(0), weight(1));
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway, "/");
            MemoryPeer up = gateway.accept(0);
            asks(gateway, "/");
            assertThat(busy()).containsExactly(0, 1);
            assertThat(upstreams.getFirst().open()).isZero();
            assertThat(pool.status().queued()).isOne();
            answers(gateway, up);
            answers(gateway, up);
        }
    }

    @Test
    void weightOfZeroGetsNoNewRequestsEvenIfAllOthersAreDown() {
        PeerPool pool = pool(ONE, weight(0), weight(1));
        try (GatewayInMemory gateway = gateway(pool)) {
            MemoryPeer client = asks(gateway, "/");
            gateway.refuse(0);
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ").contains("UNREACHABLE");
            assertThat(upstreams.getFirst().open()).isZero();
        }
    }

    /// An idle connection of such an upstream is no reason to wait.
    @Test
    void idleConnectionOfWeightZeroServesOnlyWhatIsBoundToIt() {
        PeerPool pool = pool(ONE, weight(0), weight(1));
        try (GatewayInMemory gateway = gateway(2, pool)) {
            asks(gateway, 0, "/0");
            MemoryPeer drained = gateway.accept(0);
            drained.clear();
            answers(gateway, drained);
            MemoryPeer here = asks(gateway, 0, "/");
            MemoryPeer up = gateway.accept(0);
            assertThat(up.takeText()).isEqualTo("/\n");
            MemoryPeer there = asks(gateway, 1, "/");
            assertThat(pool.status().queued()).isOne();
            answers(gateway, up);
            assertThat(here.takeText()).endsWith("x");
            answers(gateway, up);
            assertThat(there.takeText()).endsWith("x");
            assertThat(drained.length()).isZero();
            MemoryPeer bound = asks(gateway, 1, "/0");
            assertThat(drained.takeText()).as("moved to the other loop").isEqualTo("/0\n");
            answers(gateway, drained);
            assertThat(bound.takeText()).endsWith("x");
        }
    }

    @Test
    void backupServesOnlyWhileNoOtherIsUp() {
        PeerPool pool = pool(ONE, weight(1), backup());
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway, "/");
            MemoryPeer up = gateway.accept(0);
            asks(gateway, "/");
            assertThat(pool.status().queued()).as("busy is not down").isOne();
            answers(gateway, up);
            answers(gateway, up);
            upstreams.getFirst().mark(false);
            MemoryPeer client = asks(gateway, "/");
            MemoryPeer spare = gateway.accept(0);
            assertThat(busy()).containsExactly(0, 1);
            answers(gateway, spare);
            assertThat(client.takeText()).endsWith("x");
            upstreams.getFirst().mark(true);
            asks(gateway, "/");
            assertThat(busy()).containsExactly(1, 0);
            answers(gateway, up);
        }
    }

    @Test
    void requestThatCannotConnectGoesToTheBackup() {
        PeerPool pool = pool(ONE, weight(1), backup());
        try (GatewayInMemory gateway = gateway(pool)) {
            MemoryPeer client = asks(gateway, "/");
            gateway.refuse(0);
            MemoryPeer spare = gateway.accept(0);
            assertThat(busy()).containsExactly(0, 1);
            answers(gateway, spare);
            assertThat(client.takeText()).endsWith("x");
        }
    }

    @Test
    void ifAllRestTheLeastBusyIsTriedAndBackupsCount() {
        PeerPool pool = pool(MANY, weight(1), backup());
        try (GatewayInMemory gateway = gateway(pool)) {
            upstreams.forEach(one -> one.mark(false));
            for (int i = 0; i < 4; i++) {
                asks(gateway, "/");
                gateway.accept(0);
            }
            assertThat(busy()).containsExactly(2, 2);
        }
    }

    @Test
    void newShareCountsForTheNextRequest() {
        PeerPool pool = pool(MANY, weight(1), weight(1));
        try (GatewayInMemory gateway = gateway(pool)) {
            upstreams.getFirst().share(weight(0));
            for (int i = 0; i < 4; i++) {
                asks(gateway, "/");
                gateway.accept(0);
            }
            assertThat(busy()).containsExactly(0, 4);
        }
    }

    @Test
    void boundRequestsGoToTheirUpstream() {
        PeerPool pool = pool(MANY, weight(1), weight(0), backup());
        try (GatewayInMemory gateway = gateway(pool)) {
            for (int i = 0; i < 3; i++) {
                asks(gateway, "/1");
                gateway.accept(0);
                asks(gateway, "/2");
                gateway.accept(0);
            }
            assertThat(busy()).containsExactly(0, 3, 3);
        }
    }

    @Test
    void boundRequestWaitsForItsUpstreamWhileOthersPassIt() {
        PeerPool pool = pool(ONE, weight(1), weight(1));
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway, "/0");
            MemoryPeer first = gateway.accept(0);
            MemoryPeer waits = asks(gateway, "/0");
            MemoryPeer other = asks(gateway, "/");
            MemoryPeer second = gateway.accept(0);
            assertThat(second.takeText()).as("a connection is opened").isEqualTo("/\n");
            answers(gateway, second);
            assertThat(other.takeText()).endsWith("x");
            MemoryPeer next = asks(gateway, "/");
            assertThat(second.takeText()).as("an idle one is used").isEqualTo("/\n");
            answers(gateway, second);
            assertThat(next.takeText()).endsWith("x");
            assertThat(pool.status().queued()).isOne();
            first.clear();
            answers(gateway, first);
            assertThat(first.takeText()).isEqualTo("/0\n");
            answers(gateway, first);
            assertThat(waits.takeText()).endsWith("x");
        }
    }

    @Test
    void boundRequestGoesElsewhereIfItsUpstreamIsDown() {
        PeerPool pool = pool(ONE, weight(1), weight(1));
        try (GatewayInMemory gateway = gateway(pool)) {
            upstreams.getFirst().mark(false);
            asks(gateway, "/0");
            gateway.accept(0);
            assertThat(busy()).containsExactly(0, 1);
        }
    }

    @Test
    void boundRequestThatCannotConnectGoesElsewhere() {
        PeerPool pool = pool(ONE, weight(1), weight(1));
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway, "/0");
            gateway.refuse(0);
            gateway.accept(0);
            assertThat(busy()).containsExactly(0, 1);
        }
    }

    @Test
    void boundRequestThatWaitsGoesElsewhereOnceItsUpstreamIsDown() {
        PeerPool pool = pool(ONE, weight(1), weight(1));
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway, "/0");
            MemoryPeer first = gateway.accept(0);
            asks(gateway, "/0");
            assertThat(busy()).containsExactly(1, 0);
            upstreams.getFirst().mark(false);
            gateway.pass(Duration.ofMillis(1100));
            MemoryPeer second = gateway.accept(0);
            assertThat(second.takeText()).isEqualTo("/0\n");
            answers(gateway, second);
            answers(gateway, first);
        }
    }

    @Test
    void poolNeedsAnUpstreamForNewRequests() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool(ONE, weight(0), weight(0)))
                .withMessageContaining("weight");
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1000, true", "-1, false", "1001, false"})
    void weightIsFrom0To1000(int weight, boolean valid) {
        if (valid) {
            assertThat(weight(weight).weight()).isEqualTo(weight);
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> weight(weight));
        }
    }
}
