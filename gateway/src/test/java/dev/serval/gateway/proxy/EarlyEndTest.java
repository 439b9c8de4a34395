package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers of an upstream that end too early or break their framing.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class EarlyEndTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n", "5\r\nhello\r\nzz\r\n", "5\r\nhelloXX"})
    void brokenChunkIs502WhileNothingHasLeft(String chunks) {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD, Step.Send.of(CHUNKED + chunks), new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            assertThat(server.get("/").status()).isEqualTo(502);
        }
    }

    @Test
    void clientGetsWhatCameBeforeBrokenChunk() {
        CountDownLatch go = new CountDownLatch(1);
        String more = rest(go, CHUNKED + "5\r\nhello\r\n", Step.Send.of("5\r\nworld\r\nzz\r\n"));
        assertThat(more).contains("world").doesNotContain("0\r\n\r\n");
    }

    @Test
    void endInsideOfChunkNeverBecomesLastChunk() {
        CountDownLatch go = new CountDownLatch(1);
        String more = rest(go, CHUNKED + "a\r\nhello", Step.Send.of("wor"));
        assertThat(more).doesNotContain("0\r\n\r\n");
    }

    @Test
    void resetInsideOfChunkNeverBecomesLastChunk() {
        CountDownLatch go = new CountDownLatch(1);
        assertThat(rest(go, CHUNKED + "a\r\nhello", new Step.Reset())).doesNotContain("0\r\n\r\n");
    }

    @Test
    void clientGetsWhatCameOfContentThatIsTooShort() {
        CountDownLatch go = new CountDownLatch(1);
        String head = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n";
        assertThat(rest(go, head + "hello", Step.Send.of("world"))).endsWith("world");
    }

    @Test
    void forbiddenTrailerIsDropped() {
        String trailers = "0\r\nContent-Length: 7\r\nX-Sum: 1\r\nSet-Cookie: a=b\r\n\r\n";
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD,
                                Step.Send.of(CHUNKED + "5\r\nhello\r\n" + trailers),
                                new Step.ReadToClose());
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\nTE: trailers\r\nConnection: TE\r\n\r\n");
            assertThat(client.until("\r\n0\r\n")).contains("200 OK").contains("hello");
            assertThat(client.until("\r\n\r\n")).isEqualTo("X-Sum: 1\r\n\r\n");
        }
    }

    /// Returns what the client gets after the first part of the answer, which has reached it before
    /// the upstream goes on and leaves.
    private static String rest(CountDownLatch go, String first, Step then) {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(HEAD, Step.Send.of(first), new Step.Pause(go), then);
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send(GET);
            assertThat(client.until("hello")).startsWith("HTTP/1.1 200");
            go.countDown();
            String more = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertThat(client.closedByServer()).isTrue();
            return more;
        }
    }

    static String url(ScriptedPeer peer) {
        return "http://127.0.0.1:" + peer.address().getPort();
    }
}
