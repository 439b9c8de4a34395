package dev.serval.gateway.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.net.memory.MemoryPeer;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Answers that a peer writes in pieces. With Nagle's algorithm, its system sends the second piece
/// only after the first is acknowledged, and our system would delay that by 40 ms.
final class AnswerInPiecesTest {
    private static final String ASK = "GET /app HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String OUTPUT = "Content-Type: text/plain\r\n\r\nhello";
    private static final String RECORD = "\1\6\0\1\0" + (char) OUTPUT.length() + "\0\0";
    private static final String END = "\1\3\0\1\0\10\0\0\0\0\0\0\0\0\0\0";

    @Test
    void incompleteAnswerOfLrwpIsAcknowledgedAtOnce() {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, agent.handler())) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            for (int i = 1; i <= 2; i++) {
                client.send(ASK);
                gateway.run();
                peer.send("000000033");
                gateway.run();
                assertThat(peer.acknowledgements()).as("the length").isEqualTo(i);
                peer.send(OUTPUT);
                gateway.run();
                assertThat(client.takeText()).endsWith("hello");
                assertThat(peer.acknowledgements()).as("the whole answer").isEqualTo(i);
            }
            client.send(ASK);
            gateway.run();
            peer.send("000000033" + OUTPUT);
            gateway.run();
            assertThat(client.takeText()).endsWith("hello");
            assertThat(peer.acknowledgements()).as("an answer in one piece").isEqualTo(2);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"scgi", "fastcgi", "http"})
    void incompleteAnswerOfAnUpstreamIsAcknowledgedAtOnce(String scheme) throws IOException {
        String first =
                switch (scheme) {
                    case "fastcgi" -> RECORD;
                    case "http" -> "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
                    default -> "Content-Type: text/plain\r\n\r\n";
                };
        String last = scheme.equals("fastcgi") ? OUTPUT + END : "hello";
        NeighbourSyntax.Right read =
                (NeighbourSyntax.Right) NeighbourSyntax.read(scheme + "://127.0.0.1:9000");
        LrwpAgent none = new LrwpAgent(LrwpSettings.DEFAULT);
        SpoolQuota quota = new SpoolQuota(SpoolLimits.DEFAULT);
        try (OpenNeighbour open =
                        Objects.requireNonNull(
                                OpenNeighbour.open(Map.of("/", read.neighbour()), quota).get("/"));
                GatewayInMemory gateway =
                        new GatewayInMemory(1, none, open.chain().toArray(Handler[]::new))) {
            MemoryPeer client = gateway.client(0);
            client.send(ASK.replace("GET", "POST").replace("\r\n\r\n", "\r\nContent-Length: 2"));
            gateway.run();
            client.send("\r\n\r\na");
            gateway.run();
            client.send("b");
            gateway.run();
            gateway.work();
            MemoryPeer up = gateway.accept(0);
            assertThat(up.text()).contains("ab");
            up.send(first);
            gateway.run();
            assertThat(up.acknowledgements()).isEqualTo(1);
            up.send(last);
            gateway.run();
            if (scheme.equals("scgi")) {
                up.end();
                gateway.run();
            }
            assertThat(client.takeText()).contains("hello");
            assertThat(client.acknowledgements()).as("requests of clients").isZero();
        }
    }
}
