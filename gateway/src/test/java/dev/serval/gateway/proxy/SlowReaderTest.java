package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.scgi.ScgiHandler;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.net.memory.MemoryPeer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that take their answers slowly: what they do not take for a while waits in a spool.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a loop may run for ever
final class SlowReaderTest {
    private static final String CONTENT = "0123456789abcdef".repeat(1 << 16); // 1 MiB
    private static final String GET = "GET / HTTP/1.0\r\nHost: h\r\n\r\n";
    private static final String POST =
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String LENGTH =
            "HTTP/1.1 200 OK\r\nContent-Length: " + CONTENT.length() + "\r\n\r\n";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final Duration MORE_THAN_A_PAUSE = Duration.ofMillis(300);

    private final PeerPool pool =
            PeerPool.dialOut(
                    "p",
                    PoolLimits.DIAL_OUT.with(draft -> draft.connectionsMax = 1),
                    List.of(
                            new Upstream(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                                    "up")));

    private SpoolQuota quota = new SpoolQuota(SpoolLimits.DEFAULT);

    private GatewayInMemory gateway(String kind) {
        Collecting collecting = new Collecting(quota, !kind.endsWith("buffer=no"));
        Handler handler =
                kind.startsWith("scgi")
                        ? new ScgiHandler(pool, collecting)
                        : new ProxyHandler(pool, ProxyTarget.DEFAULT, collecting);
        return new GatewayInMemory(1, new LrwpAgent(LrwpSettings.DEFAULT), handler);
    }

    private static String wire(String kind) {
        return switch (kind) {
            case "length" -> LENGTH + CONTENT;
            case "chunked" -> CHUNKED + chunks() + "0\r\n\r\n";
            case "close" -> "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + CONTENT;
            default -> "Content-Type: text/plain\r\n\r\n" + CONTENT;
        };
    }

    private static String chunks() {
        StringBuilder chunks = new StringBuilder();
        int at = 0;
        for (int size = 1; at < CONTENT.length(); size = size * 3 % 70_001) {
            int n = Math.min(size, CONTENT.length() - at);
            chunks.append(chunk(CONTENT.substring(at, at + n)));
            at += n;
        }
        return chunks.toString();
    }

    private static String chunk(String content) {
        return Integer.toHexString(content.length()) + "\r\n" + content + "\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"length", "chunked", "close", "scgi"})
    void connectionBecomesFreeAndTheClientGetsTheWholeAnswer(String kind) {
        try (GatewayInMemory gateway = gateway(kind)) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(wire(kind));
            if (kind.equals("close") || kind.equals("scgi")) {
                up.end();
            }
            gateway.run();
            assertThat(up.unread()).as("back-pressure").isPositive();
            gateway.pass(MORE_THAN_A_PAUSE);
            settle(gateway);
            assertThat(up.unread()).isZero();
            assertThat(quota.diskBytes()).isPositive();
            assertThat(pool.status().busy()).isZero();
            assertThat(pool.status().served()).isEqualTo(1);
            slow.window(Long.MAX_VALUE);
            settle(gateway);
            assertThat(content(slow)).isEqualTo(CONTENT);
            assertThat(slow.isClosed()).isTrue();
            assertNothingIsKept();
        }
    }

    /// A stream has no end after which it could be sent.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientThatTakesMoreGetsWhatWaitsBeforeTheAnswerEnds(boolean duringFlush) {
        try (GatewayInMemory gateway = gateway("chunked")) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(CHUNKED + chunk(CONTENT));
            gateway.pass(MORE_THAN_A_PAUSE);
            assertThat(gateway.diskWork()).isPositive();
            if (!duringFlush) {
                settle(gateway);
                assertThat(up.unread()).isZero();
            }
            slow.window(Long.MAX_VALUE);
            gateway.run();
            settle(gateway);
            assertThat(slow.text().length()).isGreaterThan(CONTENT.length());
            up.send(chunk("more"));
            gateway.run();
            assertThat(slow.text()).endsWith("more");
            up.send("0\r\n\r\n");
            settle(gateway);
            assertThat(content(slow)).isEqualTo(CONTENT + "more");
            assertNothingIsKept();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"length", "scgi"})
    void clientThatTakesMoreDuringAFlushGetsAllInOrder(String kind) {
        try (GatewayInMemory gateway = gateway(kind)) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(wire(kind));
            up.end();
            gateway.pass(MORE_THAN_A_PAUSE);
            assertThat(gateway.diskWork()).isPositive();
            slow.window(Long.MAX_VALUE);
            gateway.run();
            settle(gateway);
            assertThat(content(slow)).isEqualTo(CONTENT);
            assertNothingIsKept();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/event-stream",
                "Content-Type: Text/Event-Stream; charset=utf-8",
                "X-Accel-Buffering: no"
            })
    void answerThatIsMeantToArriveAtOnceWaitsInItsUpstream(String field) {
        try (GatewayInMemory gateway = gateway("length")) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(LENGTH.replace("\r\n\r\n", "\r\n" + field + "\r\n\r\n") + CONTENT);
            assertWaitsInItsUpstream(gateway, slow, up);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"length, buffer=no", "scgi, buffer=no"})
    void answerOfAMountWithoutBufferWaitsInItsUpstream(String kind) {
        try (GatewayInMemory gateway = gateway(kind)) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(kind.startsWith("scgi") ? wire("scgi") : wire("length"));
            up.end();
            assertWaitsInItsUpstream(gateway, slow, up);
        }
    }

    @Test
    void withoutDiskSpaceTheAnswerWaitsInItsUpstream() {
        quota = new SpoolQuota(SpoolLimits.DEFAULT.withDiskMaxBytes(0));
        try (GatewayInMemory gateway = gateway("length")) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(wire("length"));
            assertWaitsInItsUpstream(gateway, slow, up);
        }
    }

    /// So that it leaves space for others.
    @ParameterizedTest
    @ValueSource(strings = {"length", "scgi"})
    void oneAnswerTakesAQuarterOfTheDiskSpace(String kind) {
        quota = new SpoolQuota(SpoolLimits.DEFAULT.withDiskMaxBytes(1 << 20));
        try (GatewayInMemory gateway = gateway(kind)) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(wire(kind));
            up.end();
            gateway.pass(Duration.ofSeconds(1));
            settle(gateway);
            assertThat(up.unread()).isPositive();
            assertThat(pool.status().busy()).isOne();
            assertThat(quota.diskBytes()).isBetween(190L << 10, 256L << 10);
            slow.window(Long.MAX_VALUE);
            settle(gateway);
            assertThat(content(slow)).isEqualTo(CONTENT);
            assertNothingIsKept();
        }
    }

    private void assertWaitsInItsUpstream(GatewayInMemory gateway, MemoryPeer slow, MemoryPeer up) {
        gateway.pass(Duration.ofSeconds(1));
        settle(gateway);
        assertThat(up.unread()).isPositive();
        assertThat(pool.status().busy()).isOne();
        assertThat(quota.diskBytes()).isZero();
        slow.window(Long.MAX_VALUE);
        settle(gateway);
        assertThat(content(slow)).isEqualTo(CONTENT);
        assertNothingIsKept();
    }

    @ParameterizedTest
    @ValueSource(strings = {"length", "scgi"})
    void clientThatLeavesGivesEverythingBack(String kind) {
        try (GatewayInMemory gateway = gateway(kind)) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(wire(kind));
            gateway.pass(MORE_THAN_A_PAUSE);
            assertThat(gateway.diskWork()).isPositive();
            slow.reset();
            gateway.run();
            settle(gateway);
            assertThat(up.isClosed()).isTrue();
            assertNothingIsKept();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"length", "scgi"})
    void clientGetsWhatCameBeforeTheUpstreamLeft(String kind) {
        try (GatewayInMemory gateway = gateway(kind)) {
            MemoryPeer slow = slowClient(gateway, GET.replace("1.0", "1.1"));
            MemoryPeer up = gateway.accept(0);
            String part = CONTENT.substring(0, 600_000);
            String head = kind.equals("scgi") ? LENGTH.substring(LENGTH.indexOf("Con")) : LENGTH;
            up.send(head + part);
            gateway.pass(MORE_THAN_A_PAUSE);
            settle(gateway);
            up.end();
            settle(gateway);
            assertThat(pool.status().failed()).containsEntry(PeerFault.LOST, 1L);
            slow.window(Long.MAX_VALUE);
            settle(gateway);
            String got = content(slow);
            assertThat(kind.equals("scgi") ? withoutChunks(got) : got).isEqualTo(part);
            assertThat(slow.sawEnd()).isTrue();
            assertNothingIsKept();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"length", "scgi"})
    void answerThatCannotBeStoredWaitsInItsUpstream(String kind) {
        quota = new SpoolQuota(new SpoolLimits(16 << 20, 1 << 30, Path.of("/no/such/folder")));
        try (GatewayInMemory gateway = gateway(kind)) {
            MemoryPeer slow = slowClient(gateway);
            MemoryPeer up = gateway.accept(0);
            up.send(wire(kind));
            if (kind.equals("scgi")) {
                up.end();
            }
            assertWaitsInItsUpstream(gateway, slow, up);
        }
    }

    /// A client that does not read while it sends its own content is slow in the same way.
    @Test
    void contentThatIsSentMeanwhileDoesNotPutOffTheEndOfAPause() {
        try (GatewayInMemory gateway = gateway("length")) {
            MemoryPeer slow = gateway.client(0);
            slow.window(1000);
            slow.send(POST);
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            up.send(wire("length"));
            for (int i = 0; i < 6; i++) {
                slow.send(chunk("a"));
                gateway.pass(Duration.ofMillis(50));
            }
            assertThat(gateway.diskWork()).isPositive();
            slow.reset();
            settle(gateway);
            assertNothingIsKept();
        }
    }

    /// Many clients read nothing until they have sent all their content. Its answer is stored, so that
    /// they can.
    @Test
    void clientMaySendAllItsContentBeforeItReads() {
        try (GatewayInMemory gateway = gateway("chunked")) {
            MemoryPeer slow = slowClient(gateway, POST);
            MemoryPeer up = gateway.accept(0);
            up.send(CHUNKED + chunks());
            for (int second = 0; second < 60; second++) {
                slow.send(chunk("a".repeat(1000)));
                gateway.pass(Duration.ofSeconds(1));
                gateway.work();
            }
            slow.send("0\r\n\r\n");
            settle(gateway);
            assertThat(up.text()).endsWith("0\r\n\r\n");
            up.send("0\r\n\r\n");
            slow.window(Long.MAX_VALUE);
            settle(gateway);
            assertThat(content(slow)).endsWith("0\r\n\r\n");
            assertThat(withoutChunks(content(slow))).isEqualTo(CONTENT);
            assertNothingIsKept();
        }
    }

    private static String withoutChunks(String framed) {
        StringBuilder content = new StringBuilder();
        int at = 0;
        for (int end = framed.indexOf("\r\n"); end >= 0; end = framed.indexOf("\r\n", at)) {
            int size = Integer.parseInt(framed.substring(at, end), 16);
            at = Math.min(end + 2 + size, framed.length());
            content.append(framed, end + 2, at);
            at = Math.min(at + 2, framed.length());
        }
        return content.toString();
    }

    private static MemoryPeer slowClient(GatewayInMemory gateway) {
        return slowClient(gateway, GET);
    }

    private static MemoryPeer slowClient(GatewayInMemory gateway, String request) {
        MemoryPeer slow = gateway.client(0);
        slow.window(1000);
        slow.send(request);
        gateway.run();
        return slow;
    }

    private static void settle(GatewayInMemory gateway) {
        for (int i = 0; i < 40; i++) {
            gateway.work();
            gateway.run();
        }
    }

    private static String content(MemoryPeer client) {
        String answer = client.text();
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private void assertNothingIsKept() {
        assertThat(quota.diskBytes()).isZero();
        assertThat(quota.memoryBytes()).isZero();
    }
}
