package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.Http2Peer;
import org.junit.jupiter.api.Test;

/// What a client of HTTP/2 gets from an upstream, and what the upstream learns of it.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class ProxyOverHttp2Test {
    private static final String WINDOW_OF_STREAMS = "0004"; // SETTINGS_INITIAL_WINDOW_SIZE

    private final PeerPool pool = GatewayInMemory.pool(PoolLimits.DIAL_OUT);

    private GatewayInMemory gateway() {
        return GatewayInMemory.proxying(pool, true);
    }

    /// The memory of an answer's trailers is used for those of the next answer.
    @Test
    void trailersThatWaitStayThoseOfTheirAnswer() {
        try (GatewayInMemory gateway = gateway()) {
            Http2Peer client = gateway.http2(0);
            client.frame(Http2Peer.SETTINGS, 0, 0, WINDOW_OF_STREAMS + "00000000").read();
            client.get(1, "/one").read();
            MemoryPeer up = gateway.accept(0);
            up.send(chunked("one"));
            gateway.run();
            client.get(3, "/two").read();
            up.send(chunked("two"));
            assertThat(client.answers()).startsWith("HEADERS 3 :status=200");
            client.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000010");
            assertThat(client.answers()).isEqualTo("DATA 1 3 one\nHEADERS 1 end x-of=one\n");
            client.frame(Http2Peer.WINDOW_UPDATE, 0, 3, "00000010");
            assertThat(client.answers()).isEqualTo("DATA 3 3 two\nHEADERS 3 end x-of=two\n");
        }
    }

    /// What the upstream has sent waits for the client's window, and is not dropped with the answer's end.
    @Test
    void answerThatBreaksOffEndsAfterWhatHasCome() {
        try (GatewayInMemory gateway = gateway()) {
            Http2Peer client = gateway.http2(0);
            client.frame(Http2Peer.SETTINGS, 0, 0, WINDOW_OF_STREAMS + "00000000").read();
            client.get(1, "/").read();
            MemoryPeer up = gateway.accept(0);
            up.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcdef");
            gateway.run();
            up.end();
            gateway.run();
            assertThat(client.answers()).isEqualTo("HEADERS 1 :status=200 content-length=9\n");
            client.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000004");
            assertThat(client.answers()).isEqualTo("DATA 1 4 abcd\n");
            client.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000004");
            assertThat(client.answers()).isEqualTo("DATA 1 2 ef\nRST_STREAM 1 INTERNAL_ERROR\n");
        }
    }

    private static String chunked(String what) {
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n"
                + what
                + "\r\n0\r\nX-Of: "
                + what
                + "\r\n\r\n";
    }

    @Test
    void viaNamesTheVersionThatTheClientSpoke() {
        try (GatewayInMemory gateway = gateway()) {
            gateway.http2(0).get(1, "/").read();
            assertThat(gateway.accept(0).takeText()).contains("\r\nVia: 2.0 serval\r\n");
            gateway.client(0).send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            assertThat(gateway.accept(0).takeText()).contains("\r\nVia: 1.1 serval\r\n");
            gateway.client(0).send("GET / HTTP/1.0\r\n\r\n");
            gateway.run();
            assertThat(gateway.accept(0).takeText()).contains("\r\nVia: 1.0 serval\r\n");
        }
    }

    /// HTTP/2 has no Upgrade (RFC 9113 §8.2.2), and HTTP/1.0 has none (RFC 9110 §7.8).
    @Test
    void status426NamesTheProtocolOnlyToClientsThatCanUpgrade() {
        String answer =
                "HTTP/1.1 426 Upgrade Required\r\nConnection: Upgrade, X-Hop\r\nX-Hop: 1\r\n"
                        + "Upgrade: toy/2\r\nContent-Length: 3\r\n\r\nabc";
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            up.send(answer);
            gateway.run();
            assertThat(client.takeText())
                    .startsWith("HTTP/1.1 426 ")
                    .contains("\r\nUpgrade: toy/2\r\n", "\r\nConnection: upgrade\r\n")
                    .doesNotContain("X-Hop");
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            gateway.run();
            up.send(answer);
            gateway.run();
            assertThat(client.takeText())
                    .startsWith("HTTP/1.1 426 ")
                    .doesNotContainIgnoringCase("upgrade: ")
                    .doesNotContain(": upgrade");
            Http2Peer other = gateway.http2(0).get(1, "/");
            other.read();
            up.send(answer);
            assertThat(other.answers())
                    .isEqualTo("HEADERS 1 :status=426 content-length=3\nDATA 1 3 end abc\n");
        }
    }
}
