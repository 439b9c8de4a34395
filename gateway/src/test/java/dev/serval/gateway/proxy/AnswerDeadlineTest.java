package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What puts off the deadline of an answer, and how far.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class AnswerDeadlineTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final int LONG = 1_000_000;
    private static final int PIECE = 1000;
    private static final String INTERIM = "HTTP/1.1 103 Early Hints\r\n\r\n";

    private PeerPool pool = newPool(10);

    private static PeerPool newPool(int answerSeconds) {
        return PeerPool.dialOut(
                "p",
                PoolLimits.DIAL_OUT.with(
                        draft -> draft.answerNanos = TimeUnit.SECONDS.toNanos(answerSeconds)),
                List.of(
                        new Upstream(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), "up")));
    }

    private static GatewayInMemory gateway(Handler handler) {
        return new GatewayInMemory(1, new LrwpAgent(LrwpSettings.DEFAULT), handler);
    }

    private ProxyHandler proxy() {
        ProxyTarget target =
                ProxyTarget.DEFAULT.with(
                        draft -> draft.interimNanos = TimeUnit.SECONDS.toNanos(15));
        return new ProxyHandler(pool, target, streaming());
    }

    private static Collecting streaming() {
        return new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), false);
    }

    private ScgiHandler scgi() {
        return new ScgiHandler(pool, streaming());
    }

    @Test
    void eachPieceOfContentPutsItOff() {
        try (GatewayInMemory gateway = gateway(proxy())) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = asked(gateway, client, GET);
            answerInPieces(gateway, up, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na");
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").endsWith("abc");
        }
    }

    /// The upstream gets its whole time from the moment at which the client takes more, although
    /// nothing of its answer waits to be read.
    @Test
    void clientThatTakesMorePutsItOff() {
        int pieces = piecesUntilPause();
        pool = newPool(4); // less than a client may take nothing
        try (GatewayInMemory gateway = gateway(proxy())) {
            MemoryPeer client = gateway.client(0);
            client.window(0);
            MemoryPeer up = asked(gateway, client, GET);
            sendPieces(gateway, up, pieces);
            assertThat(up.unread()).isZero();
            gateway.pass(Duration.ofSeconds(3));
            client.window(Integer.MAX_VALUE);
            gateway.pass(Duration.ofSeconds(3));
            assertThat(client.isClosed()).isFalse();
            up.send(new byte[LONG - pieces * PIECE]);
            gateway.pass(Duration.ofSeconds(1));
            assertThat(client.text()).startsWith("HTTP/1.1 200 ");
            assertThat(pool.status().served()).isOne();
        }
    }

    /// Returns how many pieces of an answer are read before the client's slowness ends reading.
    private int piecesUntilPause() {
        try (GatewayInMemory gateway = gateway(proxy())) {
            MemoryPeer client = gateway.client(0);
            client.window(0);
            MemoryPeer up = asked(gateway, client, GET);
            sendPieces(gateway, up, 1);
            int pieces = 1;
            while (up.unread() == 0) {
                up.send(new byte[PIECE]);
                gateway.run();
                pieces++;
            }
            return pieces - 1;
        }
    }

    private static void sendPieces(GatewayInMemory gateway, MemoryPeer up, int pieces) {
        up.send("HTTP/1.1 200 OK\r\nContent-Length: " + LONG + "\r\n\r\n");
        for (int i = 0; i < pieces; i++) {
            up.send(new byte[PIECE]);
            gateway.run();
        }
    }

    @Test
    void eachPieceOfOutputPutsItOff() {
        try (GatewayInMemory gateway = gateway(scgi())) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = asked(gateway, client, GET);
            answerInPieces(gateway, up, "Status: 200 OK\r\n\r\na");
            up.end();
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").endsWith("c\r\n0\r\n\r\n");
        }
    }

    @Test
    void interimResponsesPutItOffToTheirOwnLimit() {
        try (GatewayInMemory gateway = gateway(proxy())) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = asked(gateway, client, GET);
            gateway.pass(Duration.ofSeconds(8));
            up.send(INTERIM);
            gateway.pass(Duration.ofSeconds(6));
            assertThat(client.takeText()).startsWith("HTTP/1.1 103 ");
            gateway.pass(Duration.ofSeconds(2));
            assertThat(client.takeText()).startsWith("HTTP/1.1 504 ");
        }
    }

    @Test
    void contentIsSentASecondLaterWithoutContinue() {
        try (GatewayInMemory gateway = gateway(proxy())) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up =
                    asked(
                            gateway,
                            client,
                            "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                                    + "Content-Length: 4\r\n\r\n");
            client.send("body");
            gateway.pass(Duration.ofMillis(900));
            assertThat(up.takeText()).endsWith("\r\n\r\n");
            gateway.pass(Duration.ofMillis(200));
            assertThat(up.takeText()).isEqualTo("body");
        }
    }

    /// The buffer that holds the first piece is given back, which [GatewayInMemory#close] checks.
    @Test
    void outputThatBreaksOffWhileItIsHeldIs502() {
        try (GatewayInMemory gateway = gateway(scgi())) {
            MemoryPeer client = gateway.client(0);
            MemoryPeer up = asked(gateway, client, GET);
            up.send("Content-Length: 10\r\n\r\nhello");
            up.end();
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
        }
    }

    private static MemoryPeer asked(GatewayInMemory gateway, MemoryPeer client, String request) {
        client.send(request);
        gateway.run();
        return gateway.accept(0);
    }

    private static void answerInPieces(GatewayInMemory gateway, MemoryPeer up, String first) {
        up.send(first);
        gateway.pass(Duration.ofSeconds(8));
        up.send("b");
        gateway.pass(Duration.ofSeconds(8));
        up.send("c");
        gateway.run();
    }
}
