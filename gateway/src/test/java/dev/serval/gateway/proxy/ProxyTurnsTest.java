package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.net.memory.MemoryPeer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What client and upstream do in the same turn of the loop.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class ProxyTurnsTest {
    private static final int LENGTH = 300_000;
    private static final String TOO_LARGE =
            "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig";

    private static final int READS_PER_TURN = 16; // of a connection

    private final PeerPool pool = pool(PoolLimits.DIAL_OUT);

    private final ProxyHandler handler = streaming(pool);

    private static ProxyHandler streaming(PeerPool pool) {
        return new ProxyHandler(
                pool,
                ProxyTarget.DEFAULT,
                new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), false));
    }

    private static PeerPool pool(PoolLimits limits) {
        return GatewayInMemory.pool(limits);
    }

    private GatewayInMemory gateway() {
        return gateway(handler);
    }

    private static GatewayInMemory gateway(ProxyHandler handler) {
        return new GatewayInMemory(1, new LrwpAgent(LrwpSettings.DEFAULT), handler);
    }

    /// What follows is in the system's buffer, because its connection is read no more in this turn.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatFollowsAnAnswerWithTheLastReadOfATurnReachesNoOtherClient(boolean ends) {
        PeerPool one = pool(PoolLimits.DIAL_OUT.with(draft -> draft.connectionsMax = 1));
        try (GatewayInMemory gateway = gateway(streaming(one))) {
            MemoryPeer first = gateway.client(0);
            first.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            MemoryPeer second = gateway.client(0);
            second.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
            gateway.run();
            up.clear();
            String answer = "HTTP/1.1 200 OK\r\nContent-Length: 89\r\n\r\n" + "a".repeat(89);
            up.pieces(answer.length() / READS_PER_TURN);
            up.send(answer);
            if (ends) {
                up.end();
            } else {
                up.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL");
            }
            gateway.run();
            assertThat(first.takeText()).startsWith("HTTP/1.1 200 ").endsWith("aaa");
            assertThat(up.length()).as("the second request").isZero();
            assertThat(up.isClosed()).isTrue();
            MemoryPeer other = gateway.accept(0);
            other.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood");
            gateway.run();
            assertThat(second.takeText()).endsWith("good");
            assertThat(one.status().failed()).containsEntry(PeerFault.UNASKED, ends ? 0L : 1L);
        }
    }

    @Test
    void whatReadsAnAnswerIsUsedForTheNextOne() {
        try (GatewayInMemory gateway = gateway()) {
            ProxyLoop loop = handler.at(gateway.net(0).loop());
            AnswerContent first = loop.lend();
            loop.giveBack(first);
            MemoryPeer client = gateway.client(0);
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            AnswerContent second = loop.lend();
            assertThat(second).as("while an answer is read").isNotSameAs(first);
            up.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            assertThat(loop.lend()).isSameAs(first);
        }
    }

    /// As for all content that is streamed, the upstream is asked for 100 Continue.
    @Test
    void contentThatHasArrivedWithItsHeadIsNotCollected() {
        Collecting always = new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), true);
        ProxyHandler collects = new ProxyHandler(pool, ProxyTarget.DEFAULT, always);
        try (GatewayInMemory gateway =
                new GatewayInMemory(1, new LrwpAgent(LrwpSettings.DEFAULT), collects)) {
            MemoryPeer client = gateway.client(0);
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                            + "Content-Length: 4\r\n\r\nbody");
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            assertThat(up.takeText()).contains("\r\nExpect: 100-continue\r\n");
            up.send("HTTP/1.1 100 Continue\r\n\r\n");
            gateway.run();
            assertThat(up.takeText()).isEqualTo("body");
        }
    }

    @Test
    void answerOfUpstreamThatHasResetReachesTheClient() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            client.send(post());
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            up.window(1000);
            client.send("a".repeat(LENGTH / 2));
            gateway.run();
            up.send(TOO_LARGE);
            up.closeUnread();
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 413 ").endsWith("\r\n\r\nbig");
            assertThat(pool.open()).isZero();
        }
    }

    /// The rest of the answer would otherwise be parsed as the next head.
    @Test
    void contentOfAnswerThatIsResetNeverBecomesAnotherAnswer() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            up.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
                            + "HTTP/1.1 200 OK\r\nSet-Cookie: sid=evil\r\n"
                            + "Content-Length: 5\r\n\r\nowned");
            up.closeUnread();
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ").doesNotContain("evil");
            assertThat(pool.status().failed()).containsEntry(PeerFault.LOST, 1L);
        }
    }

    @Test
    void answerOfUpstreamReachesTheClientAlsoIfWriteFailsFirst() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            client.send(post());
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            // Content that fills the loop's buffer, so that it is sent before the upstream is read.
            client.send("a".repeat(LENGTH));
            up.send(TOO_LARGE);
            up.closeUnread();
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 413 ").endsWith("\r\n\r\nbig");
            assertThat(pool.open()).isZero();
        }
    }

    @Test
    void resetWithoutAnswerIs502() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            client.send(post());
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            client.send("a".repeat(LENGTH));
            up.closeUnread();
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(pool.status().failed()).containsEntry(PeerFault.LOST, 1L);
            assertThat(pool.open()).isZero();
        }
    }

    /// The read that fails ends the request while its pump still has to report the first chunk.
    @Test
    void brokenChunkBehindGoodOneLeavesNoDeadline() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            client.send("ffff\r\n" + "a".repeat(0xffff) + "\r\nbroken\r\n");
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 400 ");
            assertThat(up.sawReset()).isTrue();
            assertThat(gateway.net(0).loop().timers().armed()).as("deadlines").isOne();
        }
    }

    @Test
    void lastBytesOfTheClientReachUpstreamThatHasEnded() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(gateway, client);
            client.send("BYE");
            client.end();
            gateway.run();
            assertThat(up.takeText()).isEqualTo("BYE");
            assertThat(up.sawEnd()).isTrue();
            assertThat(up.sawReset()).isFalse();
            assertThat(client.isClosed()).isTrue();
            assertThat(pool.open()).isZero();
        }
    }

    @Test
    void upstreamThatTakesNoLastBytesIsClosedAfterTheIdleTime() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = upgraded(gateway, client);
            up.window(1);
            client.send("BYE");
            client.end();
            gateway.run();
            assertThat(up.takeText()).isEqualTo("B");
            assertThat(up.isClosed()).isFalse();
            gateway.pass(Duration.ofMinutes(11));
            assertThat(up.sawReset()).isTrue();
            assertThat(pool.open()).isZero();
        }
    }

    /// Returns the upstream of an upgraded connection, after it has ended its direction.
    private static MemoryPeer upgraded(GatewayInMemory gateway, MemoryPeer client) {
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
        gateway.run();
        MemoryPeer up = gateway.accept(0);
        assertThat(up.takeText()).startsWith("GET / ");
        up.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
        up.end();
        gateway.run();
        assertThat(client.takeText()).startsWith("HTTP/1.1 101 ");
        assertThat(client.sawEnd()).isTrue();
        return up;
    }

    private static String post() {
        return "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + LENGTH + "\r\n\r\n";
    }
}
