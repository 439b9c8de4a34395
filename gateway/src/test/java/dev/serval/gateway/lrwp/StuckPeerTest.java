package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.gateway.lrwp.SocketPeer.Style;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Case 17: a peer that reads nothing while 100 MB wait for it.
@Tag("long")
@Timeout(120)
final class StuckPeerTest {
    private static final int CONTENT_BYTES = 100 << 20;
    private static final int ANSWER_SECONDS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LrwpAgent agent =
            new LrwpAgent(
                    LrwpSettings.DEFAULT.withPool(
                            LrwpSettings.DEFAULT
                                    .pool()
                                    .with(draft ->
                                            draft.answerNanos = ANSWER_SECONDS * 1_000_000_000L)));

    private Serval server() throws Exception {
        return Serval.builder()
                .loops(1) // so that the stuck peer shares its loop with all others
                .withoutFlagWarning()
                .limits(Limits.DEFAULT.with(draft -> draft.content.maxBytes = 2L * CONTENT_BYTES))
                .listen(0)
                .listen(
                        new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                                .withProtocol(agent.protocol()))
                .mount("/", agent.handler())
                .start();
    }

    private PoolStatus status(String name) {
        return agent.status().stream()
                .filter(pool -> pool.name().contains(name))
                .findFirst()
                .orElseThrow();
    }

    private boolean isRegistered(String name) {
        return agent.status().stream()
                .anyMatch(pool -> pool.name().contains(name) && pool.peers() == 1);
    }

    @Test
    void othersGoOnMemoryIsBoundedAndTheClientGets504() throws Exception {
        try (Serval server = server()) {
            SocketAddress http = server.addresses().get(0);
            SocketAddress lrwp = server.addresses().get(1);
            byte[] startup = "stuck\u00ff\u00ff".getBytes(StandardCharsets.ISO_8859_1);
            try (RawClient stuck = RawClient.connect(lrwp, 4 << 10).send(startup);
                    SocketPeer calm = SocketPeer.echo(lrwp, "calm", Style.TWO_WRITES);
                    RawClient upload = RawClient.connect(http).patience(PATIENCE)) {
                assertThat(new String(stuck.bytes(2), StandardCharsets.US_ASCII)).isEqualTo("OK");
                Await.until("both serve", () -> isRegistered("stuck") && isRegistered("calm"));
                upload.send(
                        "POST /stuck HTTP/1.1\r\nHost: h\r\nContent-Length: "
                                + CONTENT_BYTES
                                + "\r\n\r\n");
                byte[] part = new byte[1 << 20];
                for (int i = 0; i < CONTENT_BYTES; i += part.length) {
                    upload.send(part);
                }
                Await.until("the request was sent", PATIENCE, () -> status("stuck").busy() == 1);
                assertThat(agent.spool().diskBytes()).isGreaterThan(CONTENT_BYTES - (1 << 20));
                assertThat(agent.spool().memoryBytes()).isLessThan(1 << 20);
                try (RawClient other = RawClient.connect(http)) {
                    for (int i = 0; i < 50; i++) {
                        String answer = other.exchange(post("/calm", "n" + i)).text();
                        assertThat(answer).isEqualTo("n" + i);
                    }
                }
                assertThat(status("stuck").busy()).as("still stuck").isEqualTo(1);
                RawResponse answer = upload.answer();
                assertThat(answer.status()).isEqualTo(504);
                assertThat(status("stuck").failed()).containsEntry(PeerFault.LATE, 1L);
                Await.until("its file is gone", () -> agent.spool().diskBytes() == 0);
                Await.until("it has left", () -> status("stuck").peers() == 0);
                assertThat(calm.handshake()).isEqualTo("OK");
            }
        }
    }
}
