package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.FILES;
import static dev.serval.gateway.lrwp.Clients.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.Messages.Request;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.net.memory.MemoryPeer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers and requests at the edges of the protocol, in memory (facts §6).
final class HostilePeersTest {
    private static final String FF = "\u00ff";
    private final LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);

    private GatewayInMemory gateway() {
        return new GatewayInMemory(1, agent, agent.handler(), FILES);
    }

    private static String request(String method, String target, String fields) {
        return method + " " + target + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
    }

    /// Asks a peer once more, to show that it is in step.
    private static void assertServes(GatewayInMemory gateway, MemoryPeer peer) {
        peer.clear();
        MemoryPeer client = gateway.client(0);
        client.send(get("/app/next"));
        gateway.run();
        assertThat(Messages.request(peer.takeText()).path()).isEqualTo("/next");
        peer.send(Messages.plain("in step"));
        gateway.run();
        assertThat(client.takeText()).endsWith("in step");
    }

    /// Case 8: methods with content are passed, and 304 has no content.
    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH"})
    void passesOtherMethodsWithTheirContent(String method) {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(request(method, "/app/x", "Content-Length: 3\r\n") + "abc");
            gateway.run();
            Request request = Messages.request(peer.takeText());
            assertThat(request.variables()).containsEntry("REQUEST_METHOD", method);
            assertThat(request.body()).isEqualTo("abc");
            peer.send(Messages.answer("Status: 304 x\r\nETag: \"1\"\r\n\r\nignored"));
            gateway.run();
            assertThat(client.takeText())
                    .startsWith("HTTP/1.1 304 ")
                    .contains("ETag: \"1\"\r\n")
                    .doesNotContain("ignored");
            assertServes(gateway, peer);
        }
    }

    /// Case 11: bytes without a separator, of which 200 may still become a name.
    @ParameterizedTest
    @ValueSource(ints = {201, 1024, 1025, 100_000})
    void startupWithoutASeparatorIsRefusedAtItsLimit(int bytes) {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.peer(0);
            peer.send("a".repeat(200));
            gateway.run();
            assertThat(peer.length()).isZero();
            assertThat(peer.isClosed()).isFalse();
            peer.send("a".repeat(bytes - 200));
            gateway.run();
            assertThat(peer.takeText()).startsWith("ERROR: ");
            assertThat(peer.isClosed()).isTrue();
            assertThat(agent.unregistered()).isZero();
        }
    }

    /// Case 12: a name is taken literally, so an encoded slash reaches no path.
    @Test
    void encodedSlashInANameReachesNoPath() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.peer(0);
            peer.send("a%2fb" + FF + FF);
            gateway.run();
            gateway.pass(Duration.ofMillis(100));
            peer.clear();
            MemoryPeer client = gateway.client(0);
            assertThat(gateway.ask(client, get("/a/b"))).endsWith("files");
            assertThat(peer.length()).isZero();
        }
    }

    /// Case 13: a length that does not come, and an answer that does not come.
    @ParameterizedTest
    @ValueSource(strings = {"00000001", "999999999", "000000100A: 1"})
    void answerThatStopsGets504(String begun) {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            peer.send(begun);
            gateway.pass(Duration.ofSeconds(59));
            assertThat(client.length()).isZero();
            gateway.pass(Duration.ofSeconds(2));
            assertThat(client.takeText()).startsWith("HTTP/1.1 504 ");
            assertThat(peer.isClosed()).isTrue();
            assertThat(agent.status().getFirst().failed()).containsEntry(PeerFault.LATE, 1L);
        }
    }

    /// Case 13: a length above the limit is refused before its first byte.
    @ParameterizedTest
    @CsvSource({"100, 200", "101, 502"})
    void lengthAboveTheLimitIsRefusedAtOnce(int length, int status) {
        LrwpAgent own =
                new LrwpAgent(
                        LrwpSettings.DEFAULT.withAnswers(new LrwpSettings.Contents(100, 100)));
        try (GatewayInMemory gateway = new GatewayInMemory(1, own, own.handler())) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            peer.send(
                    "%09d".formatted(length) + (status == 200 ? "A: 1\n\n" + "x".repeat(94) : ""));
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 " + status + " ");
            assertThat(peer.isClosed()).isEqualTo(status != 200);
        }
    }

    /// Case 14: a reset of an idle peer, and of one with the only request.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void resetIsNoticedWithoutAndWithARequest(boolean busy) {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            if (busy) {
                client.send(get("/app"));
                gateway.run();
                assertThat(Messages.hasRequest(peer.takeText())).isTrue();
            }
            peer.reset();
            gateway.run();
            if (busy) {
                assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            }
            assertThat(gateway.ask(client, get("/app"))).endsWith("files");
            assertServes(gateway, gateway.registered(0, "app"));
        }
    }

    /// Case 18: a head of 1 MB, in one field and in many.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void headOf1MegabyteIs502AndThePeerStaysInStep(boolean oneField) {
        String head = oneField ? "A: " + "b".repeat(1 << 20) : "A: b\r\n".repeat(1 << 18);
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            peer.send(Messages.answer(head + "\r\n\r\ncontent"));
            for (int i = 0; i < 20; i++) {
                gateway.run();
            }
            assertThat(client.takeText())
                    .startsWith("HTTP/1.1 502 ")
                    .doesNotContain("content\r\n", "bbbb");
            assertThat(agent.status().getFirst().failed()).containsEntry(PeerFault.MALFORMED, 1L);
            assertServes(gateway, peer);
        }
    }

    /// Case 18: no line of a peer can begin a second response.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A: b\rHTTP/1.1 200 OK\n\nx",
                "A: b\0c\n\nx",
                "A\0: b\n\nx",
                "A\rB: c\n\nx",
                "A: 1\n B: c\n\nx",
                "Status: 1000\n\nx"
            })
    void headThatCouldSplitTheResponseIs502(String output) {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            peer.send(Messages.answer(output));
            gateway.run();
            assertThat(client.takeText().split("HTTP/1\\.1 ", -1)).hasSize(2);
            assertServes(gateway, peer);
        }
    }

    /// Case 19: a NUL in the path reaches no variable.
    @Test
    void encodedNulReachesNoPeer() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            assertThat(gateway.ask(client, get("/app/a%00b"))).startsWith("HTTP/1.1 400 ");
            assertThat(peer.length()).isZero();
        }
    }

    /// Case 19: many fields, each passed once, with the length of the variables right.
    @Test
    void passesManyFields() {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < 90; i++) {
            fields.append("X-").append(i).append(": ").append("v".repeat(i)).append("\r\n");
        }
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(request("GET", "/app", fields.toString()));
            gateway.run();
            String sent = peer.takeText();
            Request request = Messages.request(sent);
            assertThat(request.bytes()).isEqualTo(sent.length());
            for (int i = 0; i < 90; i++) {
                assertThat(request.variables()).containsEntry("HTTP_X_" + i, "v".repeat(i));
            }
        }
    }

    /// Case 19: more fields than the server's limit reach no peer.
    @Test
    void tooManyFieldsReachNoPeer() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(request("GET", "/app", "A: b\r\n".repeat(200)));
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 431 ");
            assertThat(peer.length()).isZero();
        }
    }

    /// Case 19: a client that waits for 100 Continue.
    @Test
    void clientThatExpects100GetsItBeforeAPeerIsTaken() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(request("POST", "/app", "Content-Length: 4\r\nExpect: 100-continue\r\n"));
            gateway.run();
            assertThat(client.takeText()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(peer.length()).isZero();
            client.send("data");
            gateway.run();
            Request request = Messages.request(peer.takeText());
            assertThat(request.body()).isEqualTo("data");
            assertThat(request.variables()).containsEntry("CONTENT_LENGTH", "4");
            peer.send(Messages.plain("done"));
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").endsWith("done");
        }
    }
}
