package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.net.memory.MemoryPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that last as long as their clients want leave the connections of the mount to others.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class LastingRequestsTest {
    private static final String REQUEST =
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
    private static final String TUNNEL =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
    private static final String EVENTS =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n8\r\ndata: 1\n\r\n";

    private final PeerPool pool =
            GatewayInMemory.pool(PoolLimits.DIAL_OUT.with(draft -> draft.connectionsMax = 1));

    private final GatewayInMemory gateway = GatewayInMemory.proxying(pool, false);

    @ParameterizedTest
    @ValueSource(strings = {TUNNEL, EVENTS})
    void othersAreServedBesideThem(String answer) {
        try (gateway) {
            MemoryPeer one = lasting(answer);
            MemoryPeer two = lasting(answer);
            MemoryPeer client = asked("GET /short HTTP/1.1\r\nHost: h\r\n\r\n");
            MemoryPeer up = answered();
            assertThat(client.takeText()).endsWith("short");
            assertThat(pool.open()).isEqualTo(3);
            one.reset();
            two.reset();
            gateway.run();
            assertThat(pool.open()).isEqualTo(1);
            // The place of the third one is still taken.
            client.send("GET /again HTTP/1.1\r\nHost: h\r\n\r\n");
            MemoryPeer other = asked("GET /waits HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(pool.status().queued()).isEqualTo(1);
            up.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain");
            gateway.run();
            assertThat(client.takeText()).endsWith("again");
            assertThat(other.takeText()).isEmpty();
            up.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwaits");
            gateway.run();
            assertThat(other.takeText()).endsWith("waits");
        }
    }

    /// It is waiting already when the place becomes free.
    @Test
    void requestThatWaitsIsConnectedFor() {
        try (gateway) {
            MemoryPeer client = asked(REQUEST);
            MemoryPeer up = gateway.accept(0);
            MemoryPeer other = asked("GET /short HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(pool.status().queued()).isEqualTo(1);
            up.send(TUNNEL);
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 101 ");
            MemoryPeer _ = answered();
            assertThat(other.takeText()).endsWith("short");
        }
    }

    /// Its place belongs to another one.
    @Test
    void connectionOfAStreamOfEventsServesNoOtherRequest() {
        try (gateway) {
            MemoryPeer client = asked(REQUEST);
            MemoryPeer up = gateway.accept(0);
            up.send(EVENTS + "0\r\n\r\n");
            gateway.run();
            assertThat(client.takeText()).endsWith("0\r\n\r\n");
            assertThat(up.isClosed()).isTrue();
            assertThat(pool.open()).isZero();
        }
    }

    /// It would hide how fast the others are answered.
    @Test
    void durationOfAStreamOfEventsIsNoTimeOfAnAnswer() {
        try (gateway) {
            MemoryPeer client = asked(REQUEST);
            MemoryPeer up = gateway.accept(0);
            up.send(EVENTS + "0\r\n\r\n");
            gateway.run();
            assertThat(client.takeText()).endsWith("0\r\n\r\n");
            MemoryPeer _ = asked("GET /short HTTP/1.1\r\nHost: h\r\n\r\n");
            MemoryPeer _ = answered();
            assertThat(pool.status().served()).isEqualTo(2);
            assertThat(pool.status().times().count()).isEqualTo(1);
        }
    }

    /// Its end is known, so it does not last.
    @Test
    void eventsOfKnownLengthKeepTheirConnection() {
        try (gateway) {
            MemoryPeer client = asked(REQUEST);
            MemoryPeer up = gateway.accept(0);
            up.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                            + "Content-Length: 8\r\n\r\ndata: 1\n");
            gateway.run();
            assertThat(client.takeText()).endsWith("data: 1\n");
            assertThat(up.isClosed()).isFalse();
            assertThat(pool.open()).isEqualTo(1);
        }
    }

    /// Returns the client of a request that lasts.
    private MemoryPeer lasting(String answer) {
        MemoryPeer client = asked(REQUEST);
        gateway.accept(0).send(answer);
        gateway.run();
        assertThat(client.takeText()).startsWith("HTTP/1.1 ");
        return client;
    }

    private MemoryPeer asked(String request) {
        MemoryPeer client = gateway.client(0);
        client.send(request);
        gateway.run();
        return client;
    }

    /// Returns the upstream's side of a new connection whose request was answered.
    private MemoryPeer answered() {
        MemoryPeer up = gateway.accept(0);
        assertThat(up.takeText()).startsWith("GET /short ");
        up.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort");
        gateway.run();
        return up;
    }
}
