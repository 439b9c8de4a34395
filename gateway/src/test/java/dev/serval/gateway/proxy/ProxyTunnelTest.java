package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.net.memory.MemoryPeer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The two directions of an upgraded connection: each flows, pauses and ends by itself.
final class ProxyTunnelTest {
    /// More than a direction may hold while its receiver takes nothing.
    private static final int MUCH = 1_000_000;

    private final PeerPool pool = GatewayInMemory.pool(PoolLimits.DIAL_OUT);

    private final GatewayInMemory gateway = GatewayInMemory.proxying(pool, false);

    @Test
    void clientEndsItsHalfFirst() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            client.send("last");
            client.end();
            run();
            assertThat(up.takeText()).isEqualTo("last");
            assertThat(up.sawEnd()).isTrue();
            assertThat(client.sawEnd()).isFalse();
            up.send("still here");
            run();
            assertThat(client.takeText()).isEqualTo("still here");
            up.send("bye");
            up.end();
            run();
            assertThat(client.takeText()).isEqualTo("bye");
            assertOverWithoutFault(client);
        }
    }

    @Test
    void upstreamEndsItsHalfFirst() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            up.send("last");
            up.end();
            run();
            assertThat(client.takeText()).isEqualTo("last");
            assertThat(client.sawEnd()).isTrue();
            assertThat(up.sawEnd()).isFalse();
            client.send("still here");
            run();
            assertThat(up.takeText()).isEqualTo("still here");
            client.send("bye");
            client.end();
            run();
            assertThat(up.takeText()).isEqualTo("bye");
            assertOverWithoutFault(client);
        }
    }

    @Test
    void clientThatTakesNothingPausesOnlyItsDirection() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            client.window(0);
            up.send("a".repeat(MUCH));
            run();
            assertThat(up.unread()).as("bytes that wait in the upstream").isPositive();
            client.send("question");
            run();
            assertThat(up.takeText()).isEqualTo("question");
            client.window(Integer.MAX_VALUE);
            run();
            assertThat(client.takeText()).isEqualTo("a".repeat(MUCH));
            end(client, up);
        }
    }

    @Test
    void upstreamThatTakesNothingPausesOnlyItsDirection() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            up.window(0);
            client.send("a".repeat(MUCH));
            run();
            assertThat(client.unread()).as("bytes that wait in the client").isPositive();
            up.send("notice");
            run();
            assertThat(client.takeText()).isEqualTo("notice");
            up.window(Integer.MAX_VALUE);
            run();
            assertThat(up.takeText()).isEqualTo("a".repeat(MUCH));
            end(client, up);
        }
    }

    @Test
    void pausedDirectionEndsAfterItsLastByte() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            client.window(0);
            up.send("a".repeat(MUCH));
            up.end();
            client.end();
            run();
            assertThat(client.sawEnd()).isFalse();
            client.window(Integer.MAX_VALUE);
            run();
            assertThat(client.takeText()).isEqualTo("a".repeat(MUCH));
            assertOverWithoutFault(client);
        }
    }

    @Test
    void resetOfTheClientEndsBothDirections() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            client.reset();
            run();
            assertThat(up.sawReset()).isTrue();
            assertThat(pool.status().failed()).containsEntry(PeerFault.ABANDONED, 1L);
            assertThat(pool.open()).isZero();
        }
    }

    @Test
    void resetOfTheUpstreamEndsBothDirections() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            up.reset();
            run();
            assertThat(client.isClosed()).isTrue();
            assertThat(pool.status().failed()).containsEntry(PeerFault.LOST, 1L);
            assertThat(pool.open()).isZero();
        }
    }

    @Test
    void lossAfterTheEndOfTheUpstreamKeepsItsLastBytes() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            client.window(0);
            up.send("last");
            up.end();
            run();
            up.reset();
            client.send("lost");
            run();
            assertThat(pool.open()).isZero();
            client.window(Integer.MAX_VALUE);
            run();
            assertThat(client.takeText()).isEqualTo("last");
            assertThat(client.sawReset()).isFalse();
        }
    }

    @Test
    void bytesInOneDirectionKeepTheTunnel() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(client);
            gateway.pass(Duration.ofMinutes(6));
            up.send("tick");
            gateway.pass(Duration.ofMinutes(6));
            assertThat(client.takeText()).isEqualTo("tick");
            assertThat(client.isClosed()).isFalse();
            gateway.pass(Duration.ofMinutes(5));
            assertThat(client.isClosed()).isTrue();
            assertThat(pool.open()).isZero();
        }
    }

    /// Turns the loop until a megabyte has passed.
    private void run() {
        for (int i = 0; i < 20; i++) {
            gateway.run();
        }
    }

    private MemoryPeer upgraded(MemoryPeer client) {
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
        run();
        MemoryPeer up = gateway.accept(0);
        assertThat(up.takeText()).startsWith("GET / ");
        up.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
        run();
        assertThat(client.takeText()).startsWith("HTTP/1.1 101 ");
        return up;
    }

    private void end(MemoryPeer client, MemoryPeer up) {
        up.end();
        client.end();
        run();
        assertOverWithoutFault(client);
    }

    private void assertOverWithoutFault(MemoryPeer client) {
        assertThat(client.isClosed()).isTrue();
        assertThat(pool.open()).isZero();
        assertThat(pool.status().served()).isEqualTo(1);
        assertThat(pool.status().failed().values()).containsOnly(0L);
    }
}
