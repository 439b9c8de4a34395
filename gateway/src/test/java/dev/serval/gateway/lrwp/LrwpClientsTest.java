package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.FILES;
import static dev.serval.gateway.lrwp.Clients.get;
import static dev.serval.gateway.lrwp.Clients.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.Messages.Request;
import dev.serval.net.memory.MemoryPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that leave, are slow, send chunks, or sit on other loops than the peers (facts §6).
final class LrwpClientsTest {
    private final LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);

    private GatewayInMemory gateway() {
        return new GatewayInMemory(1, agent, agent.handler(), FILES);
    }

    /// Case 20: a client that leaves.
    @Test
    void clientThatLeavesInTheQueueIsNeverSent() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer first = gateway.client(0);
            first.send(get("/app/1"));
            gateway.run();
            peer.clear();
            MemoryPeer second = gateway.client(0);
            second.send(get("/app/2"));
            gateway.run();
            second.reset();
            gateway.run();
            assertThat(agent.status().getFirst().queued()).isZero();
            peer.send(Messages.plain("x"));
            gateway.run();
            assertThat(peer.length()).isZero();
        }
    }

    /// A client that ends its half counts as gone, so no peer works for it.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientThatEndsItsHalfInTheQueueIsNeverSent(boolean atOnce) {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer first = gateway.client(0);
            first.send(get("/app/1"));
            gateway.run();
            peer.clear();
            MemoryPeer second = gateway.client(0);
            second.send(get("/app/2"));
            if (!atOnce) {
                gateway.run();
                assertThat(agent.status().getFirst().queued()).isEqualTo(1);
            }
            second.end();
            gateway.run();
            assertThat(agent.status().getFirst().queued()).isZero();
            peer.send(Messages.plain("x"));
            gateway.run();
            assertThat(first.takeText()).endsWith("x");
            assertThat(peer.length()).isZero();
            assertThat(second.length()).isZero();
        }
    }

    @Test
    void answerOfClientThatLeftIsDroppedAndThePeerIsReused() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer first = gateway.client(0);
            first.send(get("/app/1"));
            gateway.run();
            peer.clear();
            first.reset();
            gateway.run();
            assertThat(peer.isClosed()).isFalse();
            MemoryPeer second = gateway.client(0);
            second.send(get("/app/2"));
            gateway.run();
            assertThat(peer.length()).isZero();
            String answer = Messages.plain("for the first");
            peer.send(answer.substring(0, 20));
            gateway.run();
            peer.send(answer.substring(20));
            gateway.run();
            assertThat(Messages.request(peer.takeText()).path()).isEqualTo("/2");
            peer.send(Messages.plain("for the second"));
            gateway.run();
            assertThat(second.takeText()).endsWith("for the second");
        }
    }

    @Test
    void requestsGoRoundAllPeers() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer[] peers = {gateway.registered(0, "app"), gateway.registered(0, "app")};
            for (int i = 0; i < 6; i++) {
                MemoryPeer client = gateway.client(0);
                client.send(get("/app/" + i));
                gateway.run();
                assertThat(Messages.request(peers[i % 2].takeText()).path()).isEqualTo("/" + i);
                peers[i % 2].send(Messages.plain("x"));
                gateway.run();
                assertThat(client.takeText()).endsWith("x");
            }
        }
    }

    /// Case 19: a chunked body gets its true length.
    @Test
    void chunkedBodyGetsItsTrueLength() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(
                    "POST /app HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked"
                            + "\r\n\r\n3\r\nabc\r\n");
            gateway.run();
            assertThat(peer.length()).as("a slow client holds no peer").isZero();
            client.send("2\r\nde\r\n0\r\n\r\n");
            gateway.run();
            Request request = Messages.request(peer.takeText());
            assertThat(request.body()).isEqualTo("abcde");
            assertThat(request.variables()).containsEntry("CONTENT_LENGTH", "5");
            peer.send(Messages.plain("x"));
            gateway.run();
            assertThat(client.takeText()).endsWith("x");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesBodyAboveTheLimit(boolean chunked) {
        LrwpSettings small = LrwpSettings.DEFAULT.withAnswers(new LrwpSettings.Contents(4, 100));
        LrwpAgent own = new LrwpAgent(small);
        try (GatewayInMemory gateway = new GatewayInMemory(1, own, own.handler())) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(
                    chunked
                            ? "POST /app HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked"
                                    + "\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"
                            : post("/app", "abcde"));
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 413 ");
            assertThat(peer.length()).isZero();
            MemoryPeer fits = gateway.client(0);
            fits.send(post("/app", "abcd"));
            gateway.run();
            assertThat(Messages.request(peer.takeText()).body()).isEqualTo("abcd");
            peer.send(Messages.answer("A: 1\r\n\r\n" + "x".repeat(93)));
            gateway.run();
            assertThat(fits.takeText()).as("101 bytes").startsWith("HTTP/1.1 502 ");
            assertThat(peer.isClosed()).isTrue();
        }
    }

    /// The client learns it before it has sent anything of the content.
    @Test
    void declaredLengthAboveTheLimitIsRefusedBeforeTheContentIsRead() {
        LrwpSettings small = LrwpSettings.DEFAULT.withAnswers(new LrwpSettings.Contents(4, 100));
        LrwpAgent own = new LrwpAgent(small);
        try (GatewayInMemory gateway = new GatewayInMemory(1, own, own.handler())) {
            gateway.registered(0, "app");
            String head =
                    "POST /app HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: ";
            MemoryPeer tooLong = gateway.client(0);
            assertThat(gateway.ask(tooLong, head + "5\r\n\r\n")).startsWith("HTTP/1.1 413 ");
            MemoryPeer fits = gateway.client(0);
            assertThat(gateway.ask(fits, head + "4\r\n\r\n")).startsWith("HTTP/1.1 100 ");
        }
    }

    /// A request that comes while a peer is held waits until the peer's time is over.
    @Test
    void heldPeerGetsItsFirstRequestAfterItsTime() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.peer(0);
            peer.send("app\u00ff\u00ff");
            gateway.run();
            assertThat(peer.takeText()).isEqualTo("OK");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.pass(Duration.ofMillis(49));
            assertThat(peer.length()).as("bytes before its time").isZero();
            gateway.pass(Duration.ofMillis(2));
            assertThat(Messages.hasRequest(peer.takeText())).isTrue();
            peer.send(Messages.plain("x"));
            gateway.run();
            assertThat(client.takeText()).endsWith("x");
        }
    }

    /// Case 22: a slow client holds its peer only for a moment. An answer of LRWP may take more than a quarter
    /// of the files, because it has a limit of its own.
    @Test
    void slowClientFreesItsPeerAndGetsTheWholeAnswer() {
        String content = "0123456789abcdef".repeat(1 << 16); // 1 MiB
        LrwpAgent own =
                new LrwpAgent(
                        LrwpSettings.DEFAULT.withSpool(
                                LrwpSettings.DEFAULT.spool().withDiskMaxBytes(2 << 20)));
        try (GatewayInMemory gateway = new GatewayInMemory(1, own, own.handler())) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer slow = slowClient(gateway, peer);
            peer.send(Messages.plain(content));
            gateway.run();
            assertThat(peer.unread()).as("back-pressure").isPositive();
            gateway.pass(Duration.ofMillis(300));
            settle(gateway);
            assertThat(peer.unread()).isZero();
            assertThat(own.spool().diskBytes()).isPositive();
            assertThat(gateway.net(0).pool().held()).isLessThan(300 << 10);
            MemoryPeer other = gateway.client(0);
            other.send(get("/app/2"));
            gateway.run();
            assertThat(Messages.request(peer.takeText()).path()).isEqualTo("/2");
            peer.send(Messages.plain("quick"));
            gateway.run();
            assertThat(other.takeText()).endsWith("quick");
            slow.window(Long.MAX_VALUE);
            settle(gateway);
            String answer = slow.takeText();
            assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).isEqualTo(content);
            gateway.run();
            assertThat(own.spool().diskBytes()).isZero();
            assertThat(own.spool().memoryBytes()).isZero();
        }
    }

    @Test
    void withoutDiskSpaceTheClientsPaceIsThatOfThePeer() {
        LrwpAgent own =
                new LrwpAgent(
                        LrwpSettings.DEFAULT.withSpool(
                                LrwpSettings.DEFAULT.spool().withDiskMaxBytes(0)));
        String content = "0123456789abcdef".repeat(1 << 15);
        try (GatewayInMemory gateway = new GatewayInMemory(1, own, own.handler())) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer slow = slowClient(gateway, peer);
            peer.send(Messages.plain(content));
            gateway.pass(Duration.ofSeconds(1));
            gateway.work();
            assertThat(peer.unread()).isPositive();
            slow.window(Long.MAX_VALUE);
            settle(gateway);
            String answer = slow.takeText();
            assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).isEqualTo(content);
            assertThat(peer.isClosed()).isFalse();
        }
    }

    @Test
    void answersOfSlowClientsLeaveSpaceForContent() {
        LrwpAgent own =
                new LrwpAgent(
                        LrwpSettings.DEFAULT.withSpool(
                                LrwpSettings.DEFAULT.spool().withDiskMaxBytes(1 << 20)));
        try (GatewayInMemory gateway = new GatewayInMemory(1, own, own.handler())) {
            List<MemoryPeer> slow = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                MemoryPeer peer = gateway.registered(0, "app");
                slow.add(slowClient(gateway, peer));
                peer.send(Messages.plain("x".repeat(400_000)));
            }
            gateway.pass(Duration.ofMillis(300));
            settle(gateway);
            assertThat(own.spool().diskBytes()).isBetween(600L << 10, 768L << 10);
            MemoryPeer peer = gateway.registered(0, "app");
            String content = "y".repeat(200_000);
            gateway.client(0)
                    .send(
                            "POST /app HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n30d40\r\n"
                                    + content
                                    + "\r\n0\r\n\r\n");
            settle(gateway);
            assertThat(Messages.request(peer.takeText()).body()).isEqualTo(content);
            slow.forEach(one -> one.window(Long.MAX_VALUE));
            settle(gateway);
            slow.forEach(one -> assertThat(one.takeText()).endsWith("xxx"));
            assertThat(own.spool().diskBytes()).isLessThan(256L << 10);
            MemoryPeer later = gateway.registered(0, "other");
            slow.add(slowClient(gateway, later, "/other"));
            later.send(Messages.plain("x".repeat(600_000)));
            gateway.pass(Duration.ofMillis(300));
            settle(gateway);
            assertThat(later.unread()).as("what does not fit into its space").isZero();
        }
    }

    @Test
    void slowClientGetsWhatCameBeforeItsPeerLeft() {
        String content = "0123456789abcdef".repeat(1 << 16); // 1 MiB
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer slow = slowClient(gateway, peer);
            String answer = Messages.plain(content);
            peer.send(answer.substring(0, answer.length() - 100));
            gateway.pass(Duration.ofMillis(300));
            settle(gateway);
            peer.end();
            gateway.run();
            slow.window(Long.MAX_VALUE);
            settle(gateway);
            assertThat(slow.takeText())
                    .endsWith(content.substring(content.length() - 1100, content.length() - 100));
            assertThat(slow.sawEnd()).isTrue();
            assertThat(agent.spool().diskBytes()).isZero();
        }
    }

    @Test
    void slowClientThatLeavesGivesEverythingBack() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer slow = slowClient(gateway, peer);
            peer.send(Messages.plain("x".repeat(1 << 20)));
            gateway.run();
            gateway.pass(Duration.ofMillis(300)); // a flush waits for the disk
            assertThat(gateway.diskWork()).isPositive();
            slow.reset();
            gateway.run();
            settle(gateway);
            assertThat(peer.unread()).isZero();
            assertThat(peer.isClosed()).isFalse();
            assertThat(agent.spool().diskBytes()).isZero();
            MemoryPeer other = gateway.client(0);
            other.send(get("/app/2"));
            gateway.run();
            assertThat(Messages.request(peer.takeText()).path()).isEqualTo("/2");
        }
    }

    /// A peer of another loop moves to the loop of the request.
    @Test
    void peerMovesToTheLoopThatNeedsIt() {
        try (GatewayInMemory gateway = new GatewayInMemory(2, agent, agent.handler(), FILES)) {
            MemoryPeer peer = gateway.registered(1, "app");
            assertThat(gateway.net(1).connections()).isEqualTo(1);
            for (int i = 0; i < 3; i++) {
                int loop = i % 2;
                MemoryPeer client = gateway.client(loop);
                client.send(post("/app/" + i, "data"));
                gateway.run();
                Request request = Messages.request(peer.takeText());
                assertThat(request.path()).isEqualTo("/" + i);
                peer.send(Messages.plain("n" + i));
                gateway.run();
                assertThat(client.takeText()).endsWith("n" + i);
            }
            assertThat(gateway.net(0).connections()).as("two clients and the peer").isEqualTo(3);
            assertThat(agent.status().getFirst().served()).isEqualTo(3);
        }
    }

    @Test
    void waitingRequestsOfAllLoopsShareOneQueue() {
        try (GatewayInMemory gateway = new GatewayInMemory(3, agent, agent.handler(), FILES)) {
            MemoryPeer peer = gateway.registered(2, "app");
            MemoryPeer[] clients = new MemoryPeer[9];
            for (int i = 0; i < 9; i++) {
                clients[i] = gateway.client(i % 3);
                clients[i].send(get("/app/" + i));
                gateway.run();
            }
            for (int i = 0; i < 9; i++) {
                assertThat(Messages.request(peer.takeText()).path()).isEqualTo("/" + i);
                peer.send(Messages.plain("n" + i));
                gateway.run();
                assertThat(clients[i].takeText()).endsWith("n" + i);
            }
        }
    }

    @Test
    void clientThatLeavesWhileThePeerMovesLosesNoPeer() {
        try (GatewayInMemory gateway = new GatewayInMemory(2, agent, agent.handler(), FILES)) {
            MemoryPeer peer = gateway.registered(1, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app/1"));
            gateway.net(0).loop().turn(false); // waits, and asks the other loop
            gateway.net(1).loop().turn(false); // the peer leaves for the first loop
            client.reset();
            gateway.net(0).loop().turn(false);
            gateway.run();
            peer.clear(); // it may have been sent just before
            peer.send(Messages.plain("dropped"));
            gateway.run();
            MemoryPeer next = gateway.client(1);
            next.send(get("/app/2"));
            gateway.run();
            if (peer.isClosed()) { // it was idle, so that its bytes were unasked for
                assertThat(next.takeText()).endsWith("files");
            } else {
                assertThat(Messages.request(peer.takeText()).path()).isEqualTo("/2");
            }
        }
    }

    /// Connects a client that takes a thousand bytes of the answer. The peer has got its request.
    private static MemoryPeer slowClient(GatewayInMemory gateway, MemoryPeer peer) {
        return slowClient(gateway, peer, "/app");
    }

    private static MemoryPeer slowClient(GatewayInMemory gateway, MemoryPeer peer, String target) {
        MemoryPeer slow = gateway.client(0);
        slow.window(1000);
        slow.send(get(target));
        gateway.run();
        peer.clear();
        return slow;
    }

    private static void settle(GatewayInMemory gateway) {
        for (int i = 0; i < 40; i++) {
            gateway.work();
            gateway.run();
        }
    }
}
