package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// An upstream whose host has several addresses.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class UpstreamAddressesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final SocketAddress FIRST = at(1);
    private static final SocketAddress SECOND = at(2);

    private final Upstream upstream =
            new Upstream(List.of(FIRST, SECOND), "up", Upstream.Share.EQUAL, null);
    private final PeerPool pool =
            PeerPool.dialOut(
                    "p",
                    PoolLimits.DIAL_OUT.with(
                            draft -> draft.connectNanos = TimeUnit.SECONDS.toNanos(4)),
                    List.of(upstream));
    private final GatewayInMemory gateway = GatewayInMemory.proxying(pool, false);

    @Test
    void requestGoesToTheSecondIfTheFirstRefuses() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            client.send(GET);
            gateway.run();
            gateway.refuse(0);
            answer();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").endsWith("ok");
            assertThat(pool.status().failures()).isZero();
        }
    }

    @Test
    void addressThatAnsweredIsTriedFirstFromThenOn() {
        try (gateway) {
            assertThat(upstream.addresses()).containsExactly(FIRST, SECOND);
            MemoryPeer client = gateway.client(0);
            client.send(GET);
            gateway.run();
            gateway.refuse(0);
            answer();
            assertThat(upstream.addresses()).containsExactly(SECOND, FIRST);
        }
    }

    @Test
    void addressThatDoesNotAnswerGetsItsPartOfTheTime() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            client.send(GET);
            gateway.run();
            gateway.pass(Duration.ofMillis(1900));
            assertThat(upstream.addresses()).containsExactly(FIRST, SECOND);
            gateway.pass(Duration.ofMillis(200));
            answer(); // the first is no longer waited for, so this accepts the second
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            assertThat(upstream.addresses()).containsExactly(SECOND, FIRST);
        }
    }

    @Test
    void requestFailsIfAllRefuseOrTheTimeIsOver() {
        try (gateway) {
            MemoryPeer client = gateway.client(0);
            client.send(GET);
            gateway.run();
            gateway.refuse(0);
            assertThat(client.takeText()).isEmpty();
            gateway.pass(Duration.ofMillis(4100)); // of the second
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(upstream.open()).isZero();
        }
    }

    @Test
    void checkPassesAtTheSecondAddress() {
        Step head = new Step.ReadUntil("\r\n\r\n");
        try (DeadPort dead = DeadPort.open();
                ScriptedPeer peer = ScriptedPeer.playing(head, Step.Send.of(OK))) {
            Upstream both =
                    new Upstream(
                            List.of(dead.address(), peer.address()),
                            "up",
                            Upstream.Share.EQUAL,
                            null);
            long minute = TimeUnit.MINUTES.toNanos(1);
            try (HealthChecks _ = HealthChecks.start(List.of(both), "/", "h", minute, minute)) {
                Await.until(
                        "it is asked first from then on",
                        () -> both.addresses().getFirst().equals(peer.address()));
            }
        }
    }

    private void answer() {
        MemoryPeer up = gateway.accept(0);
        up.send(OK);
        gateway.run();
    }

    private static SocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
